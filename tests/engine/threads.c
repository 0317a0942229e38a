/* SPDX-License-Identifier: MIT */
/*
 * Threads wait behind a gate until all are there, so that making them is not measured.
 */
#include "flight.h"

#include <errno.h>
#include <pthread.h>

#include "base/cleanup.h"

enum gate_state { GATE_SHUT, GATE_OPEN, GATE_GONE };

struct gate {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	enum gate_state state;
};

struct thread {
	pthread_t id;
	struct gate *gate;
	int (*body)(void *context, unsigned int index);
	void *context;
	unsigned int index;
	int result;
};

static enum gate_state gate_wait(struct gate *gate)
{
	enum gate_state state = GATE_SHUT;

	(void)pthread_mutex_lock(&gate->mutex);
	while (gate->state == GATE_SHUT)
		(void)pthread_cond_wait(&gate->changed, &gate->mutex);
	state = gate->state;
	(void)pthread_mutex_unlock(&gate->mutex);
	return state;
}

static void gate_set(struct gate *gate, enum gate_state state, uint64_t *ret_start_ns)
{
	(void)pthread_mutex_lock(&gate->mutex);
	gate->state = state;
	*ret_start_ns = now_ns();
	(void)pthread_cond_broadcast(&gate->changed);
	(void)pthread_mutex_unlock(&gate->mutex);
}

static void *thread_main(void *data)
{
	struct thread *thread = data;

	if (gate_wait(thread->gate) == GATE_OPEN)
		thread->result = thread->body(thread->context, thread->index);
	return NULL;
}

int threads_run(unsigned int n, int (*body)(void *context, unsigned int index),
		void *context, uint64_t *ret_start_ns)
{
	_cleanup_free_ struct thread *threads = calloc(n, sizeof(*threads));
	struct gate gate = {
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	unsigned int made = 0;
	int r = 0;

	if (!threads)
		return -ENOMEM;
	for (; made < n && r == 0; made += r == 0) {
		threads[made] = (struct thread){
			.gate = &gate, .body = body, .context = context, .index = made
		};
		r = -pthread_create(&threads[made].id, NULL, thread_main, &threads[made]);
	}
	gate_set(&gate, r == 0 ? GATE_OPEN : GATE_GONE, ret_start_ns);
	for (unsigned int i = 0; i < made; i++) {
		(void)pthread_join(threads[i].id, NULL);
		if (r == 0)
			r = threads[i].result;
	}
	return r;
}
