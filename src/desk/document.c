/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a document; what is wrong with it is said with its line. */
#include "desk/document.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/near.h"
#include "base/path.h"
#include "gate/setting.h"

static int
document_read_bytes(struct call *c, struct str *out, struct err *e)
{
	struct str name = args_text(c->args, "file");
	CLEANUP(path_close) int fd = -1;

	if (str_eq(name, S("-")))
		return path_read(STDIN_FILENO, LIMIT_DOCUMENT, c->arena, out,
		    e);
	fd = open(str_c(c->arena, name),
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0) {
		(void)err_set(e, ERR_USAGE, "the file cannot be opened");
		return err_errno(e, "open");
	}
	/* A pipe of the shell's, <(...), is waited for. */
	if (fcntl(fd, F_SETFL, 0) < 0) {
		(void)err_set(e, ERR_USAGE, "the file cannot be opened");
		return err_errno(e, "fcntl");
	}
	return path_read(fd, LIMIT_DOCUMENT, c->arena, out, e);
}

/* Its first members say what it is. */
static int
document_check_head(const struct document *d, const char *kind, struct err *e)
{
	const struct yaml_node *root = document_root(d), *is, *version;

	if (document_need(root, YAML_KIND_MAP, e) < 0)
		return -1;
	is = document_member(d, root, "emcli");
	version = document_member(d, root, "version");
	if (is == NULL || !str_eq(is->text, str_of(kind)))
		return err_set(e, ERR_USAGE,
		    "the file has no line \"emcli: %s\", as an export has",
		    kind);
	if (version == NULL || !str_eq(version->text, S("1")))
		return document_refuse(version != NULL ? version : root, e,
		    "only files of version 1 can be read");
	return 0;
}

/* Some editors write U+FEFF before a text. */
static struct str
document_past_mark(struct str text)
{
	struct str mark = S("\xEF\xBB\xBF");

	return str_starts(text, mark) ? str_from(text, mark.n) : text;
}

int
document_read(struct call *c, const char *kind, struct document *out,
    struct err *e)
{
	static const struct yaml_caps caps = { LIMIT_DOCUMENT,
		LIMIT_DOCUMENT_NODES };
	struct str text = { 0 };

	*out = (struct document){ .a = c->arena };
	if (document_read_bytes(c, &text, e) < 0 ||
	    yaml_nodes(c->arena, document_past_mark(text), &caps, &out->nodes,
		e) < 0)
		return -1;
	return document_check_head(out, kind, e);
}

const struct yaml_node *
document_root(const struct document *d)
{
	return &d->nodes.v[0];
}

const struct yaml_node *
document_next(const struct document *d, const struct yaml_node *of,
    const struct yaml_node *prev)
{
	size_t at = prev == NULL ? (size_t)(of - d->nodes.v) + 1 : prev->end;

	return at < of->end ? &d->nodes.v[at] : NULL;
}

const struct yaml_node *
document_member(const struct document *d, const struct yaml_node *map,
    const char *key)
{
	const struct yaml_node *x = NULL;

	while ((x = document_next(d, map, x)) != NULL)
		if (x->key.p != NULL && str_eq(x->key, str_of(key)))
			return x;
	return NULL;
}

/* "work", or where it is nameless "the value". */
static struct str
document_name(const struct yaml_node *x)
{
	return x->key.p != NULL ? str_first(x->key, 40) : S("the value");
}

int
document_need(const struct yaml_node *x, enum yaml_kind kind, struct err *e)
{
	static const char *const words[] = {
		[YAML_KIND_MAP] = "members, each with a name",
		[YAML_KIND_LIST] = "a list",
		[YAML_KIND_TEXT] = "one value",
	};

	if (x->kind == kind)
		return 0;
	return document_refuse(x, e, "%.*s takes %s", STR_ARG(document_name(x)),
	    words[kind]);
}

int
document_strs(const struct document *d, const struct yaml_node *list,
    struct strs *out, struct err *e)
{
	const struct yaml_node *x = NULL;

