/* SPDX-License-Identifier: MIT */
/*
 * A captured machine as a umockdev test bed, in which real libudev finds the disks and
 * the helper is called for each as udev would: DEVPATH, ACTION and the properties in the
 * environment. Prints "NAME LINE" for each line of the helper, and afterwards what the
 * disk's readahead is. check-helper decides whether that is right. To be started by
 * umockdev-wrapper.
 *
 * usage: testbed DEVICES ACTION HELPER VERB...
 */
#include <libudev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <umockdev.h>

static void add_property(struct udev_list_entry *property)
{
	const char *key = udev_list_entry_get_name(property);
	const char *value = udev_list_entry_get_value(property);

	(void)setenv(key, value ? value : "", 1);
}

/* libudev takes the device number from a node, and a test bed's nodes are plain files. */
static void set_device_number(struct udev_device *device)
{
	const char *dev = udev_device_get_sysattr_value(device, "dev");
	char number[32];
	char *colon = NULL;

	(void)snprintf(number, sizeof(number), "%s", dev ? dev : "");
	colon = strchr(number, ':');
	if (!colon)
		return;
	*colon = '\0';
	(void)setenv("MAJOR", number, 1);
	(void)setenv("MINOR", colon + 1, 1);
}

/* The child's whole life: the environment of an event, and no other. */
static void run_helper(struct udev_device *device, const char *action, const char *helper,
		       const char *verb)
{
	static const char *const kept[] = { "UMOCKDEV_DIR", "LD_PRELOAD", "ASAN_OPTIONS",
					    "LSAN_OPTIONS", "PATH" };
	char *values[sizeof(kept) / sizeof(kept[0])];
	struct udev_list_entry *property = NULL;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const char *value = getenv(kept[i]);

		values[i] = value ? strdup(value) : NULL;
	}
	(void)clearenv();
	udev_list_entry_foreach(property, udev_device_get_properties_list_entry(device))
		add_property(property);
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (values[i])
			(void)setenv(kept[i], values[i], 1);
	}
	(void)setenv("DEVPATH", udev_device_get_devpath(device), 1);
	set_device_number(device);
	(void)setenv("ACTION", action, 1);
	(void)execl(helper, helper, verb, (char *)NULL);
	_exit(127);
}

/* Returns the helper's exit code. */
static int call_helper(struct udev_device *device, const char *action, const char *helper,
		       const char *verb)
{
	int ends[2] = { -1, -1 };
	char *line = NULL;
	size_t room = 0;
	FILE *output = NULL;
	int status = 0;
	pid_t child = 0;

	if (pipe(ends) < 0)
		return 1;
	child = fork();
	if (child == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		(void)close(ends[0]);
		(void)close(ends[1]);
		run_helper(device, action, helper, verb);
	}
	(void)close(ends[1]);
	output = fdopen(ends[0], "r");
	while (output && getline(&line, &room, output) >= 0)
		(void)printf("%s %s", udev_device_get_sysname(device), line);
	free(line);
	if (output)
		(void)fclose(output);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static const char *name_of(const char *syspath)
{
	const char *slash = strrchr(syspath, '/');

	return slash ? slash + 1 : syspath;
}

static int visit(struct udev *udev, const char *syspath, char **argv)
{
	struct udev_device *device = udev_device_new_from_syspath(udev, syspath);
	const char *devtype = NULL, *value = NULL;
	int code = 0;

	if (!device)
		return 1;
	devtype = udev_device_get_devtype(device);
	for (char **verb = argv + 4; *verb && devtype && strcmp(devtype, "disk") == 0;
	     verb++)
		code |= call_helper(device, argv[2], argv[3], *verb);
	(void)udev_device_unref(device);
	/* A new one, since it keeps what it has read. */
	device = udev_device_new_from_syspath(udev, syspath);
	if (device)
		value = udev_device_get_sysattr_value(device, "queue/read_ahead_kb");
	if (value)
		(void)printf("%s read_ahead_kb=%s\n", name_of(syspath), value);
	if (device)
		(void)udev_device_unref(device);
	return code;
}

int main(int argc, char **argv)
{
	g_autoptr(UMockdevTestbed) bed = umockdev_testbed_new();
	g_autoptr(GError) error = NULL;
	struct udev *udev = udev_new();
	struct udev_enumerate *enumerate = udev ? udev_enumerate_new(udev) : NULL;
	struct udev_list_entry *entry = NULL;
	size_t disks = 0;
	int code = 0;

	if (argc < 5 || !enumerate)
		return 2;
	if (!umockdev_testbed_add_from_file(bed, argv[1], &error)) {
		(void)fprintf(stderr, "%s: %s\n", argv[1], error->message);
		return 1;
	}
	if (udev_enumerate_add_match_subsystem(enumerate, "block") < 0 ||
	    udev_enumerate_scan_devices(enumerate) < 0)
		return 1;
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(enumerate)) {
		code |= visit(udev, udev_list_entry_get_name(entry), argv);
		disks++;
	}
	(void)udev_enumerate_unref(enumerate);
	(void)udev_unref(udev);
	(void)fflush(stdout);
	return disks == 0 ? 1 : code;
}
