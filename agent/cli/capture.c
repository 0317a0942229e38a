/* SPDX-License-Identifier: MIT */
/* placeholder until the capture writer lands */
#include "cli/cli.h"
int verb_capture(struct cli *cli) { (void)cli; return EXIT_CODE_FAILED; }
