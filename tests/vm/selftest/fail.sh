# SPDX-License-Identifier: MIT
# A scenario with a failure: run-vm must report it and go on.
ok "one thing works"
equal "another does not" 1 2
