/* SPDX-License-Identifier: MIT */
/* Records as the agent writes them, for the tests of the reader. */
#pragma once

#define GOLDEN_SATA_SSD                                 \
	"BLKADVISE_FORMAT=1\n"                          \
	"BLKADVISE_DEVNUM=8:0\n"                        \
	"BLKADVISE_DISKSEQ=9\n"                         \
	"BLKADVISE_GENERATION=3\n"                      \
	"BLKADVISE_PUBLISHED_AT=2026-07-01T09:12:44Z\n" \
	"BLKADVISE_NAME=sda\n"                          \
	"BLKADVISE_MODEL=Samsung_SSD_860_EVO_1TB\n"     \
	"BLKADVISE_CLASS=sata-ssd\n"                    \
	"BLKADVISE_NCQ=on\n"                            \
	"BLKADVISE_QUEUE_DEPTH=32\n"                    \
	"BLKADVISE_QUEUE_DEPTH_BY=kernel\n"             \
	"BLKADVISE_RANDOM_FITS_IO_MODE=mmap\n"          \
	"BLKADVISE_RANDOM_FITS_HINT=willneed\n"         \
	"BLKADVISE_RANDOM_EXCEEDS_IO_MODE=direct\n"     \
	"BLKADVISE_RANDOM_EXCEEDS_DEPTH=32\n"           \
	"BLKADVISE_RANDOM_EXCEEDS_DEPTH_LATENCY=8\n"    \
	"BLKADVISE_RANDOM_EXCEEDS_READ_KB=4\n"          \
	"BLKADVISE_RANDOM_EXCEEDS_HINT=random\n"        \
	"BLKADVISE_SCAN_EXCEEDS_IO_MODE=buffered\n"     \
	"BLKADVISE_SCAN_EXCEEDS_HINT=sequential\n"      \
	"BLKADVISE_RANDOM_FROM=measured\n"              \
	"BLKADVISE_RANDOM_CONFIDENCE=high\n"            \
	"BLKADVISE_SCAN_FROM=class\n"                   \
	"BLKADVISE_SCAN_CONFIDENCE=low\n"               \
	"BLKADVISE_JOURNAL_BLOCK_KB=16\n"

#define GOLDEN_STACK                                  \
	"BLKADVISE_FORMAT=1\n"                        \
	"BLKADVISE_DEVNUM=253:0\n"                    \
	"BLKADVISE_CLASS=stacked\n"                   \
	"BLKADVISE_MEMBERS=8:0,8:16\n"                \
	"BLKADVISE_RANDOM_EXCEEDS_IO_MODE=buffered\n" \
	"BLKADVISE_RANDOM_EXCEEDS_DEPTH=2\n"
