/* SPDX-License-Identifier: MIT */
/*
 * A captured machine as a umockdev test bed, in which real libudev finds the disks and
 * the helper is called for each as udev would: DEVPATH, ACTION and the properties in the
 * environment; for the verb "nvme", for each NVMe controller. Prints "NAME LINE" for each
 * line of the helper, and afterwards what each disk's readahead is, and the word that
 * stands in its uevent file if one was written. check-helper decides whether that is
 * right. To be started by umockdev-wrapper.
 *
 * With TESTBED_KILL_WRITER in the environment the helper's child is killed as soon as
 * there is one.
 *
 * A verb "read_ahead_kb=VALUE" sets each disk's readahead, as a kernel or a person would.
 *
 * usage: testbed DEVICES ACTION HELPER VERB...
 */
#include <libudev.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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
	/* Read while UMOCKDEV_DIR still says where. */
	struct udev_list_entry *all = udev_device_get_properties_list_entry(device);
	struct udev_list_entry *property = NULL;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const char *value = getenv(kept[i]);

		values[i] = value ? strdup(value) : NULL;
	}
	(void)clearenv();
	udev_list_entry_foreach(property, all)
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

/* The first child of @parent, or 0. */
static pid_t child_of(pid_t parent)
{
	char path[64];
	int child = 0;
	FILE *file = NULL;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)parent,
		       (int)parent);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%d", &child) != 1)
		child = 0;
	(void)fclose(file);
	return child;
}

static void kill_writer(pid_t helper)
{
	const struct timespec step = { .tv_nsec = 200000 };

	for (int tries = 0; tries < 20000; tries++) {
		pid_t writer = child_of(helper);
		siginfo_t info = { 0 };

		if (writer > 0) {
			(void)kill(writer, SIGKILL);
			return;
		}
		if (waitid(P_PID, (id_t)helper, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid == helper)
			return;
		(void)nanosleep(&step, NULL);
	}
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
	if (child > 0 && getenv("TESTBED_KILL_WRITER"))
		kill_writer(child);
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

/* libudev keeps what it has read, and reads uevent for itself; so does this, apart. */
static void print_attribute(const char *syspath, const char *attribute, const char *label)
{
	char path[4096], text[64] = "";
	FILE *file = NULL;

	(void)snprintf(path, sizeof(path), "%s/%s", syspath, attribute);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(text, sizeof(text), file) && !strchr(text, '='))
		(void)printf("%s %s=%.*s\n", name_of(syspath), label,
			     (int)strcspn(text, "\n"), text);
	(void)fclose(file);
}

static int set_read_ahead(const char *syspath, const char *value)
{
	char path[4096];
	FILE *file = NULL;
	bool written = false;

	(void)snprintf(path, sizeof(path), "%s/queue/read_ahead_kb", syspath);
	file = fopen(path, "we");
	if (!file)
		return 1;
	written = fprintf(file, "%s\n", value) > 0;
	return fclose(file) == 0 && written ? 0 : 1;
}

/* Calls the helper for the verbs that are about devices of @subsystem. */
static int visit(struct udev *udev, const char *subsystem, const char *syspath,
		 char **argv)
{
	struct udev_device *device = udev_device_new_from_syspath(udev, syspath);
	const char *devtype = NULL;
	int code = 0;

	if (!device)
		return 1;
	devtype = udev_device_get_devtype(device);
	for (char **verb = argv + 4; *verb; verb++) {
		bool disk = devtype && strcmp(devtype, "disk") == 0;
		const char *wanted = strcmp(*verb, "nvme") == 0 ? "nvme" : "block";

		if (strcmp(subsystem, wanted) != 0 ||
		    (strcmp(wanted, "block") == 0 && !disk))
			continue;
		if (strncmp(*verb, "read_ahead_kb=", 14) == 0)
			code |= set_read_ahead(syspath, *verb + 14);
		else
			code |= call_helper(device, argv[2], argv[3], *verb);
	}
	(void)udev_device_unref(device);
	return code;
}

/* Returns the number of devices of @subsystem. With @print it only prints their state. */
static size_t visit_all(struct udev *udev, const char *subsystem, char **argv, bool print,
			int *ret_code)
{
	struct udev_enumerate *enumerate = udev_enumerate_new(udev);
	struct udev_list_entry *entry = NULL;
	size_t n = 0;

	if (!enumerate || udev_enumerate_add_match_subsystem(enumerate, subsystem) < 0 ||
	    udev_enumerate_scan_devices(enumerate) < 0)
		return 0;
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(enumerate)) {
		const char *syspath = udev_list_entry_get_name(entry);

		n++;
		if (!print) {
			*ret_code |= visit(udev, subsystem, syspath, argv);
			continue;
		}
		print_attribute(syspath, "queue/read_ahead_kb", "read_ahead_kb");
		print_attribute(syspath, "uevent", "uevent");
	}
	(void)udev_enumerate_unref(enumerate);
	return n;
}

int main(int argc, char **argv)
{
	g_autoptr(UMockdevTestbed) bed = umockdev_testbed_new();
	g_autoptr(GError) error = NULL;
	struct udev *udev = udev_new();
	size_t disks = 0;
	int code = 0;

	if (argc < 5 || !udev)
		return 2;
	if (!umockdev_testbed_add_from_file(bed, argv[1], &error)) {
		(void)fprintf(stderr, "%s: %s\n", argv[1], error->message);
		return 1;
	}
	disks = visit_all(udev, "block", argv, false, &code);
	(void)visit_all(udev, "nvme", argv, false, &code);
	(void)visit_all(udev, "block", argv, true, &code);
	(void)udev_unref(udev);
	(void)fflush(stdout);
	return disks == 0 ? 1 : code;
}
