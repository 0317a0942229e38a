/* SPDX-License-Identifier: MIT */
/*
 * The program that the udev rules call, once or twice for each event, so it is linked
 * to libc alone and does its work in a few milliseconds.
 *
 *	classify	IMPORT{program}: prints what does not change while the disk lives
 *	apply		RUN: writes what differs from the policy, publishes the record
 *	withdraw	RUN on remove: takes record and memory away
 *	nvme		RUN when a controller came back from a reset: its disks again
 *
 * It exits 0 whatever happened: an event must not fail because of us. A write to a queue
 * freezes it and waits for the I/O in flight, so writing is left to a child, for which
 * the parent waits 2 s at most. The disk's lock goes to the child; while a stuck one
 * holds it, nobody of us reads that queue's attributes, which would block as well.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/log.h"
#include "base/paths.h"
#include "base/text.h"
#include "survey/survey.h"

#define WRITER_WAIT_MS 2000
#define LOCK_WAIT_MS 500
#define NVME_SCAN_MS 1000
#define KERNEL_DEFAULT_MS 100 /* the kernel sets read_ahead_kb just after the add event */

struct helper {
	struct root *root;
	struct properties properties;
	struct context context;
	char syspath[ROOT_PATH_MAX]; /* of the event's device */
	char database[8192]; /* udev's file of another device, read last */
};

/*
 * A property of a device that the event is not about, such as a disk below a stack: from
 * udev's database file for it, whose lines are "E:KEY=value".
 */
static const char *database_property(struct helper *helper, const char *syspath,
				     const char *key)
{
	char path[ROOT_PATH_MAX], devnum[32], line[64], *value = NULL;

	if (path_join(path, sizeof(path), syspath, "dev") < 0 ||
	    root_read(helper->root, path, devnum, sizeof(devnum), NULL) < 0)
		return NULL;
	devnum[strcspn(devnum, "\n")] = '\0';
	(void)snprintf(path, sizeof(path), "/run/udev/data/b%s", devnum);
	if (root_read(helper->root, path, helper->database, sizeof(helper->database),
		      NULL) < 0)
		return NULL;
	(void)snprintf(line, sizeof(line), "\nE:%s=", key);
	value = strstr(helper->database, line);
	if (!value)
		return NULL;
	value += strlen(line);
	value[strcspn(value, "\n")] = '\0';
	return value;
}

static const char *event_property(void *context, const char *syspath, const char *key)
{
	struct helper *helper = context;

	if (strcmp(syspath, helper->syspath) == 0)
		return getenv(key);
	return database_property(helper, syspath, key);
}

static int helper_open(struct helper *helper)
{
	const char *devpath = getenv("DEVPATH");
	int r = 0;

	if (!devpath || devpath[0] != '/' ||
	    strlen(devpath) + strlen("/sys") >= sizeof(helper->syspath)) {
		log_error("no DEVPATH in the environment: to be called by udev only");
		return -EINVAL;
	}
	(void)snprintf(helper->syspath, sizeof(helper->syspath), "/sys%s", devpath);
	helper->properties = (struct properties){ event_property, helper };
	r = root_new("/", &helper->root);
	if (r < 0)
		return r;
	return 0;
}

/* One line a file: a broken one may have thousands of problems, with each event. */
static void log_problems(const struct context *context)
{
	const struct ini_problems *problems = &context->problems;

	for (size_t i = 0; i < problems->n; i++) {
		const struct ini_problem *problem = &problems->list[i];

		if (i > 0 && strcmp(problem->file, problems->list[i - 1].file) == 0)
			continue;
		log_warning("%s:%u: %s (%s)", problem->file, problem->line, problem->text,
			    context->cautious ?
				    "nothing is written until this is mended" :
				    "file ignored");
	}
}

static int helper_load(struct helper *helper)
{
	int r = context_load(helper->root, helper->root, NULL, &helper->properties,
			     &helper->context);

	if (r < 0)
		return r;
	/* /var may lie on the very disk that this event is to announce. */
	helper->context.measured_in = PATH_MEASUREMENTS_COPIES;
	log_problems(&helper->context);
	return 0;
}

static void helper_close(struct helper *helper)
{
	context_done(&helper->context);
	(void)root_free(helper->root);
}

static bool event_key(char *buf, size_t size)
{
	const char *major = getenv("MAJOR"), *minor = getenv("MINOR");

	return major && minor && is_safe_value(major) && is_safe_value(minor) &&
	       (size_t)snprintf(buf, size, "%s:%s", major, minor) < size;
}

static void print_property(const char *key, const char *value)
{
	(void)printf(RECORD_PREFIX "%s=%s\n", key, value);
}

