/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A verb is a row that names an operation.  Its options are the operation's
 * arguments, spelt as the upstream program spells them.
 */
#include <unistd.h>

#include "base/limits.h"
#include "door/agents/internal.h"
#include "op/op.h"

const struct agents_verb agents_verb_table[] = {
	{ .name = "resolve-live",
	    .summary = "Print the binding of the mailbox, and its gateway" },
	{ .name = "status",
	    .op = "mail_status",
	    .route = "status",
	    .is_get = true },
	{ .name = "check", .op = "mail_check", .route = "check" },
	{ .name = "send", .op = "mail_send", .route = "send", .prompts = true },
	{ .name = "reply",
	    .op = "mail_reply",
	    .route = "reply",
	    .prompts = true },
	{ .name = "post", .op = "mail_post", .route = "post" },
	{ .name = "mark-read",
	    .op = "mail_state",
	    .route = "state",
	    .prompts = true },
	{ .name = "list", .op = "mail_list", .route = "list" },
	{ .name = "peek", .op = "mail_peek", .route = "peek" },
	{ .name = "read", .op = "mail_read", .route = "read" },
	{ .name = "mark", .op = "mail_mark", .route = "mark" },
	{ .name = "move", .op = "mail_move", .route = "move" },
	{ .name = "archive", .op = "mail_archive", .route = "archive" },
	{ 0 },
};

/* -- how an argument is spelt ---------------------------------------------- */

/* The first row that is about an argument counts; one without a row is spelt
 * as it is. */
struct verb_spelling {
	const char *verb; /* NULL: of each */
	const char *arg;
	const char *as;            /* NULL: not an option */
	const char *no;            /* the option that says false, or NULL */
	const char *always;        /* its value if it is no option, or NULL */
	const char *help, *unsaid; /* of the two options */
	bool late;                 /* not upstream's: behind all others */
};

static const struct verb_spelling spellings[] = {
	{ .arg = "account" },
	{ .arg = "schema_version" },
	{ .arg = "attachment_labels" },
	{ .verb = "status", .arg = "if_bindings_version" },
	{ .verb = "status", .arg = "extensions" },
	{ .verb = "mark-read", .arg = "read", .always = "true" },
	{ .verb = "list",
	    .arg = "archived",
	    .as = "archived",
	    .no = "not_archived",
	    .help = "only messages that were put away",
	    .unsaid = "only the others" },
	{ .arg = "read",
	    .as = "read",
	    .no = "unread",
	    .help = "mark them as read",
	    .unsaid = "mark them as unread" },
	{ .arg = "answered",
	    .as = "answered",
	    .no = "unanswered",
	    .help = "mark them as answered",
	    .unsaid = "mark them as unanswered" },
	{ .arg = "archived",
	    .as = "archived",
	    .no = "unarchived",
	    .help = "put them away",
	    .unsaid = "put them back into the inbox" },
	{ .verb = "post",
	    .arg = "attachments",
	    .as = "attach",
	    .help = "files to attach" },
	{ .arg = "attachments",
	    .as = "attach",
	    .help = "files below a folder that the session may attach from" },
	{ .arg = "message_refs", .as = "message_ref" },
	{ .arg = "if_bindings_version",
	    .as = "if_bindings_version",
	    .late = true },
	{ .arg = "extensions", .as = "extensions", .late = true },
	{ .arg = "cursor", .as = "cursor", .late = true },
};

static struct verb_spelling
verb_spelling_of(const struct agents_verb *v, const struct arg_spec *s)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		const struct verb_spelling *x = &spellings[i];

		if (str_eq(str_of(x->arg), str_of(s->name)) &&
		    (x->verb == NULL ||
			str_eq(str_of(x->verb), str_of(v->name))))
			return *x;
	}
	return (struct verb_spelling){ .arg = s->name, .as = s->name };
}

static const struct arg_spec selectors[] = {
	{ .name = "agent_name",
	    .type = ARG_TEXT,
	    .help = "the agent whose session is meant; without a selector it "
		    "is this session" },
	{ .name = "agent_id",
	    .type = ARG_TEXT,
	    .help = "the same by the agent's id" },
	{ .name = "manifest_path",
	    .type = ARG_PATH,
	    .help = "the same by the absolute path of its manifest.json" },
	{ .name = "runtime_root",
	    .type = ARG_PATH,
	    .help = "folder of homes, manifests and sessions, for the first "
		    "two; default: HOUMAO_GLOBAL_RUNTIME_DIR, or "
		    "houmao/runtime in the user's folder of settings" },
};

static const struct arg_spec style[] = {
	{ .name = "print_json",
	    .type = ARG_FLAG,
	    .help = "print JSON, on a terminal too" },
	{ .name = "print_plain",
	    .type = ARG_FLAG,
	    .help = "print text for people, even if the output is not a "
		    "terminal" },
};

static const struct arg_spec typed[] = {
	{ .name = AGENTS_TYPED_TIMEOUT,
	    .type = ARG_COUNT,
	    .max = LIMIT_PROMPT_WAIT_S,
	    .help = "if the agent must be asked to do it: seconds to wait for "
		    "it",
	    .def = "60" },
};

static const struct arg_spec live[] = {
	{ .name = "extensions",
	    .type = ARG_FLAG,
	    .help = "also print what the upstream program does not: the "
		    "gateway's socket and the file with its token" },
};

static const struct arg_spec body_file = {
	.name = "body_file",
	.type = ARG_PATH,
	.help = "the same, read from a file (- is standard input)",
};

