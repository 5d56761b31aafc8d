/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of threads in the form for callers. */
#include "base/buf.h"
#include "gate/thread.h"
#include "gate/thread_address.h"

#define ID_MAX 998 /* RFC 5322 section 2.1.1: the longest line */

/* All kinds; a source of ours accepts some besides its own. */
static const char *const kinds[] = {
	"rfc5322-message-id",
	"sha256-raw",
	"agentbox-thread-id",
	"gmail-thread-id",
	"jmap-thread-id",
	"ponymail-mid",
};

const char *
thread_name_kind(const struct mailbox *m)
{
	struct str kind = str_of(matrix_id_kind(m->src->acct.backend));

	/* Our own pointer, not an equal text: kinds are compared by address. */
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_eq(kind, str_of(kinds[i])))
			return kinds[i];
	return kinds[0];
}

/* From the first "<" to the next ">", without white space between. */
static bool
thread_name_message_id(struct arena *a, struct str s, struct str *out)
{
	struct str head, tail;
	struct buf b;

	if (!str_cut(s, '<', &head, &tail) || !str_cut(tail, '>', &s, &tail))
		return false;
	buf_init(&b, a, ID_MAX);
	buf_char(&b, '<');
	for (size_t i = 0; i < s.n; i++)
		if (!str_has_char(S(" \t\r\n"), s.p[i]))
			buf_char(&b, s.p[i]);
	buf_char(&b, '>');
	*out = buf_view(&b);
	return !b.over && b.n > 2;
}

static bool
thread_name_is_hash(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (str_hex(s.p[i]) < 0)
			return false;
	return s.n == 64;
}

/* The text after "kind:", and the kind; NULL: it has none. */
static const char *
thread_name_kind_of(struct str text, struct str *id)
{
	*id = text;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct str k = str_of(kinds[i]);

		if (text.n > k.n && text.p[k.n] == ':' && str_starts(text, k)) {
			*id = str_from(text, k.n + 1);
			return kinds[i];
		}
	}
	return NULL;
}

const char *
thread_name_bound(struct str text)
{
	struct str id;
	const char *kind = thread_name_kind_of(str_trim(text), &id);

	/*
	 * Any source reads a Message-ID; only sources that make hashes read
	 * these.
	 */
	if (kind == NULL || kind == kinds[0])
		return "";
	return kind == kinds[1] ? kinds[0] : kind;
}

/* A Message-ID, with or without its angle brackets. */
static int
thread_name_read_id(struct arena *a, struct str s, struct str *out,
    struct err *e)
{
	if (!str_has_char(s, '<'))
		s = str_fmt(a, "<%.*s>", STR_ARG(s));
	if (!thread_name_message_id(a, s, out))
		return err_set(e, ERR_USAGE,
		    "write a Message-ID in angle brackets: <x@y.example>");
	return 0;
}

/* The thread of the message that an address names, if that is visible. */
static int
thread_name_read_message(struct mailbox *m, const struct thread_address *at,
    struct mailbox_thread_name *out, struct err *e)
{
	struct mail mail;

	if (mailbox_head(m, at->folder, at->uid, &mail, e) < 0)
		return e->kind == ERR_NOT_FOUND ? thread_rows_absent(e) : -1;
	if (mail.env.message_id.n == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the message at that address has no Message-ID to find its "
		    "thread by");
	out->kind = kinds[0];
	out->id = mail.env.message_id;
	return 0;
}

static int
thread_name_read_address(struct mailbox *m, struct str url,
    struct mailbox_thread_name *out, struct err *e)
{
	struct thread_address at;

	thread_address_read(m->arena, &m->src->acct, url, &at);
	switch (at.kind) {
	case THREAD_ADDRESS_ID:
		break;
	case THREAD_ADDRESS_MESSAGE:
		return thread_name_read_message(m, &at, out, e);
	case THREAD_ADDRESS_ONE_WAY:
		return err_set(e, ERR_UNSUPPORTED,
		    "this source cannot find a thread by that address: "
		    "give its id or a Message-ID");
	case THREAD_ADDRESS_FOREIGN:
	default:
		return err_set(e, ERR_USAGE,
		    "that is not the address of a thread of this source: "
		    "give one that thread_url returned, or an id");
	}
	if (!at.own)
		return thread_name_read(m, at.id, out, e);
	if (at.id.n > ID_MAX)
		return err_set(e, ERR_USAGE, "that is not the id of a thread");
	out->kind = thread_name_kind(m);
	out->id = at.id;
	return 0;
}

int
thread_name_read(struct mailbox *m, struct str text,
    struct mailbox_thread_name *out, struct err *e)
{
	const char *own = thread_name_kind(m), *kind;
	struct str id;

	text = str_trim(text);
	if (thread_address_is(text))
		return thread_name_read_address(m, text, out, e);
	if (text.n == 0 || text.n > ID_MAX + 20)
		return err_set(e, ERR_USAGE, "that is not the id of a thread");
	kind = thread_name_kind_of(text, &id);
	if (kind == NULL)
		kind = str_has_char(id, '@') ? kinds[0] : own;
	out->kind = kind;
	out->id = id;
	if (kind == kinds[0])
		return thread_name_read_id(m->arena, id, &out->id, e);
	if (kind == kinds[1] && !thread_name_is_hash(id))
		return err_set(e, ERR_USAGE,
		    "sha256-raw takes 64 hexadecimal digits");
	if (kind == kinds[1] && own == kinds[0])
		return 0;
	/* Between kinds, only a Message-ID can be converted. */
	if (!str_eq(str_of(kind), str_of(own)))
		return err_set(e, ERR_USAGE,
		    "this source's threads have ids of the kind %s: give one, "
		    "or a Message-ID",
		    own);
	return 0;
}
