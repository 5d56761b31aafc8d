/* SPDX-License-Identifier: Apache-2.0 */
/* A call as a stranger wrote it: strict JSON, and nothing that is not known. */
#include "door/argv.h"
#include "door/given.h"
#include "door/out.h"
#include "door/serve/internal.h"
#include "op/op.h"

enum {
	ERRNO_MAX = 4095
};

static int
serve_request_bad(struct err *e, const char *what)
{
	return err_set(e, ERR_USAGE, "a call's \"%s\" is not as it must be",
	    what);
}

/* Only these: a member that is not known may have meant a limit. */
static int
serve_request_known(const struct json_value *v, const char *const *names,
    size_t n, struct arena *a, struct err *e)
{
	struct str name = { 0 };

	while (json_parse_next(v, &name) != NULL) {
		bool known = false;

		for (size_t i = 0; i < n; i++)
			known = known || str_eq(name, str_of(names[i]));
		if (!known)
			return err_set(e, ERR_USAGE, "unknown member %.*s",
			    STR_ARG(out_quote(a, name)));
	}
	return 0;
}

/* Each may be absent. */
static int
serve_request_text(const struct json_value *v, const char *key, struct arena *a,
    struct str *out, struct err *e)
{
	const struct json_value *m = json_parse_member(v, key);

	if (m == NULL)
		return 0;
	if (!json_parse_str(m, out))
		return serve_request_bad(e, key);
	*out = str_dup(a, *out);
	return 0;
}

static int
serve_request_bool(const struct json_value *v, const char *key, bool *out,
    struct err *e)
{
	const struct json_value *m = json_parse_member(v, key);

	return m == NULL || json_parse_bool(m, out) ? 0
						    : serve_request_bad(e, key);
}

static int
serve_request_op(const struct json_value *v, struct arena *a,
    struct serve_request *q, struct err *e)
{
	const struct json_value *args = json_parse_member(v, "args");
	const struct given_own none = { 0 };
	struct str name;

	if (!json_parse_str(json_parse_member(v, "op"), &name))
		return serve_request_bad(e, "op");
	for (size_t i = 0; op_table[i] != NULL && q->op == NULL; i++)
		if (str_eq(name, str_of(op_table[i]->name)))
			q->op = op_table[i];
	if (q->op == NULL)
		return err_set(e, ERR_USAGE, "unknown operation %.*s",
		    STR_ARG(out_quote(a, name)));
	if (!json_parse_is_object(args))
		return serve_request_bad(e, "args");
	args_init(&q->args, q->op->args, a);
	argv_spell_all(&q->args, a);
	return given_read(args, &none, a, &q->args, e);
}

/*
 * Only which it is: whoever lies of it gets files to save that it could have
 * had inline.
 */
static int
serve_request_folder(const struct json_value *v, struct serve_request *q,
    struct args_file *out, struct err *e)
{
	int64_t device = 0, inode = 0;

	if (out->error != 0)
		return 0;
	if (!json_parse_int(json_parse_member(v, "device"), &device) ||
	    !json_parse_int(json_parse_member(v, "inode"), &inode))
		return serve_request_bad(e, "files");
	out->device = (uint64_t)device;
	out->inode = (uint64_t)inode;
	q->saves = true;
	return 0;
}

static int
serve_request_file(const struct json_value *v, struct arena *a,
    struct serve_request *q, struct args_file *out, struct err *e)
{
	static const char *const names[] = { "arg", "at", "error", "text",
		"device", "inode" };
	const struct json_value *error = json_parse_member(v, "error");
	struct str name;
	struct arg *arg;
	int64_t at, why = 0;

	if (!json_parse_is_object(v) ||
	    !json_parse_str(json_parse_member(v, "arg"), &name) ||
	    !json_parse_int(json_parse_member(v, "at"), &at) ||
	    (error != NULL &&
		(!json_parse_int(error, &why) || why < -1 || why == 0 ||
		    why > ERRNO_MAX)))
		return serve_request_bad(e, "files");
	if (serve_request_known(v, names, sizeof(names) / sizeof(names[0]), a,
		e) < 0)
		return -1;
	arg = args_find(&q->args, name);
	if (arg == NULL || at < 0 || (uint64_t)at >= arg->text.n ||
	    !(arg->spec->flags & (ARG_FILE | ARG_SAVES) ||
		arg->spec->type == ARG_LONG_TEXT))
		return serve_request_bad(e, "files");
	arg->file = arg->spec->type == ARG_LONG_TEXT;
	*out = (struct args_file){ .path = arg->text.v[at], .error = (int)why };
	out->folder = (arg->spec->flags & ARG_SAVES) != 0;
	if (out->folder)
		return serve_request_folder(v, q, out, e);
	return serve_request_text(v, "text", a, &out->text, e);
}

static int
serve_request_read_files(const struct json_value *v, struct arena *a,
    struct serve_request *q, struct err *e)
{
	const struct json_value *files = json_parse_member(v, "files");