/* -- the table that is typed ----------------------------------------------- */

struct verb_rows {
	struct arg_spec *v;
	size_t n;
};

static void
verb_add_row(struct verb_rows *t, const struct arg_spec *s, const char *name,
    const char *help)
{
	struct arg_spec *to = &t->v[t->n++];

	*to = *s;
	to->name = name;
	if (help != NULL)
		to->help = help;
}

static void
verb_add_rows(struct verb_rows *t, const struct arg_spec *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		verb_add_row(t, &s[i], s[i].name, NULL);
}

static void
verb_add_spelt(struct verb_rows *t, const struct agents_verb *v,
    const struct arg_spec *s, bool late)
{
	struct verb_spelling x = verb_spelling_of(v, s);
	struct arg_spec flag = { .type = ARG_FLAG };

	if (x.as == NULL || x.late != late)
		return;
	if (x.no != NULL) {
		verb_add_row(t, &flag, x.as, x.help);
		verb_add_row(t, &flag, x.no, x.unsaid);
		return;
	}
	verb_add_row(t, s, x.as, x.help);
	if (s->type != ARG_LONG_TEXT)
		return;
	/* Not --body-content-file: upstream's name is shorter. */
	t->v[t->n - 1].type = ARG_TEXT;
	t->v[t->n - 1].flags = s->flags & ~(unsigned)ARG_REQUIRED;
	verb_add_row(t, &body_file, body_file.name, NULL);
}

#define ROWS(t) (sizeof(t) / sizeof((t)[0]))

const struct arg_spec *
agents_verb_args(struct arena *a, const struct agents_verb *v)
{
	const struct op *op =
	    v->op != NULL ? op_find_mail(str_of(v->op)) : NULL;
	struct verb_rows t = { 0 };
	size_t n = 0;

	while (op != NULL && op->args[n].name != NULL)
		n++;
	t.v = arena_array(a,
	    2 * n + ROWS(selectors) + ROWS(style) + ROWS(live) + ROWS(typed) +
		1,
	    sizeof(*t.v));
	for (size_t i = 0; i < 2 * n; i++)
		verb_add_spelt(&t, v, &op->args[i % n], i >= n);
	if (op == NULL)
		verb_add_rows(&t, live, ROWS(live));
	if (v->prompts)
		verb_add_rows(&t, typed, ROWS(typed));
	verb_add_rows(&t, selectors, ROWS(selectors));
	verb_add_rows(&t, style, ROWS(style));
	return t.v;
}

/* -- the call that is made ------------------------------------------------- */

static int
verb_fill_two(const struct verb_spelling *x, const struct args *given,
    struct arena *a, struct arg *to, struct err *e)
{
	bool yes = args_has(given, x->as), no = args_has(given, x->no);

	if (yes && no)
		return err_set(e, ERR_USAGE, "%s and %s exclude each other",
		    args_find(given, str_of(x->as))->shown,
		    args_find(given, str_of(x->no))->shown);
	if (yes || no)
		str_push(a, &to->text, yes ? S("true") : S("false"));
	return 0;
}

static int
verb_fill_body(const struct args *given, struct arena *a, struct arg *to,
    struct err *e)
{
	struct str text;

	if (args_has(given, to->spec->name)) {
		if (args_has(given, body_file.name))
			return err_set(e, ERR_USAGE,
			    "--body-content and --body-file exclude each "
			    "other");
		to->text = *args_list(given, to->spec->name);
		return 0;
	}
	if (agents_body_read(args_text(given, body_file.name), a, &text, e) < 0)
		return -1;
	str_push(a, &to->text, text);
	return 0;
}

/* The gateway works in another folder than the caller. */
static int
verb_fill_paths(const struct strs *given, struct arena *a, struct arg *to,
    struct err *e)
{
	char here[LIMIT_PATH];

	for (size_t i = 0; i < given->n; i++) {
		struct str path = given->v[i];

		if (!str_starts(path, S("/")) && path.n > 0) {
			if (getcwd(here, sizeof(here)) == NULL)
				return err_set(e, ERR_CONFIG,
				    "the current folder has no path: give "
				    "--attach an absolute one");
			path = str_fmt(a, "%s/%.*s", here, STR_ARG(path));
		}
		str_push(a, &to->text, path);
	}
	return 0;
}

static int
verb_fill(const struct agents_verb *v, const struct args *given,
    struct arena *a, struct arg *to, struct err *e)
{
	struct verb_spelling x = verb_spelling_of(v, to->spec);

	if (x.as == NULL) {
		if (x.always != NULL)
			str_push(a, &to->text, str_of(x.always));
		return 0;
	}
	to->shown = args_find(given, str_of(x.as))->shown;
	if (x.no != NULL)
		return verb_fill_two(&x, given, a, to, e);
	if (to->spec->type == ARG_LONG_TEXT)
		return verb_fill_body(given, a, to, e);
	if (to->spec->type == ARG_PATH)
		return verb_fill_paths(args_list(given, x.as), a, to, e);
	to->text = *args_list(given, x.as);
	return 0;
}

int
agents_verb_call(const struct agents_verb *v, const struct args *given,
    struct arena *a, struct args *out, struct err *e)
{
	const struct op *op = op_find_mail(str_of(v->op));

	args_init(out, op->args, a);
	for (size_t i = 0; i < out->n; i++)
		if (verb_fill(v, given, a, &out->v[i], e) < 0)
			return -1;
	return args_check(out, a, e);
}
