/* SPDX-License-Identifier: MIT */
/*
 * The bits of the SError register (Serial ATA specification; include/linux/ata.h,
 * SERR_*) and the names that libata prints for them, in its order.
 */
#pragma once

#include <stdint.h>

#define SERROR_UNRECOV_DATA (UINT32_C(1) << 8)
#define SERROR_PHY_RDY_CHG (UINT32_C(1) << 16)
#define SERROR_COMM_WAKE (UINT32_C(1) << 18)
#define SERROR_10B8B (UINT32_C(1) << 19)
#define SERROR_DISPAR (UINT32_C(1) << 20)
#define SERROR_BAD_CRC (UINT32_C(1) << 21)
#define SERROR_HANDSHK (UINT32_C(1) << 22)
#define SERROR_LINK_SEQ (UINT32_C(1) << 23)
#define SERROR_TR_STA_TRNS (UINT32_C(1) << 24)
#define SERROR_DEV_EXCH (UINT32_C(1) << 26)
/* No bit of the register: the drive's own word for a bad checksum (ATA_ICRC). */
#define SERROR_ICRC (UINT32_C(1) << 31)

struct serror_name {
	const char *name;
	uint32_t bit;
};

extern const struct serror_name serror_names[]; /* a NULL name ends */
