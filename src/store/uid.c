/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uids for stores without them: the store's ids are numbered in order of
 * arrival when they are first seen.  Magnitude: 10^5 messages per folder, so a
 * sync compares in memory, by sorting (ids may come from strangers, so no
 * hashing), and writes only changes.
 *
 * A missing message keeps its number for an hour.  Listings race with each
 * other and with deliveries (a Maildir's file moves from new to cur during
 * one); if the number were dropped at once, the message would return as a new
 * one and be processed twice.
 */
#include "base/clock.h"
#include "store/internal.h"
#include "store/uid_known.h"

/* With so few new ones, search for each among all known ones. */
#define A_FEW 8

struct known {
	struct store_uid m;
	int64_t gone; /* 0, or when it was first missing */
	bool here;    /* is it among the ids now? */
};

/* An id and its index in its list. */
struct place {
	struct str id;
	size_t at;
};

/* The change to a known message's row. */
enum change {
	CHANGE_NONE,
	CHANGE_MARK, /* as missing, or as back */
	CHANGE_DROP,
};

/* One folder's numbering, old and new side by side. */
struct sync {
	struct store_uids was; /* all but v; folder 0: new */
	struct known *known;   /* ascending by uid */
	size_t n;
	const struct strs *ids;
	struct place *fresh; /* ids to number, in the given order */
	size_t fresh_n;
	int64_t now_s;
	bool changed; /* something must be written */
	bool listed;  /* this listing was the last one numbered */
};

static int
store_uid_load_known(struct store *s, struct arena *a, struct sync *y,
    struct err *e)
{
	static const char sql[] = "SELECT uid, message, gone FROM uid_map"
				  " WHERE folder_id = ?1 ORDER BY uid";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(y->was.folder)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		struct known *k;

		y->known = arena_more(a, y->known, y->n, sizeof(*k));
		k = &y->known[y->n++];
		k->m.uid = stmt_column_u32(st, 0);
		k->m.id = stmt_column(st, 1, a);
		k->gone = stmt_column_int(st, 2);
	}
	return r;
}

/* Equal ids stay in the order given. */
static int
store_uid_by_id(const void *x, const void *y)
{
	const struct place *p = x;
	const struct place *q = y;
	int r = str_cmp(p->id, q->id);

	return r != 0 ? r : (p->at > q->at) - (p->at < q->at);
}

static int
store_uid_by_place(const void *x, const void *y)
{
	const struct place *p = x;
	const struct place *q = y;

	return (p->at > q->at) - (p->at < q->at);
}

/* Is it known, missing or not? */
static bool
store_uid_is_known(const struct sync *y, struct str id)
{
	for (size_t i = 0; i < y->n; i++)
		if (str_eq(y->known[i].m.id, id))
			return true;
	return false;
}

/*
 * Is the list the previous one with a few new ids at the end?  That is the
 * usual case, and needs no sorting.
 */
static bool
store_uid_grown(struct sync *y, struct arena *a)
{
	size_t at = 0;

	for (size_t i = 0; i < y->n; i++) {
		if (y->known[i].gone != 0)
			continue;
		if (at == y->ids->n || !str_eq(y->known[i].m.id, y->ids->v[at]))
			return false;
		at++;
	}
	if (y->ids->n - at > A_FEW)
		return false;
	y->fresh = arena_array(a, A_FEW, sizeof(*y->fresh));
	for (; at < y->ids->n; at++) {
		struct str id = y->ids->v[at];

		for (size_t i = 0; i < y->fresh_n; i++)
			if (str_eq(y->fresh[i].id, id))
				id = S("");
		if (id.n == 0 || store_uid_is_known(y, id)) {
			y->fresh_n = 0;
			return false;
		}
		y->fresh[y->fresh_n++] = (struct place){ id, at };
	}
	for (size_t i = 0; i < y->n; i++)
		y->known[i].here = y->known[i].gone == 0;
	return true;
}

