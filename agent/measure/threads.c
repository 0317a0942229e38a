/* SPDX-License-Identifier: MIT */
/*
 * The pool of threads: as many as the depth, each with one pread(2), pwrite(2) or page
 * fault in flight. It is what there is for reads through the page cache, and for direct
 * ones where io_uring is not allowed.
 *
 * A thread that waits for a disk that hangs is in an uninterruptible sleep in the kernel:
 * nothing here can stop it, and the run ends when the kernel gives the operation up.
 */
#include "measure/runner.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "base/cleanup.h"

#define STACK_SIZE (128 * 1024)
#define LOOK_NS 5000000 /* between two looks at what was brought in */

struct pool {
	const struct run *run;
	struct order *order;
	const struct buffers *buffers;
	struct mapping mapping;
	struct hinted hinted;
	int fd;
	bool writes;
	pthread_mutex_t lock;
	pthread_cond_t go;
	enum { POOL_WAITS, POOL_RUNS, POOL_ENDS } state;
	struct span span; /* set before the state is POOL_RUNS */
	_Atomic int error; /* the first one */
	atomic_bool full; /* nothing more is to be brought into the page cache */
	_Atomic uint32_t at_work; /* threads */
};

struct worker {
	struct pool *pool;
	pthread_t thread;
	uint32_t slot;
	struct tally tally;
};

static void pool_fail(struct pool *pool, int error)
{
	int none = 0;

	(void)atomic_compare_exchange_strong(&pool->error, &none, error);
}

static bool reaches_bound(struct pool *pool)
{
	uint64_t n = atomic_load(&pool->order->next);

	return pool->run->bytes_max > 0 &&
	       n * pool->order->blocks.size >= pool->run->bytes_max;
}

/*
 * What the kernel did not do at once is asked for again from the next aligned place on.
 * Nothing at all: the file has become shorter.
 */
static int transfer(const struct worker *worker, uint64_t offset)
{
	const struct pool *pool = worker->pool;
	unsigned char *buffer = buffers_at(pool->buffers, worker->slot);
	uint32_t size = pool->order->blocks.size, done = 0;
	uint32_t alignment = pool->run->target->alignment;
	unsigned int tries = 0;

	if (pool->writes)
		buffers_stamp(buffer, size, offset ^ worker->tally.latencies.n << 40);
	while (done < size) {
		off_t at = (off_t)(offset + done);
		size_t left = size - done;
		ssize_t n = pool->writes ? pwrite(pool->fd, buffer + done, left, at) :
					   pread(pool->fd, buffer + done, left, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n < 0 && ++tries <= RUNNER_TRIES) {
			runner_nap();
			continue;
		}
		if (n > 0 && (size_t)n < left)
			n -= n % (alignment > 0 ? alignment : 1);
		if (n <= 0)
			return -EIO;
		done += (uint32_t)n;
	}
	return 0;
}

static int operate(const struct worker *worker, uint64_t offset)
{
	const struct pool *pool = worker->pool;

	if (pool->run->mode != IO_MODE_MMAP)
		return transfer(worker, offset);
	mapping_touch(&pool->mapping, offset, pool->order->blocks.size);
	return 0;
}

static void work(void *context)
{
	struct worker *worker = context;
	struct pool *pool = worker->pool;
	uint64_t began = clock_ns(CLOCK_MONOTONIC), ended = 0;

	do {
		int r = operate(worker, order_next(pool->order));

		if (r < 0) {
			pool_fail(pool, r);
			return;
		}
		ended = clock_ns(CLOCK_MONOTONIC);
		tally_add(&worker->tally, &pool->span, began, ended);
		began = ended;
		if (ended < pool->span.deadline && run_is_stopped(pool->run))
			pool_fail(pool, -EINTR);
		if (reaches_bound(pool))
			atomic_store(&pool->full, true);
	} while (ended < pool->span.deadline && atomic_load(&pool->error) == 0 &&
		 !atomic_load(&pool->full));
}

/* Signals are for the thread that started the run; but for SIGBUS, which is our own. */
static void block_signals(void)
{
	sigset_t set;

	(void)sigfillset(&set);
	(void)sigdelset(&set, SIGBUS);
	(void)pthread_sigmask(SIG_SETMASK, &set, NULL);
}