	*out = (struct strs){ 0 };
	if (document_need(list, YAML_KIND_LIST, e) < 0)
		return -1;
	while ((x = document_next(d, list, x)) != NULL) {
		if (document_need(x, YAML_KIND_TEXT, e) < 0)
			return -1;
		str_push(d->a, out, x->text);
	}
	return 0;
}

/* Is it one of these, which are only words where they have no quotes? */
static bool
document_is_word(const struct yaml_node *x, const char *words)
{
	struct str rest = str_of(words), word;

	while (x->plain && rest.n > 0) {
		(void)str_cut(rest, ' ', &word, &rest);
		if (str_eq(x->text, word))
			return true;
	}
	return false;
}

int
document_text(const struct yaml_node *x, struct str *out, struct err *e)
{
	*out = S("");
	if (x == NULL)
		return 0;
	if (document_need(x, YAML_KIND_TEXT, e) < 0)
		return -1;
	if (!document_is_word(x, "~ null Null NULL"))
		*out = x->text;
	return 0;
}

struct str
document_word(const struct yaml_node *x)
{
	if (document_is_word(x, "true True TRUE yes Yes YES On ON"))
		return S("on");
	if (document_is_word(x, "false False FALSE no No NO Off OFF"))
		return S("off");
	return x->text;
}

int
document_switch(const struct yaml_node *x, bool *out, struct err *e)
{
	struct str word;

	if (document_need(x, YAML_KIND_TEXT, e) < 0)
		return -1;
	word = document_word(x);
	*out = str_eq(word, S("on"));
	if (*out || str_eq(word, S("off")))
		return 0;
	return document_refuse(x, e, "%.*s is on or off",
	    STR_ARG(document_name(x)));
}

int
document_check_keys(const struct document *d, const struct yaml_node *map,
    const struct strs *known, struct err *e)
{
	const struct yaml_node *x = NULL;

	if (document_need(map, YAML_KIND_MAP, e) < 0)
		return -1;
	while ((x = document_next(d, map, x)) != NULL) {
		struct str quoted = setting_quote(d->a, x->key);
		struct str near = near_pick(x->key, known);

		if (str_among(known, x->key))
			continue;
		return near.n > 0 ? document_refuse(x, e,
					"unknown key %.*s: did you mean %.*s?",
					STR_ARG(quoted), STR_ARG(near))
				  : document_refuse(x, e, "unknown key %.*s",
					STR_ARG(quoted));
	}
	return 0;
}

/* "--imap-host" as the file has it: "imap_host". */
static void
document_name_keys(char *say)
{
	char *to = say;

	for (const char *at = say; *at != '\0';) {
		bool option = (at == say || at[-1] == ' ') && at[0] == '-' &&
		    at[1] == '-' && at[2] >= 'a' && at[2] <= 'z';

		if (option)
			at += 2;
		while (option && ((*at >= 'a' && *at <= 'z') || *at == '-')) {
			*to = '_';
			if (*at != '-')
				*to = *at;
			to++;
			at++;
		}
		if (option && *at != '\0' &&
		    str_ends((struct str){ say, (size_t)(to - say) },
			S("signature_file")))
			to -= 5; /* in a file it is a text */
		if (!option)
			*to++ = *at++;
	}
	*to = '\0';
}

int
document_at(const struct yaml_node *x, struct err *e)
{
	char say[sizeof(e->say)];

	memcpy(say, e->say, sizeof(say));
	document_name_keys(say);
	(void)snprintf(e->say, sizeof(e->say), "line %zu: %.*s", x->line,
	    (int)sizeof(say) - 32, say);
	return -1;
}

int
document_refuse(const struct yaml_node *x, struct err *e, const char *fmt, ...)
{
	char say[sizeof(e->say) - 32];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(say, sizeof(say), fmt, ap);
	va_end(ap);
	return err_set(e, ERR_USAGE, "line %zu: %s", x->line, say);
}