static int verb_classify(struct helper *helper)
{
	static const char *const folders[] = PATH_QUIRK_FOLDERS;
	_cleanup_quirks_ struct quirks *quirks = NULL;
	_cleanup_disk_ struct disk *disk = NULL;
	struct ini_problems problems = { 0 };
	struct disk_class class = { 0 };
	char key[64];
	int r = 0;

	if (event_key(key, sizeof(key)) &&
	    state_is_locked(helper->root, key, LOCK_WAIT_MS))
		return -ETIMEDOUT;
	r = quirks_load(helper->root, folders, &problems,
			&quirks); /* `apply` warns of problems */
	ini_problems_done(&problems);
	if (r == 0)
		r = disk_probe(helper->root, helper->syspath, &helper->properties, &disk);
	if (r < 0)
		return r;
	if (disk_is_ignored(&disk->facts))
		return 0;
	quirks_correct_disk(quirks, disk);
	classify(disk, &class);
	print_property("CLASS", class_to_string(class.class));
	if (class.transport != TRANSPORT_UNKNOWN)
		print_property("TRANSPORT", transport_to_string(class.transport));
	print_property("MEDIUM", medium_to_string(class.medium));
	if (class.attachment != ATTACHMENT_UNKNOWN)
		print_property("ATTACHMENT", attachment_to_string(class.attachment));
	if (class.ncq != NCQ_UNKNOWN)
		print_property("NCQ", ncq_to_string(class.ncq));
	return 0;
}

static void log_applied(const struct survey *survey, const struct applied *applied,
			void *context)
{
	char line[512];

	(void)context;
	applied_format(survey->disk, applied, line, sizeof(line));
	log_line(applied_took(applied) ? LOG_LEVEL_INFO : LOG_LEVEL_WARNING, "%s", line);
}

/* Once, not with each of a storm of events. */
static void log_rivals(struct survey *survey, const struct helper *helper)
{
	bool told = false;

	for (size_t i = 0; i < _TUNABLE_MAX; i++) {
		const struct change *change = &survey->plan.changes[i];
		struct tunable_state *memory = &survey->memory.state.tunables[i];

		if (change->outcome != OUTCOME_RIVAL || memory->rival_told)
			continue;
		log_warning("%s: %s is %s again: %s",
			    facts_text(&survey->disk->facts, FACT_NAME),
			    tunable_to_string(change->tunable), change->current,
			    change->obstacle);
		told = memory->rival_told = true;
	}
	if (told)
		(void)state_save(helper->root, &survey->memory);
	for (size_t i = 0; i < survey->n_paths; i++)
		log_rivals(survey->paths[i], helper);
}

static void publish(const struct helper *helper, const struct survey *survey)
{
	int r = survey_publish(&helper->context, survey);

	if (r < 0 && r != -ENODATA && r != -ENODEV)
		log_error("%s: cannot publish the record: %s",
			  facts_text(&survey->disk->facts, FACT_NAME), strerror(-r));
}

/* The event is the kernel's own announcement, not a trigger's or a coldplug's. */
static bool is_genuine_add(void)
{
	const char *action = getenv("ACTION");

	return action && strcmp(action, "add") == 0 && !getenv("SYNTH_UUID");
}

static int write_settings(struct helper *helper, struct survey **survey)
{
	struct timespec pause = { .tv_nsec = KERNEL_DEFAULT_MS * 1000000L };
	struct survey *newer = NULL;
	int r = 0;

	if (!is_genuine_add())
		return survey_apply(&helper->context, survey, TUNABLE_SCHEDULER,
				    TUNABLE_READ_AHEAD_KB, log_applied, NULL);
	r = survey_apply(&helper->context, survey, TUNABLE_SCHEDULER,
			 TUNABLE_MAX_SECTORS_KB, log_applied, NULL);
	(void)nanosleep(&pause, NULL);
	if (r < 0)
		return r;
	r = survey_disk(&helper->context, (*survey)->disk->syspath, &newer);
	if (r < 0)
		return r;
	(void)survey_free(*survey);
	*survey = newer;
	return survey_apply(&helper->context, survey, TUNABLE_READ_AHEAD_KB,
			    TUNABLE_READ_AHEAD_KB, log_applied, NULL);
}

/* The child's whole life. */
static int writer(struct helper *helper, struct survey **survey)
{
	int r = write_settings(helper, survey);

	if (r < 0 && r != -ENOENT && r != -ENODEV)
		log_error("%s: %s", facts_text(&(*survey)->disk->facts, FACT_NAME),
			  strerror(-r));
	log_rivals(*survey, helper);
	publish(helper, *survey);
	return 0;
}

/* True if the child did all its work in time. A stuck one is left to the kernel. */
static bool wait_for_writer(pid_t child, int ended)
{
	struct pollfd poll_fd = { .fd = ended, .events = POLLIN };
	int n = 0, status = 0;

	do
		n = poll(&poll_fd, 1, WRITER_WAIT_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0) {
		log_warning("a write did not return within %d ms; the record tells what "
			    "stood before",
			    WRITER_WAIT_MS);
		return false;
	}
	if (waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	    WEXITSTATUS(status) == 0)
		return true;
	log_error("the writer died (status 0x%x)", (unsigned int)status);
	return false;
}

static bool needs_writer(const struct survey *survey)
{
	size_t n = plan_count(&survey->plan);

	for (size_t i = 0; i < survey->n_paths; i++)
		n += plan_count(&survey->paths[i]->plan);
	return n > 0 || is_genuine_add();
}

