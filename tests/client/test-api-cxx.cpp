/* SPDX-License-Identifier: MIT */
/* The same program as C++98. */
#include "test-api.c"