	q->args.files = &q->files;
	if (files == NULL)
		return 0;
	q->files.n = json_parse_count(files);
	if (!json_parse_is_array(files) || q->files.n > LIMIT_PASSED)
		return serve_request_bad(e, "files");
	q->files.v = arena_array(a, q->files.n, sizeof(*q->files.v));
	for (size_t i = 0; i < q->files.n; i++)
		if (serve_request_file(json_parse_item(files, i), a, q,
			&q->files.v[i], e) < 0)
			return -1;
	return 0;
}

/* Before anything else: what another version means is not known. */
static int
serve_request_version(const struct json_value *v, struct err *e)
{
	int64_t version;

	if (json_parse_int(json_parse_member(v, "v"), &version) &&
	    version == FAR_VERSION)
		return 0;
	(void)err_set(e, ERR_CONFIG, "this emcli speaks %d", FAR_VERSION);
	return err_hint(e,
	    "tell the operator: the broker and the agent's emcli are of "
	    "different versions");
}

/* ERR_USAGE, ERR_CONFIG: it is not even an object of our version. */
static int
serve_request_open(struct str payload, struct json_doc **doc, struct err *e)
{
	if (json_parse_open(payload, LIMIT_FRAME, doc, e) < 0) {
		(void)err_set(e, ERR_USAGE, "a call is not strict JSON");
		return -1;
	}
	return serve_request_version(json_parse_root(*doc), e);
}

int
serve_request(struct str payload, struct arena *a, struct serve_request *out,
    struct err *e)
{
	static const char *const names[] = { "v", "op", "args", "agent",
		"account", "progress", "person", "lines", "files" };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;

	*out = (struct serve_request){ 0 };
	if (serve_request_open(payload, &doc, e) < 0)
		return -1;
	v = json_parse_root(doc);
	if (serve_request_known(v, names, sizeof(names) / sizeof(names[0]), a,
		e) < 0 ||
	    serve_request_op(v, a, out, e) < 0 ||
	    serve_request_text(v, "agent", a, &out->agent, e) < 0 ||
	    serve_request_text(v, "account", a, &out->account, e) < 0 ||
	    serve_request_bool(v, "progress", &out->progress, e) < 0 ||
	    serve_request_bool(v, "person", &out->person, e) < 0 ||
	    serve_request_bool(v, "lines", &out->lines, e) < 0)
		return -1;
	return serve_request_read_files(v, a, out, e);
}

/* The words of its command line, which the door reads as if typed. */
static int
serve_request_argv(const struct json_value *v, struct arena *a,
    struct serve_request_pipe *q, struct err *e)
{
	const struct json_value *list = json_parse_member(v, "argv");
	size_t n = json_parse_count(list);
	struct str word = { 0 };

	if (!json_parse_is_array(list) || n > LIMIT_PIPE_WORDS)
		return serve_request_bad(e, "argv");
	q->argv = arena_array(a, n + 1, sizeof(*q->argv));
	for (size_t i = 0; i < n; i++) {
		if (!json_parse_str(json_parse_item(list, i), &word) ||
		    str_has_char(word, '\0'))
			return serve_request_bad(e, "argv");
		q->argv[q->argc++] = str_c(a, word);
	}
	return 0;
}

int
serve_request_pipe(struct str payload, struct arena *a,
    struct serve_request_pipe *out, struct err *e)
{
	static const char *const names[] = { "v", "pipe", "argv", "agent",
		"account" };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;
	struct str name = { 0 };

	*out = (struct serve_request_pipe){ 0 };
	if (serve_request_open(payload, &doc, e) < 0)
		return -1;
	v = json_parse_root(doc);
	if (serve_request_known(v, names, sizeof(names) / sizeof(names[0]), a,
		e) < 0)
		return -1;
	if (json_parse_str(json_parse_member(v, "pipe"), &name))
		out->what = far_pipe_find(name);
	if (out->what == NULL)
		return serve_request_bad(e, "pipe");
	if (serve_request_argv(v, a, out, e) < 0 ||
	    serve_request_text(v, "agent", a, &out->agent, e) < 0 ||
	    serve_request_text(v, "account", a, &out->account, e) < 0)
		return -1;
	return far_pipe_check(out->what, out->argc, out->argv, e);
}

int
serve_request_files(struct serve_request *q, const struct ipc_passed *with,
    struct err *e)
{
	size_t named = 0, n = 0;
	int r = 0;

	for (size_t i = 0; i < q->files.n; i++)
		named += q->files.v[i].error == 0 && !q->files.v[i].folder;
	if (named != with->n)
		r = err_set(e, ERR_USAGE,
		    "a call has %zu files and %zu descriptors", named, with->n);
	for (size_t i = 0; r == 0 && i < q->files.n; i++) {
		struct args_file *f = &q->files.v[i];
		struct ipc_file is = { 0 };

		if (f->error != 0 || f->folder)
			continue;
		r = ipc_pass_file(with->fd[n++], &is, e);
		f->device = is.device;
		f->inode = is.inode;
	}
	return r;
}
