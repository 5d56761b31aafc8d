/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The conversation: messages of Chat Completions, and a file of them, one a
 * line, to continue it later.  A question for an existing file begins another
 * turn of the user, where nothing is loaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/path.h"
#include "door/out.h"
#include "door/skills/ask.h"

static int
ask_talk_too_long(struct err *e)
{
	return err_set(e, ERR_LIMIT, "the conversation is longer than %lu MiB",
	    LIMIT_ASK_TALK >> 20);
}

/* The state of reading a file. */
struct reader {
	struct ask_talk *t;
	size_t since, waiting; /* calls at `since` without answers */
};

/*
 * An interrupted run may have left calls without results, which endpoints
 * reject: they are left out, with the answers to the others.
 */
static void
drop_waiting(struct reader *r)
{
	if (r->waiting > 0)
		r->t->message.n = r->since;
	r->waiting = 0;
}

static int
ask_talk_keep(struct reader *r, struct str line, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v;
	struct err why = { 0 };
	struct str role = { 0 };

	if (json_parse_open(line, LIMIT_ASK_TALK, &d, &why) < 0)
		return err_because(e, "%s", why.say);
	v = json_parse_root(d);
	if (!json_parse_str(json_parse_member(v, "role"), &role))
		return err_because(e, "no role");
	if (!str_eq(role, S("tool")))
		drop_waiting(r);
	/* Each run writes the system message again. */
	if (str_eq(role, S("system")))
		return 0;
	if (str_eq(role, S("tool"))) {
		if (r->waiting == 0)
			return 0;
		r->waiting--;
	} else if (str_eq(role, S("assistant"))) {
		r->since = r->t->message.n;
		r->waiting =
		    json_parse_count(json_parse_member(v, "tool_calls"));
	} else if (!str_eq(role, S("user"))) {
		return err_because(e, "an unknown role");
	}
	str_push(r->t->a, &r->t->message, line);
	return 0;
}

static int
ask_talk_read_file(struct ask_talk *t, struct err *e)
{
	struct reader r = { .t = t };
	struct err why = { 0 };
	struct str text, line;
	size_t n = 0;

	if (path_read(t->fd, LIMIT_ASK_TALK, t->a, &text, &why) < 0)
		return why.kind == ERR_LIMIT
		    ? ask_talk_too_long(e)
		    : err_set(e, ERR_CONFIG, "the transcript cannot be read");
	t->bytes = text.n;
	while (text.n > 0) {
		(void)str_cut(text, '\n', &line, &text);
		n++;
		if (str_trim(line).n > 0 && ask_talk_keep(&r, line, &why) < 0) {
			(void)err_set(e, ERR_CONFIG,
			    "line %zu of the transcript is not a message", n);
			return err_because(e, "%s", why.detail);
		}
	}
	drop_waiting(&r);
	return 0;
}

static int
cannot_open(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "the transcript cannot be opened");
	return err_errno(e, what);
}

/* A new file is private, and never replaces another. */
static int
ask_talk_open_file(int folder, const char *file)
{
	const int flags =
	    O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	int fd = openat(folder, file, flags);

	if (fd < 0 && errno == ENOENT)
		fd = openat(folder, file, flags | O_CREAT | O_EXCL, 0600);
	return fd;
}

/*
 * The file contains mail: it and its folder are private, and it has one name.
 */
static int
ask_talk_check_file(int folder, int fd, struct err *e)
{
	struct stat in, st;

	if (fstat(folder, &in) < 0 || fstat(fd, &st) < 0)
		return cannot_open(e, "fstat");
	if ((in.st_mode & 077) != 0 || in.st_uid != geteuid())
		return err_set(e, ERR_CONFIG,
		    "others have access to the folder of transcripts: chmod "
		    "700 it");
	if (!S_ISREG(st.st_mode) || (st.st_mode & 077) != 0 ||
	    st.st_uid != geteuid() || st.st_nlink != 1)
		return err_set(e, ERR_CONFIG,
		    "the transcript is not a single regular file, or others "
		    "have access to it: chmod 600 it");
	return 0;
}

int
ask_talk_open(struct ask_talk *t, struct str folder, struct str file,
    struct arena *a, struct err *e)
{
	CLEANUP(path_close) int dir = -1;

