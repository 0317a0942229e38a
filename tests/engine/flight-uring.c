/* SPDX-License-Identifier: MIT */
/*
 * With io_uring: one thread, which submits a new read for each that is done.
 */
#include "flight.h"

#include <errno.h>
#include <liburing.h>

#include "base/cleanup.h"
#include "table.h"

struct circle {
	const struct flight *flight;
	struct io_uring ring;
	struct read *reads;
	struct tally tally;
	unsigned int in_flight;
	uint64_t end_ns;
	int error; /* the first; nothing is submitted any more */
};

static void circle_done(struct circle *circle)
{
	if (circle->ring.ring_fd >= 0)
		io_uring_queue_exit(&circle->ring);
	for (unsigned int i = 0; circle->reads && i < circle->flight->depth; i++)
		free(circle->reads[i].buf);
	free(circle->reads);
}

/*
 * Completions are worked off when we ask for them, not in interrupts of ours: that is
 * Linux 6.1; older kernels refuse it.
 */
static int ring_init(unsigned int depth, struct io_uring *ret)
{
	unsigned int flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
	int r = io_uring_queue_init(depth, ret, flags);

	if (r == -EINVAL)
		r = io_uring_queue_init(depth, ret, 0);
	if (r < 0)
		ret->ring_fd = -1;
	return r;
}

static int circle_init(struct circle *circle)
{
	const struct flight *flight = circle->flight;

	circle->reads = calloc(flight->depth, sizeof(*circle->reads));
	if (!circle->reads)
		return -ENOMEM;
	for (unsigned int i = 0; i < flight->depth; i++) {
		circle->reads[i].random = mix(mix(flight->seed) + i);
		circle->reads[i].buf = aligned_buffer(flight->room);
		if (!circle->reads[i].buf)
			return -ENOMEM;
	}
	return ring_init(flight->depth, &circle->ring);
}

/* Puts the next read into the queue, if there is one. */
static void circle_submit(struct circle *circle, struct read *read)
{
	const struct flight *flight = circle->flight;
	struct io_uring_sqe *sqe = NULL;

	read->started_ns = now_ns();
	if (circle->error < 0 ||
	    (read->started_ns >= circle->end_ns && circle->tally.reads > 0) ||
	    !flight->next(flight->context, read))
		return;
	sqe = io_uring_get_sqe(&circle->ring); /* as many as reads: there is one */
	io_uring_prep_read(sqe, flight->source->fd, read->buf, (unsigned int)read->length,
			   read->offset);
	io_uring_sqe_set_data(sqe, read);
	circle->in_flight++;
}

static void circle_complete(struct circle *circle, struct read *read, int n, uint64_t now)
{
	const struct flight *flight = circle->flight;
	struct tally *tally = &circle->tally;

	circle->in_flight--;
	if (n < 0 || (size_t)n < read->needed) {
		if (circle->error == 0)
			circle->error = n < 0 ? n : -EIO;
		return;
	}
	latencies_add(&tally->latencies, now - read->started_ns);
	tally->bad += flight->check(flight->context, read, read->buf, (size_t)n);
	tally->reads++;
	circle_submit(circle, read);
}

/* Waits until nothing is in flight, since the kernel writes into our buffers. */
static int circle_loop(struct circle *circle)
{
	struct io_uring_cqe *cqes[64];

	while (circle->in_flight > 0) {
		int r = io_uring_submit_and_wait(&circle->ring, 1);
		unsigned int n = 0;
		uint64_t now = 0;

		if (r < 0 && r != -EINTR && r != -EAGAIN && r != -EBUSY) {
			circle->reads = NULL; /* the kernel may write to them yet */
			return r;
		}
		n = io_uring_peek_batch_cqe(&circle->ring, cqes, ARRAY_SIZE(cqes));
		now = now_ns();
		for (unsigned int i = 0; i < n; i++)
			circle_complete(circle, io_uring_cqe_get_data(cqes[i]),
					cqes[i]->res, now);
		io_uring_cq_advance(&circle->ring, n);
	}
	return circle->error;
}

int flight_run_uring(const struct flight *flight, struct flight_result *ret)
{
	_cleanup_(circle_done) struct circle circle = { .flight = flight,
							.ring.ring_fd = -1 };
	uint64_t start_ns = 0;
	int r = circle_init(&circle);

	if (r < 0)
		return r;
	start_ns = now_ns();
	circle.end_ns = flight->limit_ns ? start_ns + flight->limit_ns : UINT64_MAX;
	for (unsigned int i = 0; i < flight->depth; i++)
		circle_submit(&circle, &circle.reads[i]);
	r = circle_loop(&circle);
	if (r < 0)
		return r;
	ret->tally = circle.tally;
	ret->ns = now_ns() - start_ns;
	return 0;
}