static int run_writer(struct helper *helper, struct survey **survey)
{
	int ended[2] = { -1, -1 };
	pid_t child = 0;
	bool in_time = false;

	if (pipe(ended) < 0) {
		publish(helper, *survey);
		return -errno;
	}
	child = fork();
	if (child == 0) {
		(void)close(ended[0]);
		_exit(writer(helper, survey));
	}
	(void)close(ended[1]); /* the child's end closes when it ends */
	in_time = child > 0 && wait_for_writer(child, ended[0]);
	(void)close(ended[0]);
	if (!in_time)
		publish(helper, *survey);
	return child < 0 ? -EAGAIN : 0;
}

static int apply_disk(struct helper *helper, const char *syspath, const char *key)
{
	_cleanup_close_ int lock = -1;
	_cleanup_survey_ struct survey *survey = NULL;
	int r = state_lock(helper->root, key, LOCK_WAIT_MS, &lock);

	if (r == -ETIMEDOUT) {
		log_warning("%s: another writer is still at work", key);
		return 0;
	}
	if (r < 0)
		log_error("%s: cannot lock: %s", key, strerror(-r));
	r = survey_disk(&helper->context, syspath, &survey);
	if (r < 0 || disk_is_ignored(&survey->disk->facts))
		return r;
	if (lock >= 0)
		(void)survey_settle(&helper->context, survey);
	if (lock >= 0 && needs_writer(survey))
		return run_writer(helper, &survey);
	log_rivals(survey, helper);
	publish(helper, survey);
	return 0;
}

static int verb_apply(struct helper *helper)
{
	char key[64];
	int r = helper_load(helper);

	if (r < 0)
		return r;
	if (!event_key(key, sizeof(key)))
		return -EINVAL;
	return apply_disk(helper, helper->syspath, key);
}

/*
 * A disk that has become empty (a card pulled, nbd disconnected) loses its record; one
 * that is gone loses its memory as well.
 */
static int verb_withdraw(struct helper *helper)
{
	_cleanup_close_ int lock = -1;
	const char *action = getenv("ACTION");
	bool gone = action && strcmp(action, "remove") == 0;
	char key[64];
	int r = 0;

	if (!event_key(key, sizeof(key)))
		return -EINVAL;
	(void)state_lock(helper->root, key, LOCK_WAIT_MS, &lock);
	r = record_withdraw(helper->root, key, gone ? getenv("DISKSEQ") : NULL);
	if (r < 0 || r == 2) /* the number has a new owner already */
		return r;
	return gone ? state_remove(helper->root, key) : 0;
}

/* The disk hangs on the controller of the event, directly or as a multipath head. */
static bool is_disk_of_controller(const struct helper *helper, const char *syspath)
{
	size_t len = strlen(helper->syspath);
	char folder[ROOT_PATH_MAX], link[ROOT_PATH_MAX];

	if (strncmp(syspath, helper->syspath, len) == 0 && syspath[len] == '/')
		return true;
	if (!strstr(syspath, "/nvme-subsystem/"))
		return false;
	strcpy(folder, syspath);
	return path_up(folder) &&
	       path_join(link, sizeof(link), folder, path_name(helper->syspath)) == 0 &&
	       root_exists(helper->root, link);
}

/*
 * A reset announces itself before the kernel has looked at the namespaces again, which is
 * what resets their values (drivers/nvme/host/core.c, nvme_start_ctrl). Wait for that,
 * then have udev treat each disk as changed, with all its properties and rules.
 */
static int verb_nvme(struct helper *helper)
{
	_cleanup_names_ struct names disks = { 0 };
	struct timespec pause = { .tv_sec = NVME_SCAN_MS / 1000,
				  .tv_nsec = NVME_SCAN_MS % 1000 * 1000000L };
	int r = 0;

	(void)nanosleep(&pause, NULL);
	r = disk_list(helper->root, &disks);
	for (size_t i = 0; r == 0 && i < disks.n; i++) {
		int error = 0;

		if (!is_disk_of_controller(helper, disks.list[i]))
			continue;
		error = apply_announce(helper->root, disks.list[i]);
		if (error < 0)
			log_error("%s: no event: %s", path_name(disks.list[i]),
				  strerror(-error));
	}
	return r;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct helper *helper);
	} verbs[] = {
		{ "classify", verb_classify },
		{ "apply", verb_apply },
		{ "withdraw", verb_withdraw },
		{ "nvme", verb_nvme },
	};
	struct helper helper = { 0 };
	int r = -EINVAL;

	(void)signal(SIGPIPE, SIG_IGN);
	log_to_system(true);
	for (size_t i = 0; argc == 2 && i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(argv[1], verbs[i].name) != 0)
			continue;
		r = helper_open(&helper);
		if (r == 0)
			r = verbs[i].run(&helper);
		if (r < 0 && r != -ENOENT && r != -ENODEV)
			log_error("%s %s: %s", verbs[i].name, helper.syspath,
				  strerror(-r));
		helper_close(&helper);
		return 0;
	}
	log_error("usage: classify | apply | withdraw | nvme (see blkadvise(8))");
	return 0;
}