static void
store_uid_sort(struct place *v, size_t n,
    int (*order)(const void *, const void *))
{
	if (n > 1)
		qsort(v, n, sizeof(*v), order);
}

/* Finds the present and the new ids, by merging both in order. */
static void
store_uid_compare(struct sync *y, struct arena *a)
{
	size_t n = y->ids->n;
	struct place *given = arena_array(a, n, sizeof(*given));
	struct place *known = arena_array(a, y->n, sizeof(*known));
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		given[i] = (struct place){ y->ids->v[i], i };
	for (size_t i = 0; i < y->n; i++)
		known[i] = (struct place){ y->known[i].m.id, i };
	store_uid_sort(given, n, store_uid_by_id);
	store_uid_sort(known, y->n, store_uid_by_id);

	y->fresh = arena_array(a, n, sizeof(*y->fresh));
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && str_eq(given[i].id, given[i - 1].id))
			continue; /* a duplicate id is ignored */
		while (k < y->n && str_cmp(known[k].id, given[i].id) < 0)
			k++;
		if (k < y->n && str_eq(known[k].id, given[i].id))
			y->known[known[k].at].here = true;
		else
			y->fresh[y->fresh_n++] = given[i];
	}
	store_uid_sort(y->fresh, y->fresh_n, store_uid_by_place);
}

static enum change
store_uid_change_of(const struct known *k, int64_t now_s)
{
	if (k->here)
		return k->gone == 0 ? CHANGE_NONE : CHANGE_MARK;
	if (k->gone == 0)
		return CHANGE_MARK;
	/* A clock that was set back must not keep it for years. */
	if (k->gone <= now_s - UID_KEEP_S || k->gone > now_s + UID_KEEP_S)
		return CHANGE_DROP;
	return CHANGE_NONE;
}

static void
store_uid_plan(struct sync *y, struct arena *a)
{
	if (!store_uid_grown(y, a))
		store_uid_compare(y, a);
	y->changed = y->was.folder == 0 || y->fresh_n > 0 || !y->listed;
	for (size_t i = 0; i < y->n && !y->changed; i++)
		y->changed =
		    store_uid_change_of(&y->known[i], y->now_s) != CHANGE_NONE;
}

static int
store_uid_load(struct store *s, struct arena *a, int64_t account,
    struct str folder, struct str listing, const struct strs *ids,
    struct sync *y, struct err *e)
{
	*y = (struct sync){ .ids = ids, .now_s = clock_now() };
	int met = uid_known_folder(s, account, folder, listing, &y->was,
	    &y->listed, e);

	if (met < 0 || (met == 1 && store_uid_load_known(s, a, y, e) < 0))
		return -1;
	store_uid_plan(y, a);
	return 0;
}

/* Makes the folder's row; its uidvalidity is made from the time. */
static int
store_uid_make_folder(struct store *s, int64_t account, struct str folder,
    struct sync *y, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO uid_folder (account_id, folder, uidvalidity, uidnext)"
	    " VALUES (?1, ?2, ?3, 1) RETURNING id";

	/* RFC 9051 section 2.3.1.1: non-zero, and rising over time. */
	y->was.uidvalidity = (uint32_t)y->now_s;
	if (y->was.uidvalidity == 0)
		y->was.uidvalidity = 1;
	if (stmt_add(s, e, sql, &y->was.folder, V(account), V(folder),
		V(y->was.uidvalidity)) < 0)
		return -1;
	y->was.uidnext = 1;
	return 0;
}

/*
 * Marks missing and returned ones, and deletes those that were missing for
 * long.
 */
