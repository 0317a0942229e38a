/* SPDX-License-Identifier: MIT */
/*
 * What has to hold before a measurement begins: that it is not part of a udev event, that
 * no other is at work, and that the disk is worth one. Nothing here opens a disk.
 */
#pragma once

#include "classify/class.h"
#include "facts/disk.h"

/*
 * True in a program that udevd started for an event: it puts ACTION, DEVPATH and SEQNUM
 * into the environment, the last of which the kernel alone gives out (systemd,
 * src/udev/udev-event.c; lib/kobject_uevent.c).
 */
bool measure_in_event(void);

/*
 * Takes the lock that one measurement holds until *@ret_fd is closed, since two at once
 * would measure each other. It is on the folder /sys/block, which needs no permission and
 * leaves nothing behind. Waits for @wait_ms: -EBUSY if another still has it, -EINTR if
 * *@stop was set. Where there are no such locks, *@ret_fd is -1 and nothing is held.
 */
int measure_lock(unsigned int wait_ms, const volatile bool *stop, int *ret_fd);

/*
 * Whether a measurement of all disks passes this one over, with the reason in @buf: no
 * disk, no medium, asleep, or measured already as its members.
 */
bool measure_passes_over(const struct root *root, const struct disk *disk,
			 const struct disk_class *class, char *buf, size_t size);
