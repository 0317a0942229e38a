# SPDX-License-Identifier: MIT
# A scenario that dies half way.
ok "it begins"
exit 3
