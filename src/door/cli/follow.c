/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --follow: one operation again and again, each call where the one before
 * ended.  Each is a call like any other, with a store, a judgement and a row in
 * the audit log of its own, and its reply is one line.
 */
#include "base/limits.h"
#include "door/argv.h"
#include "door/cli/internal.h"
#include "door/envelope.h"
#include "door/out.h"

/* The reply to one call, and the exit status that it would have alone. */
static int
follow_once(struct flags *f, const struct env *env, const struct far *far,
    struct arena *a, struct str *envelope)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	const struct far_call c = { .op = f->op, .args = &f->args };
	struct far_reply got = { 0 };
	struct reply r = { 0 };
	struct err e = { 0 };

	if (far != NULL && far->call(env, &c, a, &got, &e) == 0) {
		*envelope = got.envelope;
		return got.status;
	}
	if (far == NULL && gate_open(env, &g, &e) == 0)
		gate_call(g, f->op, &f->args, a, &r);
	else
		gate_refuse(NULL, f->op->name, &e, a, &r);
	out_help(&r.err, a, argv_spell(a, f->op->name));
	*envelope = json_text(envelope_make(a, &r), a);
	return out_status(&r.err);
}

/* Where the next call goes on: in `room`, or false. */
static bool
follow_next(const struct flags *f, struct str envelope, char room[LIMIT_CURSOR],
    struct str *next)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err none = { 0 };
	struct str s;

	if (json_parse_open(far_data(envelope), LIMIT_MESSAGE, &doc, &none) <
		0 ||
	    !json_parse_str(json_parse_member(json_parse_root(doc),
				f->op->follows),
		&s) ||
	    s.n > LIMIT_CURSOR)
		return false;
	memcpy(room, s.p, s.n);
	*next = (struct str){ room, s.n };
	return true;
}

int
follow_run(struct flags *f, const struct env *env, const struct far *far)
{
	struct arg *at = args_find(&f->args, str_of(f->op->follows));
	char room[LIMIT_CURSOR];
	struct str next = { 0 };

	for (;;) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct str envelope = { 0 };
		int status = follow_once(f, env, far, a, &envelope);

		if (out_write_line(STDOUT_FILENO, envelope) < 0)
			return out_unwritten(status);
		if (status != 0 || !follow_next(f, envelope, room, &next))
			return status;
		at->text = (struct strs){ &next, 1 };
	}
}