static void *worker_main(void *context)
{
	struct worker *worker = context;
	struct pool *pool = worker->pool;
	bool runs = false;

	block_signals();
	(void)pthread_mutex_lock(&pool->lock);
	while (pool->state == POOL_WAITS)
		(void)pthread_cond_wait(&pool->go, &pool->lock);
	runs = pool->state == POOL_RUNS;
	(void)pthread_mutex_unlock(&pool->lock);
	if (!runs)
		return NULL;
	if (pool->run->mode != IO_MODE_MMAP)
		work(worker);
	else if (bus_errors_catch(work, worker) < 0)
		pool_fail(pool, -EIO);
	worker->tally.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	worker->tally.cpu_all_ns = worker->tally.cpu_ns;
	(void)atomic_fetch_sub(&pool->at_work, 1);
	return NULL;
}

static void pool_start(struct pool *pool, bool runs)
{
	(void)pthread_mutex_lock(&pool->lock);
	pool->span.start = clock_ns(CLOCK_MONOTONIC);
	pool->span.deadline = pool->span.start + pool->run->duration_ms * 1000000ULL;
	pool->state = runs ? POOL_RUNS : POOL_ENDS;
	(void)pthread_cond_broadcast(&pool->go);
	(void)pthread_mutex_unlock(&pool->lock);
}

/* Readahead brings in more than is asked for, so this is not for the threads to count. */
static void pool_look_on(struct pool *pool)
{
	const struct run *run = pool->run;

	while (run->is_full && atomic_load(&pool->at_work) > 0 &&
	       !atomic_load(&pool->full) &&
	       clock_ns(CLOCK_MONOTONIC) < pool->span.deadline) {
		(void)nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
		if (run->is_full(run->context))
			atomic_store(&pool->full, true);
	}
}

static int pool_run(struct pool *pool, struct worker *workers)
{
	uint32_t depth = pool->run->depth, n = 0;
	size_t least = (size_t)PTHREAD_STACK_MIN;
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes) != 0)
		return -ENOMEM;
	(void)pthread_attr_setstacksize(&attributes,
					least > STACK_SIZE ? least : STACK_SIZE);
	for (n = 0; n < depth; n++) {
		workers[n].pool = pool;
		workers[n].slot = n;
		if (pthread_create(&workers[n].thread, &attributes, worker_main,
				   &workers[n]) != 0)
			break;
	}
	(void)pthread_attr_destroy(&attributes);
	atomic_store(&pool->at_work, n);
	pool_start(pool, n == depth);
	if (n == depth)
		pool_look_on(pool);
	for (uint32_t i = 0; i < n; i++)
		(void)pthread_join(workers[i].thread, NULL);
	return n == depth ? atomic_load(&pool->error) : -EAGAIN;
}

static int pool_open(struct pool *pool)
{
	const struct run *run = pool->run;
	int r = 0;

	pool->fd = run_fd(run);
	switch (run->mode) {
	case IO_MODE_MMAP:
		return mapping_make(run, &pool->mapping);
	case IO_MODE_BUFFERED:
		r = hinted_open(pool->fd, run->hint, &pool->hinted);
		if (r == 0)
			pool->fd = pool->hinted.fd;
		return r;
	case IO_MODE_DIRECT:
	case _IO_MODE_MAX:
		break;
	}
	return 0;
}

static void pool_close(struct pool *pool)
{
	mapping_free(&pool->mapping);
	hinted_close(&pool->hinted);
	(void)pthread_cond_destroy(&pool->go);
	(void)pthread_mutex_destroy(&pool->lock);
}

int threads_run(const struct run *run, struct order *order, const struct buffers *buffers,
		struct span *ret_span, struct tally *ret)
{
	_cleanup_(pool_close) struct pool pool = {
		.run = run, .order = order, .buffers = buffers, .hinted.fd = -1,
		.writes = run_writes(run),
	};
	_cleanup_free_ struct worker *workers = calloc(run->depth, sizeof(*workers));
	int r = 0;

	(void)pthread_mutex_init(&pool.lock, NULL);
	(void)pthread_cond_init(&pool.go, NULL);
	if (!workers)
		return -ENOMEM;
	r = pool_open(&pool);
	if (r < 0)
		return r;
	if (run->mode == IO_MODE_MMAP)
		bus_errors_begin();
	r = pool_run(&pool, workers);
	if (run->mode == IO_MODE_MMAP)
		bus_errors_end();
	if (r < 0)
		return r;
	*ret_span = pool.span;
	for (uint32_t i = 0; i < run->depth; i++)
		tally_merge(ret, &workers[i].tally);
	/* The time was not up: the run was over with its last operation. */
	if (atomic_load(&pool.full) && ret->counted > 0 && ret->late == 0)
		ret_span->deadline = ret->last;
	return 0;
}
