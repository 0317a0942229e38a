/* SPDX-License-Identifier: MIT */
/*
 * Where the time goes. The budget is hard, a disk may be a thousand times slower than
 * another, and a run that is cut off must have measured what matters most: so each part
 * gets a share of what is left, and each run a slot in it.
 */
#include "measure/plan.h"

#define SLOT_US_MIN 20000ULL

/* Of the time that is left for it and those behind it. */
static const unsigned int weights[_PHASE_MAX] = {
	[PHASE_SWEEP] = 40,
	[PHASE_ARMS] = 30,
	[PHASE_SEQUENTIAL] = 20,
	[PHASE_WRITES] = 25,
};

uint64_t plan_phase_end(enum phase phase, bool writes, uint64_t now, uint64_t deadline)
{
	unsigned int sum = 0;

	for (int i = (int)phase; i < _PHASE_MAX; i++)
		sum += i == PHASE_WRITES && !writes ? 0 : weights[i];
	if (now >= deadline || sum == 0)
		return deadline;
	return now + (deadline - now) * weights[phase] / sum;
}

size_t plan_depths(uint32_t device_depth, uint32_t factor, uint32_t ret[SWEEP_DEPTHS_MAX])
{
	uint32_t most = device_depth > 0 && device_depth < MEASURE_DEPTH_MAX ?
				device_depth :
				MEASURE_DEPTH_MAX;
	size_t n = 0;

	for (uint32_t at = 1; at < most && n < SWEEP_DEPTHS_MAX - 1; at *= factor)
		ret[n++] = at;
	ret[n++] = most;
	return n;
}

void plan_sweep(uint32_t device_depth, uint64_t us, struct sweep_plan *ret)
{
	*ret = (struct sweep_plan){ .factor = 2, .rounds = 2 };
	ret->n = plan_depths(device_depth, ret->factor, ret->depths);
	if (us / (ret->n * ret->rounds) < SLOT_US_MIN) {
		ret->factor = 4;
		ret->n = plan_depths(device_depth, ret->factor, ret->depths);
	}
	if (us / (ret->n * ret->rounds) < SLOT_US_MIN)
		ret->rounds = 1;
	ret->slot_us = us / (ret->n * ret->rounds);
}

unsigned int plan_rounds(size_t n, unsigned int most, uint64_t us, uint64_t *ret_slot_us)
{
	unsigned int rounds = most;

	while (rounds > 1 && us / (n * rounds) < SLOT_US_MIN)
		rounds--;
	*ret_slot_us = us / (n * rounds);
	return rounds;
}

uint64_t plan_duration(uint64_t slot_us, unsigned int stretch, uint32_t depth,
		       double per_second)
{
	double wait_us = per_second > 0 ? depth * 1e6 / per_second : 0;
	double enough_us = per_second > 0 ? RUN_OPERATIONS * 1e6 / per_second : 0;
	double most = (double)slot_us * stretch, duration = (double)slot_us;
	double usual = duration * STRETCH;

	/* Within one latency nothing comes back, and then all has to be waited for. */
	if (depth > 1 && 2 * wait_us > most)
		return 0;
	if (enough_us > duration)
		duration = enough_us < usual ? enough_us : usual;
	if (2 * wait_us > duration)
		duration = 2 * wait_us;
	return (uint64_t)(duration < most ? duration : most);
}
