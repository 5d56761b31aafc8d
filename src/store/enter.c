/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the store for a command. */
#include "base/clock.h"
#include "store/opening.h"
#include "store/setting_kept.h"

/*
 * For one call, which need not read a setting twice, and whose time has begun:
 * what is to be tidied may wait for a lock, or for a replica.
 */
static int
store_enter_call(struct store *s, struct err *e)
{
	int64_t most_ms;
	int r;

	setting_kept_on(s, s->role != STORE_ADMIN);
	store_until(s, clock_mono_ms() + UNTIL_OPEN_MS);
	if (store_setting_timeout(s, &most_ms, e) < 0)
		return -1;
	store_until(s, clock_mono_ms() + most_ms);
	r = store_tidy(s, e);
	store_until(s, 0);
	return r;
}

int
store_enter_served(const char *path, const struct store_keeper *k,
    struct store **out, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;

	if (store_open_served(path, k, &s, e) < 0 || store_enter_call(s, e) < 0)
		return -1;
	*out = s;
	s = NULL;
	return 0;
}

int
store_enter_again(const char *path, const struct store_keeper *k,
    struct store **kept, struct store **out, struct err *e)
{
	CLEANUP(store_close) struct store *s = *kept;

	*kept = NULL;
	/* What was read is of the call before. */
	if (s != NULL) {
		setting_kept_drop(s);
		store_until(s, clock_mono_ms() + UNTIL_OPEN_MS);
	}
	if (s == NULL || !store_again(s, path)) {
		store_close(&s);
		return store_enter_served(path, k, out, e);
	}
	if (store_enter_call(s, e) < 0)
		return -1;
	*out = s;
	s = NULL;
	return 0;
}

int
store_enter(const char *path, enum store_role role, const struct store_keys *k,
    struct store **out, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;

	if (store_open(path, role, k, &s, e) < 0 ||
	    store_enter_call(s, e) < 0) {
		if (role == STORE_ADMIN)
			store_refused_note(path, k, e);
		return -1;
	}
	*out = s;
	s = NULL;
	return 0;
}
