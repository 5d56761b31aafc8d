/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mark: flags and labels of messages. */
#include "base/utf8.h"
#include "op/internal.h"
#include "op/organise.h"

static const struct arg_spec args[] = {
	ORGANISE_ARGS,
	{ "read", ARG_FLAG, .help = "mark them as read" },
	{ "unread", ARG_FLAG, .help = "mark them as unread" },
	{ "flag", ARG_FLAG, .help = "flag them: a star" },
	{ "unflag", ARG_FLAG, .help = "take the flag away" },
	{ "answered", ARG_FLAG, .help = "mark them as answered" },
	{ "unanswered", ARG_FLAG, .help = "mark them as not answered" },
	{ "label", ARG_TEXT, ARG_MANY, .help = "labels to give them" },
	{ "unlabel", ARG_TEXT, ARG_MANY, .help = "labels to take away" },
	ORGANISE_ARGS_END,
};

static const struct {
	const char *set, *clear;
	unsigned flag;
} flags[] = {
	{ "read", "unread", FLAG_READ },
	{ "flag", "unflag", FLAG_FLAGGED },
	{ "answered", "unanswered", FLAG_ANSWERED },
};

/* A keyword of a system's own is none of an agent's labels. */
static int
mark_label(struct str s, struct err *e)
{
	bool good = s.n > 0 && s.n <= LIMIT_LABEL && utf8_valid(s) &&
	    s.p[0] != '$' && s.p[0] != '\\';

	for (size_t i = 0; i < s.n; i++)
		good = good && (unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7f;
	return good ? 0
		    : err_set(e, ERR_USAGE,
			  "a label has 1 to %d bytes, no control characters, "
			  "and begins with neither $ nor \\",
			  LIMIT_LABEL);
}

static int
mark_labels(const struct call *c, const char *arg, const struct strs *other,
    struct strs *out, struct err *e)
{
	const struct strs *given = args_list(c->args, arg);

	if (given->n > LIMIT_LABELS)
		return err_set(e, ERR_LIMIT, "at most %d labels in one call",
		    LIMIT_LABELS);
	for (size_t i = 0; i < given->n; i++) {
		if (mark_label(given->v[i], e) < 0)
			return -1;
		if (str_among_case(other, given->v[i]))
			return err_set(e, ERR_USAGE,
			    "a label is given and taken away");
		if (!str_among_case(out, given->v[i]))
			str_push(c->arena, out, given->v[i]);
	}
	return 0;
}

static int
mark_wanted(const struct call *c, struct flag_change *out, struct err *e)
{
	*out = (struct flag_change){ 0 };
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (args_has(c->args, flags[i].set))
			out->set |= flags[i].flag;
		if (args_has(c->args, flags[i].clear))
			out->clear |= flags[i].flag;
	}
	if (out->set & out->clear)
		return err_set(e, ERR_USAGE, "a flag is set and cleared");
	if (mark_labels(c, "label", &out->drop, &out->add, e) < 0 ||
	    mark_labels(c, "unlabel", &out->add, &out->drop, e) < 0)
		return -1;
	if ((out->set | out->clear) == 0 && out->add.n + out->drop.n == 0)
		return err_set(e, ERR_USAGE,
		    "say what to mark: read, unread, flag, unflag, answered, "
		    "unanswered, label or unlabel");
	return 0;
}

static int
mark_run(struct call *c, struct json *out, struct err *e)
{
	struct flag_change change;

	if (mark_wanted(c, &change, e) < 0)
		return -1;
	return organise_mark(c, &change, out, e);
}

const struct op op_mark = {
	.name = "mark",
	.summary = "Mark messages read, flagged, answered or labelled, or undo "
		   "it",
	.effect = EFFECT_ORGANISE,
	.needs = NEED_ACCOUNT | NEED_READ,
	.same = true,
	.skill = "mail-organize",
	.args = args,
	.result = organise_fields,
	.columns = ORGANISE_COLUMNS,
	.run = mark_run,
	.put_change = organise_put,
};
