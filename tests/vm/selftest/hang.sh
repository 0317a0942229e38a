# SPDX-License-Identifier: MIT
# A scenario that never ends, with a child that never ends: both are killed in time.
# Timeout: 3
ok "it begins"
sleep 100000 &
wait