static int
store_uid_write_known(struct store *s, struct sync *y, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *drop = NULL;
	CLEANUP(stmt_done) struct stmt *set = NULL;

	if (stmt_prepare(s,
		"DELETE FROM uid_map WHERE folder_id = ?1 AND uid = ?2", &drop,
		e) < 0 ||
	    stmt_prepare(s,
		"UPDATE uid_map SET gone = ?3"
		" WHERE folder_id = ?1 AND uid = ?2",
		&set, e) < 0)
		return -1;
	for (size_t i = 0; i < y->n; i++) {
		const struct known *k = &y->known[i];
		enum change change = store_uid_change_of(k, y->now_s);
		struct stmt *st = change == CHANGE_DROP ? drop : set;

		if (change == CHANGE_NONE)
			continue;
		stmt_int(st, 1, y->was.folder);
		stmt_int(st, 2, k->m.uid);
		if (change == CHANGE_MARK)
			stmt_int(st, 3, k->here ? 0 : y->now_s);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return 0;
}

static int
store_uid_write_fresh(struct store *s, struct sync *y, struct str listing,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *add = NULL;
	CLEANUP(stmt_done) struct stmt *next = NULL;

	if (y->fresh_n >= UINT32_MAX - y->was.uidnext)
		return err_set(e, ERR_LIMIT, "the folder has no numbers left");
	if (stmt_prepare(s,
		"INSERT INTO uid_map (folder_id, uid, message)"
		" VALUES (?1, ?2, ?3)",
		&add, e) < 0 ||
	    stmt_prepare(s,
		"UPDATE uid_folder SET uidnext = ?2, listing = ?3"
		" WHERE id = ?1",
		&next, e) < 0)
		return -1;
	stmt_int(add, 1, y->was.folder);
	for (size_t i = 0; i < y->fresh_n; i++) {
		stmt_int(add, 2, y->was.uidnext + (int64_t)i);
		stmt_text(add, 3, y->fresh[i].id);
		if (stmt_run(s, add, e) < 0)
			return -1;
	}
	stmt_int(next, 1, y->was.folder);
	stmt_int(next, 2, y->was.uidnext + (int64_t)y->fresh_n);
	stmt_text(next, 3, listing);
	return stmt_run(s, next, e);
}

/* The present messages, old ones first: both lists are ascending. */
static void
store_uid_collect(const struct sync *y, struct arena *a, struct store_uids *out)
{
	struct store_uid *v = arena_array(a, y->n + y->fresh_n, sizeof(*v));
	size_t have = 0;

	for (size_t i = 0; i < y->n; i++)
		if (y->known[i].here)
			v[have++] = y->known[i].m;
	for (size_t i = 0; i < y->fresh_n; i++) {
		v[have].uid = y->was.uidnext + (uint32_t)i;
		v[have++].id = str_dup(a, y->fresh[i].id);
	}
	*out = (struct store_uids){
		.folder = y->was.folder,
		.v = v,
		.n = have,
		.uidvalidity = y->was.uidvalidity,
		.uidnext = y->was.uidnext + (uint32_t)y->fresh_n,
	};
}

int
store_uid_sync(struct store *s, struct arena *a, int64_t account,
    struct str folder, const struct strs *ids, struct str listing,
    struct store_uids *out, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t before, now;
	struct sync y;

	if (s->driver->version(s, &before, e) < 0 ||
	    store_uid_load(s, a, account, folder, listing, ids, &y, e) < 0)
		return -1;
	if (y.changed) {
		/* Repeated under the lock if another process was first. */
		if (tx_begin(s, &t, e) < 0 ||
		    s->driver->version(s, &now, e) < 0 ||
		    (now != before &&
			store_uid_load(s, a, account, folder, listing, ids, &y,
			    e) < 0))
			return -1;
		if (y.was.folder == 0 &&
		    store_uid_make_folder(s, account, folder, &y, e) < 0)
			return -1;
		if (store_uid_write_known(s, &y, e) < 0 ||
		    store_uid_write_fresh(s, &y, listing, e) < 0 ||
		    tx_commit(&t, e) < 0)
			return -1;
	}
	store_uid_collect(&y, a, out);
	return 0;
}
