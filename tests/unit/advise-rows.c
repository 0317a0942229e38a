/* SPDX-License-Identifier: MIT */
/*
 * The rows of test-advise: disks that are common, and what goes wrong while they are
 * measured.
 */
#include "advise-rows.h"

#include "support.h"

const struct advise_row advise_rows[] = {
	{ "NVMe, deep, limited by the CPU at the end", CLASS_NVME_SSD, false, 1023, 0,
	  LOCAL DEPTHS("64") "scan_exceeds_depth=4",
	  "random-read direct normal 4 1 16001 63 70\n"
	  "random-read direct normal 4 16 243331 64 90\n"
	  "random-read direct normal 4 64 713684 80 130\n"
	  "random-read direct normal 4 128 950000 120 240\n"
	  "random-read direct normal 4 256 1090009 179 300 cpu\n"
	  "random-read direct normal 4 512 1115626 228 500 cpu\n"
	  "random-read buffered normal 4 256 90000 900 5000\n"
	  "random-read buffered random 4 256 115185 800 4000 cpu\n"
	  "random-read mmap normal 4 256 9000 900 5000\n"
	  "random-read mmap random 4 256 91000 900 5000\n"
	  "sequential-read buffered normal 256 1 8000 120 300\n"
	  "sequential-read buffered sequential 256 1 9000 110 300\n"
	  "sequential-read buffered sequential 1024 1 2300 400 900\n"
	  "sequential-read buffered sequential 256 4 15600 250 500 cpu\n"
	  "sequential-read direct normal 1024 8 6700 1100 1500\n",
	  "random measured high, scan measured high\n"
	  "random_fits_depth=256\n"
	  "random_fits_depth_latency=64\n"
	  "random_exceeds_io_mode=direct: at depth 256 direct reads give 1.09M/s, "
	    "buffered ones with the hint random 115.2K/s\n"
	  "random_exceeds_depth=256: 95 % of the peak of 1.12M/s is reached at depth "
	    "256 (1: 16.0K/s, 512: 1.12M/s); limited by the CPU\n"
	  "random_exceeds_depth_latency=64: 99 of 100 reads take at most 130 us at "
	    "depth 64, 70 us at depth 1, 240 us at depth 128\n"
	  "random_exceeds_hint=random: buffered reads at depth 256 give 115.2K/s with "
	    "it, 90.0K/s without\n"
	  "scan_fits_depth=4\n"
	  "scan_fits_read_kb=256\n"
	  "scan_exceeds_depth=4: 4.09 GB/s with reads of 256 KiB at depth 4; limited "
	    "by the CPU; direct reads give 7.03 GB/s (1024 KiB, depth 8)\n"
	  "scan_exceeds_read_kb=256: 4.09 GB/s with reads of 256 KiB at depth 4; "
	    "limited by the CPU; direct reads give 7.03 GB/s (1024 KiB, depth 8)\n" },
	{ "SATA with NCQ", CLASS_SATA_SSD, false, 32, 0,
	  LOCAL DEPTHS("32") "scan_exceeds_depth=4",
	  DIRECT_32 "random-read buffered random 4 32 60000 500 900\n"
		    "random-read mmap random 4 32 21000 500 900\n"
		    "sequential-read buffered sequential 128 1 4100 240 300\n"
		    "sequential-read buffered sequential 256 1 2080 480 600\n"
		    "sequential-read buffered sequential 256 2 2110 900 1100\n"
		    "sequential-read direct normal 256 2 2150 900 1100\n",
	  "random measured high, scan measured high\n"
	  "random_fits_depth=32\n"
	  "random_fits_depth_latency=16\n"
	  "random_exceeds_io_mode=direct: at depth 32 direct reads give 95.0K/s, "
	    "buffered ones with the hint random 60.0K/s\n"
	  "random_exceeds_depth=32: 95 % of the peak of 95.0K/s is reached at depth 32 "
	    "(1: 9.7K/s, 32: 95.0K/s)\n"
	  "random_exceeds_depth_latency=16: 99 of 100 reads take at most 290 us at "
	    "depth 16, 150 us at depth 1, 640 us at depth 32\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=128\n"
	  "scan_exceeds_depth=1: 537 MB/s with reads of 128 KiB at depth 1, 553 MB/s "
	    "at best\n"
	  "scan_exceeds_read_kb=128: 537 MB/s with reads of 128 KiB at depth 1, 553 "
	    "MB/s at best\n" },
	{ "IDE mode: no queue", CLASS_SATA_SSD_IDE, false, 1, 0,
	  LOCAL DEPTHS("1") "scan_exceeds_depth=1 journal_block_kb=16 journal_depth=1",
	  "random-read direct normal 4 1 8588 110 180\n"
	  "random-read direct normal 4 2 8510 220 400\n"
	  "random-read direct normal 4 4 8520 450 800\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 8.6K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=1: no queue: the disk takes one command (1: 8.6K/s, 4: "
	    "8.5K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 180 us at "
	    "depth 1\n" },
	{ "nothing knows of a queue, and there is none", CLASS_VIRTUAL_DISK, false, 0, 0,
	  LOCAL,
	  "random-read direct normal 4 1 3300 300 420\n"
	  "random-read direct normal 4 2 3310 600 820\n"
	  "random-read direct normal 4 4 3305 1200 1700\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 3.3K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=1: 95 % of the peak of 3.3K/s is reached at depth 1 "
	    "(1: 3.3K/s, 2: 3.3K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 420 us at "
	    "depth 1\n"
	  "journal_block_kb=16: random reads gain nothing beyond depth 1\n"
	  "journal_depth=1: random reads gain nothing beyond depth 1\n" },
	{ "rotating, with NCQ", CLASS_SATA_HDD, false, 32, 0,
	  LOCAL DEPTHS("32") "scan_exceeds_read_kb=1024 journal_block_kb=64",
	  "random-read direct normal 4 1 75 13000 24000\n"
	  "random-read direct normal 4 4 118 33000 71000\n"
	  "random-read direct normal 4 16 171 90000 260000\n"
	  "random-read direct normal 4 32 195 160000 510000\n"
	  "sequential-read buffered sequential 1024 1 190 5200 9000\n",
	  "random measured high, scan measured high\n"
	  "random_fits_depth=32\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 195/s at depth 32; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=32: 95 % of the peak of 195/s is reached at depth 32 "
	    "(1: 75/s, 32: 195/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 24000 us at "
	    "depth 1, 71000 us at depth 4\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=1024\n"
	  "scan_exceeds_depth=1: 199 MB/s with reads of 1024 KiB at depth 1\n"
	  "scan_exceeds_read_kb=1024: 199 MB/s with reads of 1024 KiB at depth 1\n" },
	{ "SD card: a larger journal block stays", CLASS_SD_CARD, false, 0, 0,
	  LOCAL DEPTHS("1") "journal_block_kb=256 journal_depth=1",
	  "random-read direct normal 4 1 2100 460 800\n"
	  "random-read direct normal 4 2 2120 900 1700\n"
	  "journal-write direct normal 4 1 120 8000 30000\n"
	  "journal-write direct normal 16 1 118 8100 30000\n"
	  "journal-write direct normal 64 1 100 9000 31000\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 2.1K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=1: 95 % of the peak of 2.1K/s is reached at depth 1 "
	    "(1: 2.1K/s, 2: 2.1K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 800 us at "
	    "depth 1\n" },
	{ "cloud volume: a few at once are enough", CLASS_CLOUD_VOLUME, true, 0, 0,
	  REMOTE,
	  "random-read direct normal 4 1 980 1000 1400\n"
	  "random-read direct normal 4 2 1960 1000 1500\n"
	  "random-read direct normal 4 4 2990 1200 2900\n"
	  "random-read direct normal 4 8 3000 2600 5800\n"
	  "random-read direct normal 4 64 3010 21000 26000\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=4\n"
	  "random_fits_depth_latency=2\n"
	  "random_exceeds_io_mode=direct: direct reads give 3.0K/s at depth 4; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=4: 95 % of the peak of 3.0K/s is reached at depth 4 "
	    "(1: 980/s, 64: 3.0K/s)\n"
	  "random_exceeds_depth_latency=2: 99 of 100 reads take at most 1500 us at "
	    "depth 2, 1400 us at depth 1, 2900 us at depth 4\n" },
	{ "remote, and mapped reads were fastest", CLASS_NETWORK_DISK, true, 0, 0, REMOTE,
	  "random-read direct normal 4 1 1000 900 1200\n"
	  "random-read direct normal 4 2 1010 1900 2200\n"
	  "random-read mmap random 4 1 9000 900 1200\n"
	  "random-read mmap normal 4 1 9900 900 1200\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 1.0K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=1: 95 % of the peak of 1.0K/s is reached at depth 1 "
	    "(1: 1.0K/s, 2: 1.0K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 1200 us at "
	    "depth 1\n"
	  "random_exceeds_hint=random: readahead would read, and fill memory with, "
	    "what is not asked for\n"
	  "journal_depth=1: random reads gain nothing beyond depth 1\n" },
	{ "remote, a policy of the vendor's maps: no longer", CLASS_SAN_LUN, true, 0, 0,
	  "random_fits_io_mode=mmap random_exceeds_io_mode=mmap",
	  "random-read direct normal 4 1 1000 900 1200\n",
	  "random measured low, scan class high\n"
	  "random_fits_io_mode=buffered: remote: each page fault is a round trip\n"
	  "random_fits_read_kb=4\n"
	  "random_fits_hint=willneed: all of it will be read once\n"
	  "random_exceeds_io_mode=direct: direct reads give 1.0K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_read_kb=4: the size that was measured\n"
	  "random_exceeds_hint=random: readahead would read what is not asked for\n" },
	{ "mapped was fastest, buffered 9.99 % up", CLASS_NVME_SSD, false, 0, 0, LOCAL,
	  "random-read direct normal 4 1 10000 90 120\n"
	  "random-read direct normal 4 2 10100 190 220\n"
	  "random-read buffered random 4 1 10999 90 120\n"
	  "random-read mmap random 4 1 90000 9 12\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: at depth 1 direct reads give 10.0K/s, "
	    "buffered ones with the hint random 11.0K/s\n"
	  "random_exceeds_depth=1: 95 % of the peak of 10.1K/s is reached at depth 1 "
	    "(1: 10.0K/s, 2: 10.1K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 120 us at "
	    "depth 1\n"
	  "journal_block_kb=16: random reads gain nothing beyond depth 1\n"
	  "journal_depth=1: random reads gain nothing beyond depth 1\n" },
	{ "buffered 20 % better", CLASS_VIRTUAL_DISK, false, 0, 0, LOCAL,
	  "random-read direct normal 4 1 10000 90 120\n"
	  "random-read direct normal 4 2 10100 190 220\n"
	  "random-read buffered random 4 1 12000 80 120\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=buffered: at depth 1 direct reads give 10.0K/s, "
	    "buffered ones with the hint random 12.0K/s\n"
	  "random_exceeds_depth=1: 95 % of the peak of 10.1K/s is reached at depth 1 "
	    "(1: 10.0K/s, 2: 10.1K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 120 us at "
	    "depth 1\n"
	  "journal_block_kb=16: random reads gain nothing beyond depth 1\n"
	  "journal_depth=1: random reads gain nothing beyond depth 1\n" },
	{ "buffered better below the knee only", CLASS_NVME_SSD, false, 1023, 0, LOCAL,
	  "random-read direct normal 4 64 500000 90 120\n"
	  "random-read direct normal 4 256 900000 190 220\n"
	  "random-read direct normal 4 512 900000 190 220\n"
	  "random-read buffered random 4 64 600000 80 120\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=256\n"
	  "random_exceeds_io_mode=direct: at depth 64 direct reads give 500.0K/s, "
	    "buffered ones with the hint random 600.0K/s; direct ones 900.0K/s at "
	    "depth 256\n"
	  "random_exceeds_depth=256: 95 % of the peak of 900.0K/s is reached at depth "
	    "256 (64: 500.0K/s, 256: 900.0K/s)\n" },
	{ "95 % exactly", CLASS_SATA_SSD, false, 32, 0, LOCAL DEPTHS("32"),
	  "random-read direct normal 4 1 5000 100 100\n"
	  "random-read direct normal 4 8 9500 100 200\n"
	  "random-read direct normal 4 16 10000 100 201\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=8\n"
	  "random_fits_depth_latency=8\n"
	  "random_exceeds_io_mode=direct: direct reads give 9.5K/s at depth 8; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=8: 95 % of the peak of 10.0K/s is reached at depth 8 "
	    "(1: 5.0K/s, 16: 10.0K/s)\n"
	  "random_exceeds_depth_latency=8: 99 of 100 reads take at most 200 us at "
	    "depth 8, 100 us at depth 1\n" },
	{ "a hair below 95 %, and a last point that falls", CLASS_SATA_SSD, false, 32, 0,
	  LOCAL DEPTHS("32"),
	  "random-read direct normal 4 1 5000 100 100\n"
	  "random-read direct normal 4 8 9499 100 200\n"
	  "random-read direct normal 4 16 10000 100 201\n"
	  "random-read direct normal 4 32 9400 100 150\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=16\n"
	  "random_fits_depth_latency=8\n"
	  "random_exceeds_io_mode=direct: direct reads give 10.0K/s at depth 16; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=16: 95 % of the peak of 10.0K/s is reached at depth 16 "
	    "(1: 5.0K/s, 16: 10.0K/s)\n"
	  "random_exceeds_depth_latency=8: 99 of 100 reads take at most 200 us at "
	    "depth 8, 100 us at depth 1, 201 us at depth 16\n" },
	{ "still rising at the last depth", CLASS_NVME_SSD, false, 1023, 0, LOCAL,
	  "random-read direct normal 4 1 10000 90 120\n"
	  "random-read direct normal 4 32 300000 95 130\n"
	  "random-read direct normal 4 64 590000 98 140\n",
	  "random measured low, scan class high\n"
	  "random_fits_depth=64\n"
	  "random_fits_depth_latency=64\n"
	  "random_exceeds_io_mode=direct: direct reads give 590.0K/s at depth 64; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=64: 95 % of the peak of 590.0K/s is reached at depth "
	    "64 (1: 10.0K/s, 64: 590.0K/s); still rising\n"
	  "random_exceeds_depth_latency=64: 99 of 100 reads take at most 140 us at "
	    "depth 64, 120 us at depth 1\n" },
	{ "still rising: the class's larger depth stays", CLASS_NVME_SSD, false, 1023, 0,
	  LOCAL DEPTHS("64"),
	  "random-read direct normal 4 1 10000 90 120\n"
	  "random-read direct normal 4 2 20000 95 130\n",
	  "random measured low, scan class high\n"
	  "random_exceeds_io_mode=direct: direct reads give 20.0K/s at depth 2; "
	    "buffered ones were not measured\n" },
	{ "one depth is no knee", CLASS_NVME_SSD, false, 1023, 0, LOCAL DEPTHS("64"),
	  "random-read direct normal 4 1 10000 90 120\n"
	  "random-read buffered random 4 1 9000 90 120\n",
	  "random measured low, scan class high\n"
	  "random_exceeds_io_mode=direct: at depth 1 direct reads give 10.0K/s, "
	    "buffered ones with the hint random 9.0K/s\n" },
	{ "the knee is beyond what the disk takes", CLASS_USB_SSD, false, 8, 0, LOCAL,
	  DIRECT_32,
	  "random measured high, scan class high\n"
	  "random_fits_depth=8\n"
	  "random_fits_depth_latency=8\n"
	  "random_exceeds_io_mode=direct: direct reads give 95.0K/s at depth 32; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=8: 95 % of the peak of 95.0K/s is reached at depth 32 "
	    "(1: 9.7K/s, 32: 95.0K/s); the disk takes 8\n"
	  "random_exceeds_depth_latency=8: 99 of 100 reads take at most 220 us at "
	    "depth 8, 150 us at depth 1\n" },
	{ "stale in part: another readahead", CLASS_SATA_SSD, false, 32,
	  1U << STALE_READ_AHEAD, LOCAL,
	  DIRECT_32 "random-read buffered random 4 32 60000 500 900\n"
		    "random-read buffered normal 4 32 600 500 900\n"
		    "sequential-read buffered sequential 256 1 2080 480 600\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=32\n"
	  "random_fits_depth_latency=16\n"
	  "random_exceeds_io_mode=direct: at depth 32 direct reads give 95.0K/s, "
	    "buffered ones with the hint random 60.0K/s\n"
	  "random_exceeds_depth=32: 95 % of the peak of 95.0K/s is reached at depth 32 "
	    "(1: 9.7K/s, 32: 95.0K/s)\n"
	  "random_exceeds_depth_latency=16: 99 of 100 reads take at most 290 us at "
	    "depth 16, 150 us at depth 1, 640 us at depth 32\n" },
	{ "stale: another firmware", CLASS_SATA_SSD, false, 32, 1U << STALE_FIRMWARE,
	  LOCAL, DIRECT_32 "sequential-read buffered sequential 256 1 2080 480 600\n",
	  "random class high, scan class high\n" },
	{ "implausible points do not count, and cast doubt", CLASS_SATA_SSD, false, 32, 0,
	  LOCAL,
	  DIRECT_32 "random-read direct normal 4 64 2000000 1 2 implausible\n"
		    "sequential-read buffered sequential 256 1 2080 480 600\n"
		    "sequential-read buffered sequential 256 4 20800 48 60 implausible\n",
	  "random measured low, scan measured low\n"
	  "random_fits_depth=32\n"
	  "random_fits_depth_latency=16\n"
	  "random_exceeds_io_mode=direct: direct reads give 95.0K/s at depth 32; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=32: 95 % of the peak of 95.0K/s is reached at depth 32 "
	    "(1: 9.7K/s, 32: 95.0K/s)\n"
	  "random_exceeds_depth_latency=16: 99 of 100 reads take at most 290 us at "
	    "depth 16, 150 us at depth 1, 640 us at depth 32\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=256\n"
	  "scan_exceeds_depth=1: 545 MB/s with reads of 256 KiB at depth 1\n"
	  "scan_exceeds_read_kb=256: 545 MB/s with reads of 256 KiB at depth 1\n" },
	{ "others used the disk", CLASS_SATA_SSD, false, 32, 0, LOCAL,
	  "random-read direct normal 4 1 9700 95 150\n"
	  "random-read direct normal 4 32 95000 310 640 traffic\n"
	  "sequential-read buffered sequential 256 1 2080 480 600 traffic\n",
	  "random measured low, scan measured low\n"
	  "random_fits_depth=32\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 95.0K/s at depth 32; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=32: 95 % of the peak of 95.0K/s is reached at depth 32 "
	    "(1: 9.7K/s, 32: 95.0K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 150 us at "
	    "depth 1, 640 us at depth 32\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=256\n"
	  "scan_exceeds_depth=1: 545 MB/s with reads of 256 KiB at depth 1\n"
	  "scan_exceeds_read_kb=256: 545 MB/s with reads of 256 KiB at depth 1\n" },
	{ "a cgroup's limits and a cache are not the disk", CLASS_SATA_SSD, false, 32, 0,
	  LOCAL,
	  "random-read direct normal 4 1 9700 95 150\n"
	  "random-read direct normal 4 2 19000 95 150\n"
	  "random-read direct normal 4 4 5000 95 150 io-max\n"
	  "random-read direct normal 4 8 6000 95 150 cpu-quota\n"
	  "random-read direct normal 4 16 990000 95 150 cache\n"
	  "sequential-read buffered sequential 256 1 2080 480 600 io-max\n",
	  "random measured low, scan class high\n"
	  "random_fits_depth=2\n"
	  "random_fits_depth_latency=2\n"
	  "random_exceeds_io_mode=direct: direct reads give 19.0K/s at depth 2; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=2: 95 % of the peak of 19.0K/s is reached at depth 2 "
	    "(1: 9.7K/s, 2: 19.0K/s); still rising\n"
	  "random_exceeds_depth_latency=2: 99 of 100 reads take at most 150 us at "
	    "depth 2, 150 us at depth 1\n" },
	{ "depth 1 was not measured", CLASS_SATA_SSD, false, 32, 0, LOCAL,
	  "random-read direct normal 4 8 60000 120 220\n"
	  "random-read direct normal 4 16 61000 180 290\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=8\n"
	  "random_exceeds_io_mode=direct: direct reads give 60.0K/s at depth 8; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=8: 95 % of the peak of 61.0K/s is reached at depth 8 "
	    "(8: 60.0K/s, 16: 61.0K/s)\n" },
	{ "scans alone", CLASS_SATA_SSD, false, 32, 0, LOCAL DEPTHS("32"),
	  "sequential-read buffered sequential 128 1 1000 480 600\n"
	  "sequential-read buffered sequential 256 1 2080 480 600\n"
	  "sequential-read buffered sequential 64 2 8500 480 600\n"
	  "sequential-read buffered sequential 1024 2 530 480 600\n",
	  "random class high, scan measured high\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=256\n"
	  "scan_exceeds_depth=1: 545 MB/s with reads of 256 KiB at depth 1, 557 MB/s "
	    "at best\n"
	  "scan_exceeds_read_kb=256: 545 MB/s with reads of 256 KiB at depth 1, 557 "
	    "MB/s at best\n" },
	{ "direct scans alone tell nothing", CLASS_SATA_SSD, false, 32, 0,
	  LOCAL DEPTHS("32"), "sequential-read direct normal 1024 2 530 480 600\n",
	  "random class high, scan class high\n" },
	{ "journal alone", CLASS_SATA_SSD, false, 32, 0, LOCAL DEPTHS("32"),
	  "journal-write direct normal 4 1 9000 100 500\n"
	  "journal-write direct normal 8 1 7000 110 500\n"
	  "journal-write direct normal 16 1 5200 180 500\n"
	  "journal-write direct normal 32 1 2650 350 900\n"
	  "journal-write direct normal 64 1 1340 700 1500\n",
	  "random class high, scan class high\n"
	  "journal_block_kb=16: 85.2 MB/s in blocks of 16 KiB, 36.9 MB/s in 4, 87.8 "
	    "MB/s in 64\n" },
	{ "what the administrator says stays", CLASS_SATA_SSD, false, 32, 0,
	  "random_fits_io_mode=mmap /etc random_exceeds_io_mode=mmap "
	  "random_exceeds_depth=4 scan_exceeds_io_mode=direct /run journal_depth=8 "
	  "journal_block_kb=4 scan_exceeds_depth=7",
	  "random-read direct normal 4 1 9700 95 150\n"
	  "random-read direct normal 4 2 9700 95 150\n"
	  "sequential-read buffered sequential 256 1 2080 480 600\n"
	  "journal-write direct normal 64 1 1340 700 1500\n",
	  "random measured high, scan measured high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_fits_read_kb=4\n"
	  "random_fits_hint=willneed: all of it will be read once\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 150 us at "
	    "depth 1\n"
	  "random_exceeds_read_kb=4: the size that was measured\n"
	  "random_exceeds_hint=random: readahead would read what is not asked for\n"
	  "scan_fits_io_mode=buffered: the kernel reads ahead while the reader works\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=256\n"
	  "scan_fits_hint=willneed: all of it will be read, and fits\n"
	  "scan_exceeds_read_kb=256: 545 MB/s with reads of 256 KiB at depth 1\n"
	  "scan_exceeds_hint=sequential: larger readahead, and no more than that is "
	    "read\n" },
	{ "a class that is not known", CLASS_UNKNOWN, false, 0, 0, "",
	  DIRECT_32 "random-read buffered random 4 32 60000 500 900\n"
		    "sequential-read buffered sequential 256 1 2080 480 600\n"
		    "journal-write direct normal 4 1 9000 100 500\n",
	  "random measured low, scan measured high\n"
	  "random_fits_io_mode=mmap: read once, then served from memory\n"
	  "random_fits_depth=32\n"
	  "random_fits_depth_latency=16\n"
	  "random_fits_read_kb=4\n"
	  "random_fits_hint=willneed: all of it will be read once\n"
	  "random_exceeds_io_mode=direct: at depth 32 direct reads give 95.0K/s, "
	    "buffered ones with the hint random 60.0K/s\n"
	  "random_exceeds_depth=32: 95 % of the peak of 95.0K/s is reached at depth 32 "
	    "(1: 9.7K/s, 32: 95.0K/s); still rising\n"
	  "random_exceeds_depth_latency=16: 99 of 100 reads take at most 290 us at "
	    "depth 16, 150 us at depth 1, 640 us at depth 32\n"
	  "random_exceeds_read_kb=4: the size that was measured\n"
	  "random_exceeds_hint=random: readahead would read what is not asked for\n"
	  "scan_fits_io_mode=buffered: the kernel reads ahead while the reader works\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=256\n"
	  "scan_fits_hint=willneed: all of it will be read, and fits\n"
	  "scan_exceeds_io_mode=buffered: the kernel reads ahead while the reader "
	    "works\n"
	  "scan_exceeds_depth=1: 545 MB/s with reads of 256 KiB at depth 1\n"
	  "scan_exceeds_read_kb=256: 545 MB/s with reads of 256 KiB at depth 1\n"
	  "scan_exceeds_hint=sequential: larger readahead, and no more than that is "
	    "read\n"
	  "journal_block_kb=4: 36.9 MB/s in blocks of 4 KiB\n" },
	{ "remote, and no policy", CLASS_UNKNOWN, true, 1, 0, "",
	  "random-read direct normal 4 1 1000 900 1200\n",
	  "random measured high, scan class high\n"
	  "random_fits_io_mode=buffered: remote: each page fault is a round trip\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_fits_read_kb=4\n"
	  "random_fits_hint=willneed: all of it will be read once\n"
	  "random_exceeds_io_mode=direct: direct reads give 1.0K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=1: no queue: the disk takes one command (1: 1.0K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 1200 us at "
	    "depth 1\n"
	  "random_exceeds_read_kb=4: the size that was measured\n"
	  "random_exceeds_hint=random: readahead would read what is not asked for\n"
	  "journal_block_kb=16: no queue: the disk takes one command\n"
	  "journal_depth=1: no queue: the disk takes one command\n" },
	{ "persistent memory stays mapped", CLASS_MEMORY, false, 0, 0,
	  "random_fits_io_mode=mmap random_exceeds_io_mode=mmap random_fits_hint=normal "
	  "random_exceeds_hint=normal scan_fits_io_mode=mmap scan_exceeds_io_mode=mmap",
	  "random-read direct normal 4 1 200000 3 5\n"
	  "random-read direct normal 4 2 400000 3 5\n"
	  "sequential-read buffered sequential 256 1 20800 48 60\n",
	  "random measured low, scan measured high\n"
	  "random_fits_depth=2\n"
	  "random_fits_depth_latency=2\n"
	  "random_fits_read_kb=4\n"
	  "random_exceeds_depth=2: 95 % of the peak of 400.0K/s is reached at depth 2 "
	    "(1: 200.0K/s, 2: 400.0K/s); still rising\n"
	  "random_exceeds_depth_latency=2: 99 of 100 reads take at most 5 us at depth "
	    "2, 5 us at depth 1\n"
	  "random_exceeds_read_kb=4: the size that was measured\n"
	  "scan_fits_depth=1\n"
	  "scan_fits_read_kb=256\n"
	  "scan_exceeds_depth=1: 5.45 GB/s with reads of 256 KiB at depth 1\n"
	  "scan_exceeds_read_kb=256: 5.45 GB/s with reads of 256 KiB at depth 1\n" },
	{ "blocks of 8 KiB, the smallest there are", CLASS_NVME_SSD, false, 0, 0, LOCAL,
	  "random-read direct normal 16 1 5000 95 150\n"
	  "random-read direct normal 8 1 9700 95 150\n"
	  "random-read direct normal 8 2 9800 195 450\n",
	  "random measured high, scan class high\n"
	  "random_fits_depth=1\n"
	  "random_fits_depth_latency=1\n"
	  "random_exceeds_io_mode=direct: direct reads give 9.7K/s at depth 1; "
	    "buffered ones were not measured\n"
	  "random_exceeds_depth=1: 95 % of the peak of 9.8K/s is reached at depth 1 "
	    "(1: 9.7K/s, 2: 9.8K/s)\n"
	  "random_exceeds_depth_latency=1: 99 of 100 reads take at most 150 us at "
	    "depth 1\n"
	  "random_exceeds_read_kb=8: the size that was measured\n"
	  "journal_block_kb=16: random reads gain nothing beyond depth 1\n"
	  "journal_depth=1: random reads gain nothing beyond depth 1\n" },
};

const size_t n_advise_rows = ARRAY_SIZE(advise_rows);
