/* SPDX-License-Identifier: MIT */
/*
 * The io_uring engine: one thread keeps as many direct operations in flight as the depth
 * says. Completions are taken in batches, as they come. Each operation is submitted at
 * once and by itself: held back until a batch is full, the disk idles meanwhile. On a
 * virtio disk, at a depth of 16, that costs a tenth of what it does (fio(1) submits one
 * by one too).
 *
 * Errors of setting up mean that the engine is not to be had: not in this kernel,
 * switched off (kernel.io_uring_disabled), filtered, or no memory to lock for it, which
 * kernels before 5.12 charge to RLIMIT_MEMLOCK. Errors of an operation are the disk's.
 */
#include "measure/runner.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define WAIT_NS 50000000 /* after which `stop` is looked at */
#define GRACE_NS 1000000000ULL /* for what is in flight, once we have been stopped */
#define REFUSALS_MAX 5000 /* of a kernel without memory for requests, 1 ms apart */
#define ENTRIES_MAX 32768
#define BATCH 64 /* completions with one look at the clock */
#define SPARE 8 /* entries: liburing takes one for a timeout on kernels before 5.11 */

struct slot {
	uint64_t offset, began;
	uint32_t done;
	unsigned int tries;
};

struct engine {
	const struct run *run;
	struct order *order;
	const struct buffers *buffers;
	struct io_uring ring;
	bool has_ring, has_fixed_file, has_fixed_buffers;
	struct slot *slots;
	int fd;
	bool writes;
	uint32_t in_flight;
	uint64_t sequence;
	struct span span;
	struct tally *tally;
	int error; /* the first one; nothing is begun any more */
	bool naps; /* before it asks again */
	unsigned int refusals; /* to wait, in a row */
	uint64_t stopped_at; /* 0: not stopped */
	uint64_t patience_ns, last; /* when something came back */
};

static void engine_close(struct engine *engine)
{
	if (engine->has_ring)
		io_uring_queue_exit(&engine->ring);
	free(engine->slots);
}

static int setup_error(int error)
{
	switch (error) {
	case -EINVAL: /* even without any flag */
		return -ENOSYS;
	case -EACCES:
	case -ENOMEM:
		return -EPERM;
	default:
		return error;
	}
}

/* Flags that spare work, newest first. A kernel that does not know them says EINVAL. */
static int ring_open(struct io_uring *ring, unsigned int entries)
{
	static const unsigned int flags[] = {
#ifdef IORING_SETUP_DEFER_TASKRUN
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, /* 6.1 */
#endif
#ifdef IORING_SETUP_COOP_TASKRUN
		IORING_SETUP_COOP_TASKRUN, /* 5.19 */
#endif
		0,
	};
	int r = -EINVAL;

	for (size_t i = 0; i < ARRAY_SIZE(flags) && r == -EINVAL; i++)
		r = io_uring_queue_init(entries, ring, flags[i]);
	return r < 0 ? setup_error(r) : 0;
}

/* Plain reads and writes came with 5.6, as did the question for them. */
static int ring_check(struct io_uring *ring)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
	bool knows = probe && io_uring_opcode_supported(probe, IORING_OP_READ) &&
		     io_uring_opcode_supported(probe, IORING_OP_WRITE);

	if (probe)
		io_uring_free_probe(probe);
	return knows ? 0 : -ENOSYS;
}

/* Both spare work for each operation; neither is needed. */
static void ring_register(struct engine *engine)
{
	uint32_t depth = engine->run->depth;
	_cleanup_free_ struct iovec *vectors = calloc(depth, sizeof(*vectors));

	engine->has_fixed_file =
		io_uring_register_files(&engine->ring, &engine->fd, 1) == 0;
	if (!vectors)
		return;
	for (uint32_t i = 0; i < depth; i++) {
		vectors[i].iov_base = buffers_at(engine->buffers, i);
		vectors[i].iov_len = engine->order->blocks.size;
	}
	engine->has_fixed_buffers =
		io_uring_register_buffers(&engine->ring, vectors, depth) == 0;
}

static int engine_open(struct engine *engine)
{
	uint32_t depth = engine->run->depth;
	int r = 0;

	if (depth > ENTRIES_MAX - SPARE)
		return -EINVAL;
	engine->slots = calloc(depth, sizeof(*engine->slots));
	if (!engine->slots)
		return -ENOMEM;
	r = ring_open(&engine->ring, depth + SPARE);
	if (r < 0)
		return r;
	engine->has_ring = true;
	r = ring_check(&engine->ring);
	if (r == 0)
		ring_register(engine);
	return r;
}

static void fail(struct engine *engine, int error)
{
	if (engine->error == 0)
		engine->error = error;
}

static void prepare(const struct engine *engine, uint32_t number,
		    struct io_uring_sqe *sqe)
{
	const struct slot *slot = &engine->slots[number];
	unsigned char *buffer = buffers_at(engine->buffers, number) + slot->done;
	unsigned int size = engine->order->blocks.size - slot->done;
	int fd = engine->has_fixed_file ? 0 : engine->fd;
	uint64_t at = slot->offset + slot->done;

	if (engine->has_fixed_buffers && engine->writes)
		io_uring_prep_write_fixed(sqe, fd, buffer, size, at, (int)number);
	else if (engine->has_fixed_buffers)
		io_uring_prep_read_fixed(sqe, fd, buffer, size, at, (int)number);
	else if (engine->writes)
		io_uring_prep_write(sqe, fd, buffer, size, at);
	else
		io_uring_prep_read(sqe, fd, buffer, size, at);
	if (engine->has_fixed_file)
		io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data64(sqe, number);
}

