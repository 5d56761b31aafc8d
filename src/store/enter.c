/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the store for a command. */
#include "store/opening.h"
#include "store/setting_kept.h"

/* For one call, which need not read a setting twice. */
static int
store_enter_call(struct store *s, struct err *e)
{
	setting_kept_on(s, s->role != STORE_ADMIN);
	return store_tidy(s, e);
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
	if (s != NULL)
		setting_kept_drop(s);
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
