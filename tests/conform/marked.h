/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CONFORM_MARKED_H
#define TESTS_CONFORM_MARKED_H

/* What changes of messages that stay: flags and folders. */
#include "asked.h"

/* The newest message's flags, asked without its folder where that may be. */
static unsigned
flags_of(struct asked *t, struct ref ref)
{
	bool anywhere = site.be->caps & CAP_THREADS;
	struct refs one = { &ref, 1 };

	assert_int_equal(site.be->headers(t->c, t->a,
			     anywhere ? S("") : site.inbox, &one, &t->st,
			     &t->rows, &t->e),
	    0);
	assert_int_equal(t->rows.n, 1);
	if (anywhere)
		assert_true(str_eq(t->rows.v[0].folder, site.inbox));
	return t->rows.v[0].flags;
}

/* Takes a flag from all that have it, who are in *had, or gives it back. */
static void
mark_all(struct asked *t, const struct refs *had, unsigned flag, bool back)
{
	const struct flag_change to = { .set = back ? flag : 0,
		.clear = back ? 0 : flag };

	assert_int_equal(site.be->mark(t->c, t->a, site.inbox, had, &to, &t->e),
	    0);
}

static struct refs
those_with(struct asked *t, const struct refs *all, unsigned flag)
{
	struct refs out = { arena_array(t->a, all->n, sizeof(*out.v)), 0 };

	for (size_t i = 0; i < all->n; i++)
		if (flags_of(t, all->v[i]) & flag)
			out.v[out.n++] = all->v[i];
	return out;
}

static void
flags_are_set_found_and_cleared(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct refs one = { &all.v[1], 1 };

	for (unsigned flag = 1; flag <= site.be->flags; flag <<= 1) {
		const struct flag_change set = { .set = flag };
		const struct flag_change clear = { .clear = flag };
		struct refs had;

		/* To put away is to move, where that is a folder too. */
		if (!(site.be->flags & flag) || flag == FLAG_ARCHIVED)
			continue;
		had = those_with(t, &all, flag);
		mark_all(t, &had, flag, false);
		/* A second time is no error. */
		for (int i = 0; i < 2; i++)
			assert_int_equal(site.be->mark(t->c, t->a, site.inbox,
					     &one, &set, &t->e),
			    0);
		assert_int_equal(flags_of(t, all.v[1]) & flag, flag);
		assert_asked(t, find(t, (struct query){ .with = flag }, 50),
		    "gr\xc3\xbc\xc3\x9f");
		assert_asked(t, find(t, (struct query){ .without = flag }, 50),
		    "last,with a file,a needle,two senders,first");
		assert_int_equal(site.be->mark(t->c, t->a, site.inbox, &one,
				     &clear, &t->e),
		    0);
		assert_int_equal(flags_of(t, all.v[1]) & flag, 0);
		mark_all(t, &had, flag, true);
	}
	(void)everything(t);
}

