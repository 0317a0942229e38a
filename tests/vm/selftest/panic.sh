# SPDX-License-Identifier: MIT
# A kernel that crashes takes the scenario and the machine with it.
ok "it begins"
echo c >/proc/sysrq-trigger
