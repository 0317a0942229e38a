/* SPDX-License-Identifier: MIT */
/*
 * libblkadvise: what the machine's agent advises for reading from the disk under a
 * file. An engine asks once, when it opens its data, and skips its own probe. Advice
 * is advice: without it, every question has the answer "keep your default".
 *
 *	struct blkadvise_record *record = NULL;
 *	struct blkadvise_advice advice;
 *
 *	(void)blkadvise_open_path("/srv/data/index", &record);
 *	blkadvise_advice(record, BLKADVISE_RANDOM, BLKADVISE_EXCEEDS, &advice);
 *	if (advice.io_mode == BLKADVISE_IO_DIRECT)
 *		use_direct_reads(advice.depth ? advice.depth : MY_DEFAULT_DEPTH);
 *	blkadvise_close(record);
 *
 * That is complete: a failed call leaves @record NULL, and all functions take NULL as a
 * record that knows nothing.
 *
 * Return codes: 0 (BLKADVISE_OK), a positive enum blkadvise_outcome, or a negative
 * errno. Outputs (ret_*) come last and are untouched unless a function says otherwise.
 *
 * Threads: a record does not change once it is open, so any number of threads may read
 * it; the one that closes it must be the last. There is no other state. A record is a
 * snapshot: open again to see a newer one. Only its kind and its members are looked up
 * at the first question for them, and stay what they were then.
 *
 * The library reads a few small files. It never writes, logs, aborts, waits for another
 * process, takes a lock or walks the mount table, and needs nothing but libc.
 *
 * KB is 1024 bytes. Keys and values are listed in docs/record.md.
 */
#ifndef BLKADVISE_H
#define BLKADVISE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct blkadvise_record;

/*
 * Why there is no advice. Everything but BLKADVISE_OK means: keep your defaults. Later
 * versions may add outcomes.
 */
enum blkadvise_outcome {
	BLKADVISE_OK = 0,
	/* The device has none: no agent, nothing to say, or left by an earlier disk. */
	BLKADVISE_NO_RECORD = 1,
	/* There may be one, but this process may not read it. */
	BLKADVISE_NOT_ALLOWED = 2,
	/* It is written in a format that this version of the library does not know. */
	BLKADVISE_UNKNOWN_FORMAT = 3,
	/* /sys is not there or not readable, and no record bears the device's number. */
	BLKADVISE_NO_SYSFS = 4,
	/* No block device has this number. */
	BLKADVISE_NO_DEVICE = 5,
	/* The file is on another machine: NFS, CIFS, 9p, Ceph and their like. */
	BLKADVISE_NETWORK_FS = 6,
	/* A process serves the file; only that process knows what is under it. */
	BLKADVISE_FUSE_FS = 7,
	/* The file is in memory: tmpfs, ramfs, hugetlbfs, /dev. */
	BLKADVISE_MEMORY_FS = 8,
	/* There is no file: /proc, /sys, a pipe, a socket. */
	BLKADVISE_PSEUDO_FS = 9,
	/* There are disks, but this version cannot tell which: btrfs, overlay, ZFS. */
	BLKADVISE_LAYERED_FS = 10,
	/* A file system without a device of its own that the library does not know. */
	BLKADVISE_UNKNOWN_FS = 11,
	/* Of a key: it is missing or its value is not of the type that was asked for. */
	BLKADVISE_NO_VALUE = 12
};

/*
 * A constant text in English for an outcome; for a negative errno that of strerror(3).
 * Never NULL, not to be freed.
 */
const char *blkadvise_strerror(int code);

/*
 * Finds the disk under a file, a folder, or of a block device node, and reads its
 * record. A file that does not exist yet is looked up by its folder. A partition leads
 * to its disk; a device of dm, md or bcache stands for itself and has members.
 *
 * BLKADVISE_OK with a record, any other outcome but BLKADVISE_NO_VALUE with one that
 * has no keys, but may know the device and its members. In both cases @ret_record is to
 * be closed with blkadvise_close(). Negative, with @ret_record untouched: -ENOENT
 * (neither file nor folder, or a link to nowhere), -EACCES and what else stat(2) says of
 * @path; -EBADF; -EINVAL for NULL; -ENOMEM; -EMFILE, -EIO or another errno if a record
 * is there but reading it failed.
 *
 * By path, it may block for as long as stat(2) of that path blocks.
 */
int blkadvise_open_path(const char *path, struct blkadvise_record **ret_record);

/* As above, for an open file of any kind (O_PATH will do). @fd stays the caller's. */
int blkadvise_open_fd(int fd, struct blkadvise_record **ret_record);

/* As above, for the number of a disk or a partition. */
int blkadvise_open_devnum(unsigned int major, unsigned int minor,
			  struct blkadvise_record **ret_record);

/*
 * The same three for containers and tests, where the host's /sys and /run are mounted
 * elsewhere: both are looked for below the folder @root, "/host" for instance. @path
 * and @fd are not: the file is what this process calls it, and its device number is
 * the same everywhere. NULL and "" mean the usual place. -ENAMETOOLONG if @root has
 * more than 500 bytes.
 */
int blkadvise_open_path_at(const char *root, const char *path,
			   struct blkadvise_record **ret_record);
int blkadvise_open_fd_at(const char *root, int fd, struct blkadvise_record **ret_record);
int blkadvise_open_devnum_at(const char *root, unsigned int major, unsigned int minor,
			     struct blkadvise_record **ret_record);

/*
 * Frees a record and all texts that came from it. Takes NULL. Returns NULL, so that
 * "record = blkadvise_close(record)" leaves nothing behind.
 */
