/* SPDX-License-Identifier: MIT */
/*
 * What has to hold before a measurement begins: that it is not part of a udev event, that
 * no other is at work, and that the disk is worth one. Nothing here opens a disk.
 */
#pragma once

#include <stdatomic.h>

#include "classify/class.h"
#include "facts/disk.h"

/*
 * True in a program that udevd started for an event: it puts ACTION, DEVPATH and SEQNUM
 * into the environment, the last of which the kernel alone gives out (systemd,
 * src/udev/udev-event.c; lib/kobject_uevent.c).
 */
bool measure_in_event(void);

/* What one measurement holds; -1: not held. */
struct measure_turn {
	int shared, own;
};

void measure_turn_done(struct measure_turn *turn);

#define _cleanup_turn_ _cleanup_(measure_turn_done)

/*
 * Takes the locks that one measurement holds until measure_turn_done(), since two at once
 * would measure each other: one on the folder /sys/block, which needs no permission and
 * leaves nothing behind; and, if @is_root, one on a file in /run/blkadvise (where that
 * folder is), which nobody else can open. Waits for @wait_ms: -EBUSY if another still has
 * one, -EINTR if *@stop was set. A user who keeps /sys/block keeps root waiting, but not
 * for good: after a wait (not with @wait_ms 0) root goes on without it. Where there are
 * no such locks nothing is held.
 */
int measure_lock(const struct root *root, bool is_root, unsigned int wait_ms,
		 const atomic_bool *stop, struct measure_turn *ret);

/*
 * Whether a measurement of all disks passes this one over, with the reason in @buf: no
 * disk, no medium, asleep, or measured already as its members.
 */
bool measure_passes_over(const struct root *root, const struct disk *disk,
			 const struct disk_class *class, char *buf, size_t size);
