/* SPDX-License-Identifier: Apache-2.0 */
/* Tests one account with values that were just typed, line by line. */
#include "base/buf.h"
#include "base/clock.h"
#include "source/internal.h"

struct source_attempt {
	struct arena *a;
	struct source_health health;
	struct probe_child child;
	struct probes seen;
	size_t cut; /* bytes of the child's text that are lines by now */
};

int
source_attempt_start(const struct store_account *acct, struct secret *secret,
    struct arena *a, int64_t timeout_ms, struct source_attempt **out,
    struct err *e)
{
	struct source_attempt *t = arena_new(a, struct source_attempt);
	struct source src;

	if (source_resolve_given(acct, clock_mono_ms() + timeout_ms, &src, e) <
	    0)
		return -1;
	/* Borrowed: there is nothing for source_done() to close. */
	src.secret = secret;
	src.view.secret = secret;
	t->a = a;
	t->health.acct = *acct;
	t->child = (struct probe_child){ .fd = -1, .out = &t->health };
	if (probe_child_fork(&src, a, timeout_ms, &t->child, e) < 0)
		return -1;
	*out = t;
	return 0;
}

int
source_attempt_fd(const struct source_attempt *t)
{
	return t->child.fd;
}

struct probes *
source_attempt_lines(struct source_attempt *t)
{
	return &t->seen;
}

/* Only whole lines; text that is not a line is reported at the end. */
static void
source_attempt_take_lines(struct source_attempt *t)
{
	struct str rest = str_from(buf_view(t->child.text), t->cut), line;
	struct probes *p = &t->seen;
	struct probe one;

	while (str_cut(rest, '\n', &line, &rest)) {
		t->cut += line.n + 1;
		if (!probe_line_read(t->a, line, &one))
			continue;
		p->v = arena_grow(t->a, p->v, p->n * sizeof(one),
		    (p->n + 1) * sizeof(one));
		p->v[p->n++] = one;
	}
}

bool
source_attempt_read(struct source_attempt *t)
{
	bool more = probe_child_read(&t->child);

	source_attempt_take_lines(t);
	return more && clock_left_ms(t->child.end_ms) > 0;
}

void
source_attempt_end(struct source_attempt **tp, struct probes *out)
{
	struct source_attempt *t = *tp;

	if (t == NULL)
		return;
	*tp = NULL;
	probe_child_end(t->a, &t->child, clock_left_ms(t->child.end_ms) == 0);
	/* Read again, now including the fault at the end. */
	*out = t->health.probes;
}