static void
one_that_is_missing_and_no_flag_changes(void **state)
{
	const struct flag_change set = { .set = FLAG_READ };
	struct asked *t = *state;
	struct refs all = everything(t);
	struct ref some[] = { all.v[0], nothing() };
	struct refs two = { some, 2 };

	assert_int_equal(site.be->mark(t->c, t->a, site.inbox, &two, &set,
			     &t->e),
	    -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	t->e = (struct err){ 0 };
	assert_int_equal(flags_of(t, all.v[0]) & FLAG_READ, 0);
}

static size_t
labels_of(struct asked *t, struct ref ref)
{
	(void)flags_of(t, ref);
	return t->rows.v[0].labels.n;
}

static void
labels_are_added_told_and_dropped(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct refs one = { &all.v[1], 1 };
	struct str label = S("conform");
	const struct flag_change add = { .add = { &label, 1 } };
	const struct flag_change drop = { .drop = { &label, 1 } };
	size_t had = labels_of(t, all.v[1]);

	/* A second time is no error. */
	for (int i = 0; i < 2; i++)
		assert_int_equal(site.be->mark(t->c, t->a, site.inbox, &one,
				     &add, &t->e),
		    0);
	assert_int_equal(labels_of(t, all.v[1]), had + 1);
	assert_true(str_among(&t->rows.v[0].labels, label));
	assert_int_equal(site.be->mark(t->c, t->a, site.inbox, &one, &drop,
			     &t->e),
	    0);
	assert_int_equal(labels_of(t, all.v[1]), had);
	assert_false(str_among(&t->rows.v[0].labels, label));
	(void)everything(t);
}

static void
what_is_moved_is_elsewhere_and_comes_back(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct refs one = { &all.v[0], 1 }, there, back;
	struct str away = str_of(site_env("CONFORM_MOVE", "Kept"));

	assert_int_equal(site.be->move(t->c, t->a, site.inbox, &one, away, NULL,
			     &there, &t->e),
	    0);
	assert_int_equal(there.n, 1);
	assert_asked(t, find(t, (struct query){ 0 }, 50),
	    "gr\xc3\xbc\xc3\x9f,with a file,a needle,two senders,first");
	assert_asked(t, find(t, (struct query){ .folder = away }, 50), "last");
	assert_int_equal(site.be->move(t->c, t->a, away, &there, site.inbox,
			     NULL, &back, &t->e),
	    0);
	(void)everything(t);
	/* One that is not there keeps the other where it is. */
	all.v[1] = nothing();
	one.n = 2;
	assert_int_equal(site.be->move(t->c, t->a, site.inbox, &one, away, NULL,
			     &there, &t->e),
	    -1);
	assert_int_equal(t->e.kind, ERR_NOT_FOUND);
	(void)everything(t);
}

/* What a store told of copies that it made first. */
struct copies {
	struct arena *a;
	struct refs refs;
	uint32_t uidvalidity;
};

static int
keep_originals(void *ctx, const struct refs *copies, uint32_t uidvalidity,
    struct err *e)
{
	struct copies *k = ctx;

	k->refs =
	    (struct refs){ arena_array(k->a, copies->n, sizeof(struct ref)),
		    copies->n };
	for (size_t i = 0; i < copies->n; i++)
		k->refs.v[i].uid = copies->v[i].uid;
	k->uidvalidity = uidvalidity;
	return err_set(e, ERR_DB, "it cannot be written down");
}

/* Of a store that copies first; others move at once. */
static void
a_move_is_stopped_between_copies_and_removal_and_finished(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct refs one = { &all.v[0], 1 }, there, back;
	struct str away = str_of(site_env("CONFORM_MOVE", "Kept"));
	struct copies k = { .a = t->a };
	struct copying by = { .copied = keep_originals, .ctx = &k };
	uint32_t from = t->st.uidvalidity;
	int r = site.be->move(t->c, t->a, site.inbox, &one, away, &by, &there,
	    &t->e);

	assert_true(
	    (k.refs.n > 0) == (site_env("CONFORM_COPIES", NULL) != NULL));
	assert_int_equal(r, k.refs.n > 0 ? -1 : 0);
	if (k.refs.n > 0) {
		assert_int_equal(t->e.kind, ERR_DB);
		(void)everything(t);
		assert_asked(t, find(t, (struct query){ .folder = away }, 50),
		    "last");
		by = (struct copying){ .copies = &k.refs,
			.uidvalidity = k.uidvalidity,
			.from_uidvalidity = from };
		/* The second time there is nothing left to do. */
		for (int i = 0; i < 2; i++)
			assert_int_equal(site.be->move(t->c, t->a, site.inbox,
					     &one, away, &by, &there, &t->e),
			    0);
		assert_int_equal(there.v[0].uid, k.refs.v[0].uid);
	}
	assert_asked(t, find(t, (struct query){ 0 }, 50),
	    "gr\xc3\xbc\xc3\x9f,with a file,a needle,two senders,first");
	assert_asked(t, find(t, (struct query){ .folder = away }, 50), "last");
	assert_int_equal(site.be->move(t->c, t->a, away, &there, site.inbox,
			     NULL, &back, &t->e),
	    0);
	(void)everything(t);
}

static struct str
role_folder(struct asked *t, enum folder_role role)
{
	struct folders f = { 0 };

	assert_int_equal(site.be->folders(t->c, t->a, &f, &t->e), 0);
	for (size_t i = 0; i < f.n; i++)
		if (f.v[i].role == role)
			return f.v[i].name;
	return S("");
}

static void
what_is_thrown_away_is_in_trash_and_comes_back(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct refs two = { all.v, 2 }, there, back;
	struct str trash = role_folder(t, FOLDER_TRASH);

	if (trash.n == 0)
		return;
	assert_int_equal(site.be->move(t->c, t->a, site.inbox, &two, trash,
			     NULL, &there, &t->e),
	    0);
	assert_asked(t, find(t, (struct query){ 0 }, 50),
	    "with a file,a needle,two senders,first");
	assert_asked(t, find(t, (struct query){ .folder = trash }, 50),
	    "last,gr\xc3\xbc\xc3\x9f");
	assert_int_equal(site.be->move(t->c, t->a, trash, &there, site.inbox,
			     NULL, &back, &t->e),
	    0);
	assert_asked(t, find(t, (struct query){ .folder = trash }, 50), "");
	(void)everything(t);
}

/* Asked without its folder, as archived mail is. */
static void
what_is_archived_comes_back_from_anywhere(void **state)
{
	struct asked *t = *state;
	struct refs all = everything(t);
	struct refs one = { &all.v[0], 1 }, there, back;

	assert_int_equal(site.be->move(t->c, t->a, site.inbox, &one,
			     S("archive"), NULL, &there, &t->e),
	    0);
	assert_asked(t, find(t, (struct query){ 0 }, 50),
	    "gr\xc3\xbc\xc3\x9f,with a file,a needle,two senders,first");
	assert_int_equal(site.be->headers(t->c, t->a, S(""), &there, &t->st,
			     &t->rows, &t->e),
	    0);
	assert_rows(t, "last");
	assert_true(t->rows.v[0].folder.n > 0 &&
	    !str_eq(t->rows.v[0].folder, site.inbox));
	assert_int_equal(site.be->move(t->c, t->a, S(""), &there, site.inbox,
			     NULL, &back, &t->e),
	    0);
	(void)everything(t);
}

#endif