	*t = (struct ask_talk){ .a = a, .fd = -1 };
	if (folder.n == 0)
		return 0;
	dir = open(str_c(a, folder),
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return cannot_open(e, "transcript_dir");
	t->fd = ask_talk_open_file(dir, str_c(a, file));
	if (t->fd < 0)
		return cannot_open(e, "open");
	return ask_talk_check_file(dir, t->fd, e) < 0
	    ? -1
	    : ask_talk_read_file(t, e);
}

void
ask_talk_close(struct ask_talk *t)
{
	path_close(&t->fd);
}

static int
ask_talk_put_line(struct ask_talk *t, struct str text, struct err *e)
{
	t->bytes += text.n + 1;
	if (t->bytes > LIMIT_ASK_TALK)
		return ask_talk_too_long(e);
	if (t->fd < 0)
		return 0;
	if (out_write(t->fd, str_fmt(t->a, "%.*s\n", STR_ARG(text))) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "the transcript cannot be written");
	return err_errno(e, "write");
}

static int
ask_talk_add(struct ask_talk *t, const struct json *j, struct err *e)
{
	struct str text = json_text(j, t->a);

	str_push(t->a, &t->message, text);
	return ask_talk_put_line(t, text, e);
}

static struct json *
ask_talk_said(struct ask_talk *t, const char *role, struct str text)
{
	struct json *j = json_new(t->a);

	json_open_object(j, NULL);
	json_put_text(j, "role", role);
	json_put_str(j, "content", text);
	json_close_object(j);
	return j;
}

int
ask_talk_system(struct ask_talk *t, struct str text, struct err *e)
{
	t->told = json_text(ask_talk_said(t, "system", text), t->a);
	return ask_talk_put_line(t, t->told, e);
}

int
ask_talk_user(struct ask_talk *t, struct str text, struct err *e)
{
	return ask_talk_add(t, ask_talk_said(t, "user", text), e);
}

static void
ask_talk_put_call(struct json *j, const struct ask_call *c, struct str made)
{
	struct str id = buf_view(&c->id), args = buf_view(&c->args);

	json_open_object(j, NULL);
	json_put_str(j, "id", id.n > 0 ? id : made);
	json_put_text(j, "type", "function");
	json_open_object(j, "function");
	json_put_str(j, "name", c->name.n > 0 ? buf_view(&c->name) : S("none"));
	json_put_str(j, "arguments", str_trim(args).n > 0 ? args : S("{}"));
	json_close_object(j);
	json_close_object(j);
}

int
ask_talk_answer(struct ask_talk *t, const struct ask_answer *v, struct err *e)
{
	struct json *j = json_new(t->a);

	json_open_object(j, NULL);
	json_put_text(j, "role", "assistant");
	if (v->text.n > 0 || v->calls == 0)
		json_put_str(j, "content", buf_view(&v->text));
	else
		json_put_null(j, "content");
	if (v->calls > 0) {
		json_open_array(j, "tool_calls");
		/*
		 * Some endpoints give a call no id, but expect one in its
		 * result.
		 */
		for (size_t i = 0; i < v->calls; i++)
			ask_talk_put_call(j, &v->call[i],
			    str_fmt(t->a, "call_%zu_%zu", t->message.n, i));
		json_close_array(j);
	}
	json_close_object(j);
	return ask_talk_add(t, j, e);
}

int
ask_talk_result(struct ask_talk *t, const struct answer *v, struct err *e)
{
	struct json *j = json_new(t->a);

	answer_put_one(j, TURN_OPENAI, v);
	return ask_talk_add(t, j, e);
}

struct str
ask_talk_request(const struct ask_talk *t, const struct ask_model *m,
    uint32_t max_tokens, struct arena *a)
{
	struct json *name = json_new(a);
	struct buf b;

	json_put_str(name, NULL, m->name);
	buf_init(&b, a, 2 * LIMIT_ASK_TALK);
	buf_fmt(&b, "{\"model\":%.*s,\"messages\":[",
	    STR_ARG(json_text(name, a)));
	buf_str(&b, t->told);
	for (size_t i = 0; i < t->message.n; i++) {
		buf_char(&b, ',');
		buf_str(&b, t->message.v[i]);
	}
	buf_text(&b,
	    "],\"stream\":true,\"stream_options\":{\"include_usage\":true}");
	if (max_tokens > 0)
		buf_fmt(&b, ",\"%s\":%u", m->max_tokens, max_tokens);
	buf_char(&b, '}');
	return buf_view(&b);
}
