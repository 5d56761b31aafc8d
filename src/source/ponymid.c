/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mid = base32(the first 20 bytes of HMAC-SHA-256(list, canonical message)).
 *
 * The canonical message has CRLF line ends; of the header the fields below, in
 * order and with repeats, each in DKIM's relaxed form (RFC 6376 section 3.4.2);
 * then an empty line; then the body in a form similar to DKIM's simple one
 * (section 3.4.3): several line ends at its end become one, none becomes CRLF,
 * but a last line without an end stays so.
 */
#include "source/ponymid.h"

#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "net/sha256.h"

/* Sorted, in lower case. */
static const char *const kept[] = {
	"cc",
	"content-description",
	"content-id",
	"content-transfer-encoding",
	"content-type",
	"date",
	"dkim-signature",
	"from",
	"in-reply-to",
	"list-archive",
	"list-help",
	"list-id",
	"list-owner",
	"list-post",
	"list-subscribe",
	"list-unsubscribe",
	"message-id",
	"mime-version",
	"references",
	"reply-to",
	"resent-cc",
	"resent-date",
	"resent-from",
	"resent-message-id",
	"resent-sender",
	"resent-to",
	"sender",
	"subject",
	"to",
};

static bool
ponymid_is_kept(struct str name)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (str_eq_case(name, str_of(kept[i])))
			return true;
	return false;
}

/* The line that begins at *at, without its end: CRLF, CR or LF. */
static struct str
ponymid_next_line(struct str s, size_t *at)
{
	size_t i = *at;
	struct str line = { s.p + i, 0 };

	while (i < s.n && s.p[i] != '\r' && s.p[i] != '\n')
		i++;
	line.n = i - *at;
	if (i < s.n)
		i +=
		    s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 1;
	*at = i;
	return line;
}

static struct str
ponymid_trim_blanks(struct str s)
{
	while (s.n > 0 && ascii_is_blank(s.p[0]))
		s = str_from(s, 1);
	while (s.n > 0 && ascii_is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Adds the text without white space, except one space between words. */
static void
ponymid_put_words(struct buf *b, struct str s, bool *begun, bool *blank)
{
	for (size_t i = 0; i < s.n; i++) {
		if (ascii_is_blank(s.p[i])) {
			*blank = true;
			continue;
		}
		if (*blank && *begun)
			buf_char(b, ' ');
		buf_char(b, s.p[i]);
		*begun = true;
		*blank = false;
	}
}

static void
ponymid_put_name(struct buf *b, struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 32);
		buf_char(b, c);
	}
	buf_char(b, ':');
}

/*
 * Writes the header's fields; returns where the body begins, past the end if
 * there is none.
 */
static size_t
ponymid_put_header(struct buf *b, struct str raw)
{
	bool open = false, begun = false, blank = false;
	size_t at = 0;

	while (at < raw.n) {
		struct str line = ponymid_next_line(raw, &at), name, value;

		if (line.n == 0)
			break;
		/* A continuation line without a field is dropped. */
		if (ascii_is_blank(line.p[0])) {
			if (open)
				ponymid_put_words(b, line, &begun, &blank);
			continue;
		}
		if (open)
			buf_text(b, "\r\n");
		(void)str_cut(line, ':', &name, &value);
		name = ponymid_trim_blanks(name);
		open = ponymid_is_kept(name);
		if (!open)
			continue;
		begun = blank = false;
		ponymid_put_name(b, name);
		ponymid_put_words(b, value, &begun, &blank);
	}
	if (open)
		buf_text(b, "\r\n");
	return at;
}

static void
ponymid_put_body(struct buf *b, struct str body)
{
	size_t begin = b->n, at = 0;

	while (at < body.n) {
		struct str line = ponymid_next_line(body, &at);

		buf_str(b, line);
		/* The last line may have no end. */
		if (line.p + line.n < body.p + body.n)
			buf_text(b, "\r\n");
	}
	while (b->n - begin >= 4 && memcmp(b->p + b->n - 4, "\r\n\r\n", 4) == 0)
		b->n -= 2;
	if (b->n == begin)
		buf_text(b, "\r\n");
}

struct str
ponymid_list(struct arena *a, struct str list)
{
	static const struct str plain =
	    SI("-+~_<>.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	       "0123456789");
	struct str head, rest;
	struct buf b;

	/* The text before "<" is a description, and may be quoted. */
	if (str_cut(list, '<', &head, &rest))
		(void)str_cut(rest, '>', &list, &rest);
	list = str_trim(list);
	if (!str_has_char(list, '.') && !str_has_char(list, '@'))
		return S("");
	buf_init(&b, a, list.n + 3);
	buf_char(&b, '<');
	for (size_t i = 0; i < list.n; i++) {
		char c = list.p[i];

		if (c == '@')
			c = '.';
		if (!str_has_char(plain, c))
			c = '_';
		buf_char(&b, c);
	}
	buf_char(&b, '>');
	return buf_view(&b);
}

struct str
ponymid_base32(struct arena *a, const unsigned char *p, size_t n)
{
	static const char letters[] = "0123456789bcdfghjklmnopqrstvwxyz";
	struct buf b;
	unsigned have = 0, bits = 0;

	buf_init(&b, a, n * 2 + 2);
	for (size_t i = 0; i < n; i++) {
		bits = (bits << 8 | p[i]) & 0xfff;
		for (have += 8; have >= 5; have -= 5)
			buf_char(&b, letters[bits >> (have - 5) & 31]);
	}
	if (have > 0)
		buf_char(&b, letters[bits << (5 - have) & 31]);
	return buf_view(&b);
}

struct str
ponymid_of(struct arena *a, struct str raw, struct str list)
{
	struct str key = ponymid_list(a, list);
	unsigned char mac[32];
	struct buf b;
	size_t at;

	if (list.n > 0 && key.n == 0)
		return S("");
	/* A line end of one byte may become two, and some are added. */
	buf_init(&b, a, 2 * raw.n + 16);
	at = ponymid_put_header(&b, raw);
	buf_text(&b, "\r\n");
	ponymid_put_body(&b, str_from(raw, at));
	sha256_hmac(key, buf_view(&b), mac);
	return ponymid_base32(a, mac, 20);
}
