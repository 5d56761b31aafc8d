/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical forms, RFC 6376 section 3.4, passed directly to SHA-256: only a few
 * bytes are copied at a time, so a message of any size costs only its reading.
 * Stores keep lines that end in LF alone; the signer saw CRLF.
 */
#include <openssl/evp.h>
#include <string.h>

#include "base/ascii.h"
#include "mime/internal.h"

struct sink {
	EVP_MD_CTX *md;
	size_t n;
	char b[4096];
};

static void
sink_done(struct sink *k)
{
	EVP_MD_CTX_free(k->md);
}

static void
dkim_canon_sink_open(struct sink *k)
{
	k->n = 0;
	k->md = EVP_MD_CTX_new();
	if (k->md == NULL || EVP_DigestInit_ex(k->md, EVP_sha256(), NULL) != 1)
		err_bug("no SHA-256");
}

static void
dkim_canon_flush(struct sink *k)
{
	if (EVP_DigestUpdate(k->md, k->b, k->n) != 1)
		err_bug("no SHA-256");
	k->n = 0;
}

static void
dkim_canon_put(struct sink *k, struct str s)
{
	while (s.n > 0) {
		size_t room = sizeof(k->b) - k->n;
		size_t n = s.n < room ? s.n : room;

		memcpy(k->b + k->n, s.p, n);
		k->n += n;
		s = str_from(s, n);
		if (k->n == sizeof(k->b))
			dkim_canon_flush(k);
	}
}

static void
dkim_canon_put_char(struct sink *k, char c)
{
	k->b[k->n++] = c;
	if (k->n == sizeof(k->b))
		dkim_canon_flush(k);
}

static void
dkim_canon_sink_end(struct sink *k, unsigned char out[DKIM_HASH])
{
	unsigned n = 0;

	dkim_canon_flush(k);
	if (EVP_DigestFinal_ex(k->md, out, &n) != 1 || n != DKIM_HASH)
		err_bug("no SHA-256");
}

/* Runs of blanks become one space; blanks at the end of a line are removed. */
static void
dkim_canon_put_line(struct sink *k, struct str line, bool relaxed)
{
	bool blank = false;

	if (!relaxed) {
		dkim_canon_put(k, line);
		return;
	}
	for (size_t i = 0; i < line.n; i++) {
		if (ascii_is_blank(line.p[i])) {
			blank = true;
			continue;
		}
		if (blank)
			dkim_canon_put_char(k, ' ');
		blank = false;
		dkim_canon_put_char(k, line.p[i]);
	}
}

static bool
dkim_canon_is_empty(struct str line, bool relaxed)
{
	for (size_t i = 0; i < line.n; i++)
		if (!relaxed || !ascii_is_blank(line.p[i]))
			return false;
	return true;
}

/* Sections 3.4.3 and 3.4.4: empty lines at the end are ignored. */
void
dkim_canon_body(struct str body, bool relaxed, unsigned char out[DKIM_HASH])
{
	CLEANUP(sink_done) struct sink k;
	size_t empty = 0;
	bool any = false;

	dkim_canon_sink_open(&k);
	while (body.n > 0) {
		struct str line;

		(void)str_cut(body, '\n', &line, &body);
		if (line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		if (dkim_canon_is_empty(line, relaxed)) {
			empty++;
			continue;
		}
		for (; empty > 0; empty--)
			dkim_canon_put(&k, S("\r\n"));
		dkim_canon_put_line(&k, line, relaxed);
		dkim_canon_put(&k, S("\r\n"));
		any = true;
	}
	if (!any && !relaxed)
		dkim_canon_put(&k, S("\r\n"));
	dkim_canon_sink_end(&k, out);
}

/* The bytes of the line end at i of the source, 0 if it is not one. */
static size_t
dkim_canon_line_end(struct str s, size_t i)
{
	if (s.p[i] == '\n')
		return 1;
	return s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 0;
}

static void
dkim_canon_put_simple(struct sink *k, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		size_t end = dkim_canon_line_end(s, i);

		if (end > 0)
			dkim_canon_put(k, S("\r\n"));
		else
			dkim_canon_put_char(k, s.p[i]);
		i += end > 0 ? end : 1;
	}
}

/* A value in parts: leading blanks are removed, others become one space. */
struct value {
	bool any, blank;
};

static void
dkim_canon_put_value(struct sink *k, struct str s, struct value *v)
{
	for (size_t i = 0; i < s.n;) {
		size_t end = dkim_canon_line_end(s, i);

		if (end == 0 && ascii_is_blank(s.p[i])) {
			v->blank = v->any;
		} else if (end == 0) {
			if (v->blank)
				dkim_canon_put_char(k, ' ');
			*v = (struct value){ .any = true };
			dkim_canon_put_char(k, s.p[i]);
		}
		i += end > 0 ? end : 1;
	}
}

/* Sections 3.4.1 and 3.4.2; skips the part in `without` (section 3.5). */
static void
dkim_canon_put_field(struct sink *k, const struct mime_field *f,
    struct str without, bool relaxed)
{
	struct str value = f->value, before = value, behind = S("");
	struct value v = { 0 };

	if (without.p != NULL) {
		before.n = (size_t)(without.p - value.p);
		behind = str_from(value, before.n + without.n);
	}
	if (!relaxed) {
		/* Including its colon, and blanks before that. */
		dkim_canon_put_simple(k,
		    (struct str){ f->name.p, (size_t)(value.p - f->name.p) });
		dkim_canon_put_simple(k, before);
		dkim_canon_put_simple(k, behind);
		return;
	}
	for (size_t i = 0; i < f->name.n; i++) {
		unsigned char c = (unsigned char)f->name.p[i];

		dkim_canon_put_char(k,
		    (char)(c >= 'A' && c <= 'Z' ? c | 0x20U : c));
	}
	dkim_canon_put_char(k, ':');
	dkim_canon_put_value(k, before, &v);
	dkim_canon_put_value(k, behind, &v);
}

/* Section 3.7: the fields, then the signature without its b=. */
void
dkim_canon_head(const struct mime_field *const *field, size_t n,
    const struct mime_field *signature, struct str b, bool relaxed,
    unsigned char out[DKIM_HASH])
{
	CLEANUP(sink_done) struct sink k;

	dkim_canon_sink_open(&k);
	for (size_t i = 0; i < n; i++) {
		dkim_canon_put_field(&k, field[i], (struct str){ 0 }, relaxed);
		dkim_canon_put(&k, S("\r\n"));
	}
	dkim_canon_put_field(&k, signature, b, relaxed);
	dkim_canon_sink_end(&k, out);
}