static void submit(struct engine *engine, uint32_t number)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&engine->ring);

	if (!sqe) {
		fail(engine, -EBUSY);
		return;
	}
	prepare(engine, number, sqe);
	engine->in_flight++;
	/* What it does not take now, wait_for_one() submits, and sees the error. */
	(void)io_uring_submit(&engine->ring);
}

static void begin(struct engine *engine, uint32_t number)
{
	struct slot *slot = &engine->slots[number];

	*slot = (struct slot){ .offset = order_next(engine->order) };
	if (engine->writes)
		buffers_stamp(buffers_at(engine->buffers, number),
			      engine->order->blocks.size,
			      slot->offset ^ engine->sequence++ << 40);
	slot->began = clock_ns(CLOCK_MONOTONIC);
	submit(engine, number);
}

/*
 * Takes one completion. What was done in part is continued from the next aligned place
 * on; nothing at all means that the file has become shorter.
 */
static void complete(struct engine *engine, uint32_t number, int result, uint64_t now)
{
	struct slot *slot = &engine->slots[number];
	uint32_t left = engine->order->blocks.size - slot->done;
	uint32_t alignment = engine->run->target->alignment;

	engine->in_flight--;
	if (result == -EINTR || result == -EAGAIN) {
		if (++slot->tries > RUNNER_TRIES) {
			fail(engine, -EIO);
		} else if (engine->error == 0) {
			engine->naps = true;
			submit(engine, number);
		}
		return;
	}
	if (result > 0 && (uint32_t)result < left)
		result -= (int)((uint32_t)result % (alignment > 0 ? alignment : 1));
	if (result <= 0) {
		fail(engine, result < 0 ? result : -EIO);
		return;
	}
	slot->done += (uint32_t)result;
	if (slot->done < engine->order->blocks.size) {
		if (engine->error == 0)
			submit(engine, number);
		return;
	}
	tally_add(engine->tally, &engine->span, slot->began, now);
	if (now < engine->span.deadline && engine->error == 0)
		begin(engine, number);
}

/* One batch: on a disk that is done at once, more come for as long as one looks. */
static void reap(struct engine *engine, uint64_t now)
{
	struct io_uring_cqe *cqes[BATCH];
	unsigned int n = io_uring_peek_batch_cqe(&engine->ring, cqes, ARRAY_SIZE(cqes));

	engine->last = n > 0 ? now : engine->last;
	for (unsigned int i = 0; i < n; i++) {
		uint64_t number = io_uring_cqe_get_data64(cqes[i]);

		/* Not so for the timeouts of liburing. */
		if (number < engine->run->depth)
			complete(engine, (uint32_t)number, cqes[i]->res, now);
	}
	io_uring_cq_advance(&engine->ring, n);
}

/* Negative only if the ring itself is of no use any more. */
static int wait_for_one(struct engine *engine)
{
	struct __kernel_timespec timeout = { .tv_nsec = WAIT_NS };
	struct io_uring_cqe *cqe = NULL;
	int r = 0;

	if (engine->naps)
		runner_nap();
	r = io_uring_submit_and_wait_timeout(&engine->ring, &cqe, 1, &timeout, NULL);
	engine->naps = r == -EAGAIN || r == -EBUSY || r == -ENOMEM;
	engine->refusals = engine->naps ? engine->refusals + 1 : 0;
	if (engine->refusals > REFUSALS_MAX)
		return -EIO;
	return r < 0 && r != -ETIME && r != -EINTR && !engine->naps ? r : 0;
}

/*
 * A stop before the deadline ends the run without a result. It does not wait long for
 * what is in flight: the kernel keeps the buffers until their operations end.
 */
static bool look_at_stop(struct engine *engine, uint64_t now)
{
	if (engine->stopped_at == 0 && run_is_stopped(engine->run)) {
		engine->stopped_at = now;
		if (now < engine->span.deadline)
			fail(engine, -EINTR);
	}
	return engine->stopped_at != 0 && now > engine->stopped_at + GRACE_NS;
}

/* A disk that is slow gives something from time to time; one that hangs does not. */
static bool is_hanging(const struct engine *engine, uint64_t now)
{
	uint64_t since = engine->span.deadline > engine->last ? engine->span.deadline :
								engine->last;

	return now > since + engine->patience_ns;
}

static int keep_depth(struct engine *engine)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	engine->span.start = now;
	engine->span.deadline = now + engine->run->duration_ms * 1000000ULL;
	for (uint32_t i = 0; i < engine->run->depth; i++)
		begin(engine, i);
	while (engine->in_flight > 0) {
		int r = wait_for_one(engine);

		if (r < 0)
			return r;
		now = clock_ns(CLOCK_MONOTONIC);
		if (look_at_stop(engine, now))
			return -EINTR;
		reap(engine, now);
		if (engine->in_flight > 0 && is_hanging(engine, now))
			return -ETIMEDOUT;
	}
	return engine->error;
}

int uring_run(const struct run *run, struct order *order, const struct buffers *buffers,
	      struct span *ret_span, struct tally *ret)
{
	_cleanup_(engine_close) struct engine engine = {
		.run = run, .order = order, .buffers = buffers,
		.fd = run_fd(run), .writes = run_writes(run), .tally = ret,
		.patience_ns = (run->patience_ms > 0 ? run->patience_ms :
						       RUN_PATIENCE_MS) * 1000000ULL,
	};
	uint64_t cpu_ns = 0;
	int r = engine_open(&engine);

	if (r < 0)
		return r;
	cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	r = keep_depth(&engine);
	ret->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	ret->cpu_all_ns = ret->cpu_ns;
	if (r < 0)
		return r;
	*ret_span = engine.span;
	return 0;
}
