/* SPDX-License-Identifier: MIT */
/*
 * A folder stands for its largest file. It is searched a few levels deep and not for
 * long: whoever has millions of files names one.
 */
#include "measure/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define FOLDER_LEVELS_MAX 4
#define FOLDER_ENTRIES_MAX 20000

struct choice {
	dev_t device;
	size_t entries; /* looked at */
	uint64_t size; /* of the best one */
	bool ours; /* whether it is such that mincore(2) tells the truth about it */
	char *path;
	int fd; /* O_PATH */
};

static void choice_done(struct choice *choice)
{
	free(choice->path);
	close_p(&choice->fd);
}

static void closedir_p(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

/* Bytes that have a place on the disk, as far as the file system's books say. */
static uint64_t bytes_of(const struct stat *st)
{
	uint64_t allocated = (uint64_t)st->st_blocks * 512;

	return allocated < (uint64_t)st->st_size ? allocated : (uint64_t)st->st_size;
}

/* The file that @st told of, and nothing that was put in its place meanwhile. */
static int open_found(int folder, const char *name, const struct stat *st)
{
	int fd = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat now = { 0 };

	if (fd < 0)
		return -errno;
	if (fstat(fd, &now) >= 0 && now.st_dev == st->st_dev && now.st_ino == st->st_ino)
		return fd;
	(void)close(fd);
	return -ESTALE;
}

static int consider(struct choice *choice, int folder, const char *name, const char *path,
		    const struct stat *st)
{
	bool ours = faccessat(folder, name, W_OK, AT_EACCESS) == 0;
	uint64_t size = bytes_of(st);
	char *copy = NULL;
	int fd = -1;

	if (size < FOLDER_FILE_MIN || faccessat(folder, name, R_OK, AT_EACCESS) < 0)
		return 0;
	if (choice->path && (choice->ours > ours ||
			     (choice->ours == ours && choice->size >= size)))
		return 0;
	fd = open_found(folder, name, st);
	if (fd < 0)
		return 0;
	if (asprintf(&copy, "%s/%s", path, name) < 0) {
		(void)close(fd);
		return -ENOMEM;
	}
	choice_done(choice);
	choice->path = copy;
	choice->fd = fd;
	choice->size = size;
	choice->ours = ours;
	return 0;
}

static int search(struct choice *choice, int at, const char *name, const char *path,
		  unsigned int level);

static int look_at(struct choice *choice, int folder, const char *name, const char *path,
		   unsigned int level)
{
	_cleanup_free_ char *below = NULL;
	struct stat st = { 0 };

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    st.st_dev != choice->device)
		return 0;
	if (S_ISREG(st.st_mode))
		return consider(choice, folder, name, path, &st);
	if (!S_ISDIR(st.st_mode) || level + 1 >= FOLDER_LEVELS_MAX)
		return 0;
	if (asprintf(&below, "%s/%s", path, name) < 0)
		return -ENOMEM;
	/* A folder below that cannot be opened is passed over. */
	return search(choice, folder, name, below, level + 1) == -ENOMEM ? -ENOMEM : 0;
}

static int search(struct choice *choice, int at, const char *name, const char *path,
		  unsigned int level)
{
	_cleanup_(closedir_p) DIR *dir = NULL;
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
					  (level > 0 ? O_NOFOLLOW : 0));
	int r = 0;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		(void)close(fd);
		return -ENOMEM;
	}
	for (const struct dirent *entry = readdir(dir);
	     entry && r >= 0 && choice->entries < FOLDER_ENTRIES_MAX;
	     entry = readdir(dir)) {
		choice->entries++;
		r = look_at(choice, dirfd(dir), entry->d_name, path, level);
	}
	return r;
}

int folder_choose(const char *folder, char **ret_path, int *ret_fd)
{
	_cleanup_(choice_done) struct choice choice = { .fd = -1 };
	struct stat st = { 0 };
	size_t len = strlen(folder);
	_cleanup_free_ char *path = NULL;
	int r = 0;

	while (len > 0 && folder[len - 1] == '/')
		len--;
	path = strndup(folder, len);
	if (!path)
		return -ENOMEM;
	if (stat(folder, &st) < 0)
		return -errno;
	choice.device = st.st_dev;
	r = search(&choice, AT_FDCWD, folder, path, 0);
	if (r < 0)
		return r;
	if (!choice.path)
		return -ENOENT;
	*ret_path = steal(choice.path);
	*ret_fd = choice.fd;
	choice.fd = -1;
	return 0;
}
