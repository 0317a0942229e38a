/* SPDX-License-Identifier: MIT */
/*
 * The least that a program of a udev rule can do with libudev: one device, one property.
 * What the helper is measured against.
 *
 * usage: udev-minimal SYSPATH
 */
#include <stdio.h>

#include <libudev.h>

int main(int argc, char *argv[])
{
	struct udev *udev = udev_new();
	struct udev_device *device = NULL;
	const char *name = NULL;

	if (udev && argc == 2)
		device = udev_device_new_from_syspath(udev, argv[1]);
	if (device)
		name = udev_device_get_property_value(device, "DEVNAME");
	if (name)
		(void)printf("DEVNAME=%s\n", name);
	(void)udev_device_unref(device);
	(void)udev_unref(udev);
	return name ? 0 : 1;
}
