# SPDX-License-Identifier: MIT
# A scenario that reports nothing: that is not success.
true