struct blkadvise_record *blkadvise_close(struct blkadvise_record *record);

enum blkadvise_kind {
	BLKADVISE_KIND_UNKNOWN = 0, /* no device found; the outcome says why */
	BLKADVISE_KIND_DISK = 1, /* one whole disk */
	BLKADVISE_KIND_STACK = 2 /* a device on others: LVM, dm-crypt, RAID, bcache */
};

/* What was found, whether or not it has a record. Of NULL: unknown. */
enum blkadvise_kind blkadvise_kind(const struct blkadvise_record *record);

/*
 * The number of the whole disk or the stacked device, which is the name of its record.
 * 0, or BLKADVISE_NO_DEVICE if the kind is unknown.
 */
int blkadvise_devnum(const struct blkadvise_record *record, unsigned int *ret_major,
		     unsigned int *ret_minor);

/*
 * The disks at the bottom of a stack; 0 for a disk. Of a stack that changes while it is
 * looked at some may be missing; without memory all are.
 */
size_t blkadvise_member_count(const struct blkadvise_record *record);

/* The number of a member. 0, or BLKADVISE_NO_DEVICE if there is no member @index. */
int blkadvise_member(const struct blkadvise_record *record, size_t index,
		     unsigned int *ret_major, unsigned int *ret_minor);

/*
 * The record of a member, looked up below the same root. The caller closes it; it does
 * not depend on @record. Returns as blkadvise_open_devnum(), or BLKADVISE_NO_DEVICE
 * with @ret_member untouched if there is no member @index.
 */
int blkadvise_open_member(const struct blkadvise_record *record, size_t index,
			  struct blkadvise_record **ret_member);

enum blkadvise_workload {
	BLKADVISE_RANDOM = 0, /* scattered small reads */
	BLKADVISE_SCAN = 1 /* large parts of a file in order */
};

enum blkadvise_fit {
	BLKADVISE_FITS = 0, /* the page cache can hold the working set with a margin */
	BLKADVISE_EXCEEDS = 1 /* it cannot, or the engine has a cache of its own */
};

enum blkadvise_io_mode {
	BLKADVISE_IO_KEEP = 0, /* no advice */
	BLKADVISE_IO_DIRECT = 1, /* O_DIRECT */
	BLKADVISE_IO_BUFFERED = 2, /* read(2) through the page cache */
	BLKADVISE_IO_MMAP = 3
};

/* For posix_fadvise(2) of buffered reads and madvise(2) of a mapping. */
enum blkadvise_hint {
	BLKADVISE_HINT_KEEP = 0, /* no advice */
	BLKADVISE_HINT_NORMAL = 1,
	BLKADVISE_HINT_RANDOM = 2,
	BLKADVISE_HINT_SEQUENTIAL = 3,
	BLKADVISE_HINT_WILLNEED = 4
};

enum blkadvise_source {
	BLKADVISE_FROM_UNKNOWN = 0,
	BLKADVISE_FROM_CLASS = 1, /* what disks of this class do */
	BLKADVISE_FROM_QUIRK = 2, /* what this model does */
	BLKADVISE_FROM_MEASURED = 3, /* what this disk did */
	BLKADVISE_FROM_DECLARED = 4 /* a limit that somebody declared, as a cloud does */
};

enum blkadvise_confidence {
	BLKADVISE_CONFIDENCE_UNKNOWN = 0,
	BLKADVISE_CONFIDENCE_LOW = 1,
	BLKADVISE_CONFIDENCE_HIGH = 2
};

/* Each field by itself may be 0: keep your default. */
struct blkadvise_advice {
	enum blkadvise_io_mode io_mode;
	enum blkadvise_hint hint;
	/* Reads of @read_kb in flight at the disk, from all processes together. */
	unsigned int depth;
	/* The same, for an engine to which the slowest read matters more. */
	unsigned int depth_latency;
	unsigned int read_kb; /* KB per read */
	enum blkadvise_source source;
	enum blkadvise_confidence confidence;
	unsigned int reserved[9]; /* 0 */
};

/*
 * Fills all of @ret_advice in, with zeroes where the record has nothing or nothing that
 * this version knows. 0, or BLKADVISE_NO_VALUE if that leaves no advice at all.
 */
int blkadvise_advice(const struct blkadvise_record *record,
		     enum blkadvise_workload workload, enum blkadvise_fit fit,
		     struct blkadvise_advice *ret_advice);

/*
 * The value of a key, as "CLASS" or "BLKADVISE_CLASS". NULL if it is missing; never
 * an empty text. Valid until the record is closed. Printable ASCII, but what describes
 * a device (MODEL, SERIAL) was written by that device.
 */
const char *blkadvise_text(const struct blkadvise_record *record, const char *key);

/*
 * A number in decimal digits; the key's name has its unit. 0, or BLKADVISE_NO_VALUE
 * with @ret untouched, so that a variable set to the default beforehand keeps it.
 */
int blkadvise_u64(const struct blkadvise_record *record, const char *key, uint64_t *ret);

/* As blkadvise_u64(): 1 for 1, yes, true, on; 0 for 0, no, false, off. */
int blkadvise_bool(const struct blkadvise_record *record, const char *key, int *ret);

/*
 * The name of the key @index, without BLKADVISE_, in the order of the record; NULL
 * behind the last. Each key occurs once: of a key that is written twice the first
 * counts. Valid until the record is closed.
 */
const char *blkadvise_key(const struct blkadvise_record *record, size_t index);

#ifdef __cplusplus
}
#endif

#endif /* BLKADVISE_H */
