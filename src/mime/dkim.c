/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which DKIM signatures vouch for the domain in From (RFC 6376).  A signature
 * only says that a domain has seen the signed parts.  So one vouches for a
 * message only if it covers everything that this program trusts: From, the
 * Subject and the whole body; and only if no field that must appear once
 * appears twice (section 8.15), since the reader may use the one that was not
 * signed.
 */
#include "base/base64.h"
#include "base/idna.h"
#include "base/limits.h"
#include "mime/authres.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

enum {
	SKEW_S = 300, /* tolerated advance of a signer's clock */
	TIME_MAX = 12 /* digits, section 3.5 */
};

/* Facts of the message that all of its signatures share. */
struct reading {
	struct arena *a;
	struct mime_header h;
	struct str body;
	struct str from_domain;
	int64_t now_s;
	bool doubled; /* a field is there twice: nobody can vouch for it */
	bool hashed[2];
	unsigned char hash[2][DKIM_HASH]; /* of the body: simple, relaxed */
	bool *used;                       /* fields that a signature has used */
};

/* RFC 5322 section 3.6, RFC 2045 section 3. */
static bool
dkim_is_doubled(const struct mime_header *h)
{
	static const char *const once[] = { "From", "Sender", "Reply-To", "To",
		"Cc", "Subject", "Date", "Message-ID", "In-Reply-To",
		"References", "MIME-Version", "Content-Type",
		"Content-Transfer-Encoding", "Content-Disposition" };

	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		if (mime_header_count(h, once[i]) > 1)
			return true;
	return h->over || h->blurred || mime_header_count(h, "From") != 1;
}

/* Is the domain from_domain or a parent of it, but not a top-level one? */
static bool
dkim_is_aligned(struct str domain, struct str from_domain)
{
	size_t more = from_domain.n - domain.n;

	if (domain.n > from_domain.n || !str_ends(from_domain, domain) ||
	    !str_has_char(domain, '.'))
		return false;
	return more == 0 || from_domain.p[more - 1] == '.';
}

/* A selector becomes part of a name in a DNS query. */
static bool
dkim_is_selector(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '-' || c == '_' ||
			c == '.'))
			return false;
	}
	return s.n > 0 && s.p[0] != '.' && s.p[s.n - 1] != '.' &&
	    str_find(s, S("..")) < 0;
}

/* t= and x=: the signature is valid between them. */
static bool
dkim_is_timely(const struct reading *r, const struct dkim_tags *t)
{
	const struct dkim_tag *made = dkim_tag_find(t, "t");
	const struct dkim_tag *end = dkim_tag_find(t, "x");
	uint64_t now = (uint64_t)r->now_s, from = 0, to = 0;

	if ((made != NULL &&
		(made->value.n > TIME_MAX ||
		    !str_to_u64(made->value, UINT64_MAX, &from))) ||
	    (end != NULL &&
		(end->value.n > TIME_MAX ||
		    !str_to_u64(end->value, UINT64_MAX, &to))))
		return false;
	if (made != NULL && from > now + SKEW_S)
		return false;
	return end == NULL || (to > from && to > now);
}

/* c=, section 3.5: the default is "simple". */
static bool
dkim_read_canon(const struct dkim_tags *t, bool *head, bool *body)
{
	struct str h, b;
	bool both = str_cut(dkim_tag_get(t, "c", S("simple")), '/', &h, &b);

	if (!both)
		b = S("simple");
	*head = str_eq(h, S("relaxed"));
	*body = str_eq(b, S("relaxed"));
	return (*head || str_eq(h, S("simple"))) &&
	    (*body || str_eq(b, S("simple")));
}

/* Is the domain of i= within d=?  *within: it is a subdomain. */
static bool
dkim_read_identity(struct arena *a, const struct dkim_tags *t,
    struct str domain, bool *within)
{
	const struct dkim_tag *i = dkim_tag_find(t, "i");
	struct str id;

	*within = false;
	if (i == NULL)
		return true;
	if (!str_has_char(i->value, '@') ||
	    !idna_ascii(a, address_domain(i->value), &id))
		return false;
	*within = !str_eq(id, domain);
	return dkim_is_aligned(domain, id);
}

static bool
dkim_body_fits(struct reading *r, struct str bh, bool relaxed)
{
	struct str text = dkim_tag_squeeze(r->a, bh);
	char *p = arena_alloc(r->a, text.n + 3);

	if (base64_decode(p, text) != DKIM_HASH)
		return false;
	if (!r->hashed[relaxed])
		dkim_canon_body(r->body, relaxed, r->hash[relaxed]);
	r->hashed[relaxed] = true;
	return memcmp(p, r->hash[relaxed], DKIM_HASH) == 0;
}

/* The lowest field with that name that was not used yet, section 5.4.2. */
static const struct mime_field *
dkim_take(struct reading *r, struct str name)
{
	for (size_t i = r->h.n; i-- > 0;) {
		if (r->used[i] || !str_eq_case(r->h.field[i].name, name))
			continue;
		r->used[i] = true;
		return &r->h.field[i];
	}
	return NULL;
}

/*
 * The fields that h= names.  A name without a remaining field stands for no
 * field; signers use it to forbid additional fields.
 */
static bool
dkim_head_fits(struct reading *r, const struct mime_field *self, struct str h,
    const struct mime_field **out, size_t *n)
{
	bool from = false;
	bool subject = mime_header_count(&r->h, "Subject") == 0;
	size_t names = 0;

	memset(r->used, 0, r->h.n * sizeof(*r->used));
	r->used[self - r->h.field] = true;
	*n = 0;
	do {
		const struct mime_field *f;
		struct str name;

		(void)str_cut(h, ':', &name, &h);
		name = str_trim(name);
		if (name.n == 0 || ++names > LIMIT_MIME_HEADERS)
			return false;
		from = from || str_eq_case(name, S("From"));
		subject = subject || str_eq_case(name, S("Subject"));
		f = dkim_take(r, name);
		if (f != NULL)
			out[(*n)++] = f;
	} while (h.n > 0);
	return from && subject;
}

/* All checks that need no key. */
static bool
dkim_check(struct reading *r, const struct mime_field *self,
    const struct dkim_tags *t, struct dkim_signature *s)
{
	const struct mime_field **field =
	    arena_array(r->a, r->h.n, sizeof(struct mime_field *));
	struct str algorithm = dkim_tag_get(t, "a", S(""));
	struct str selector = dkim_tag_get(t, "s", S(""));
	const struct dkim_tag *b = dkim_tag_find(t, "b");
	struct dkim *d = arena_new(r->a, struct dkim);
	bool head, body;
	struct str text;
	char *p;
	ptrdiff_t got;
	size_t n;

	d->ed25519 = str_eq(algorithm, S("ed25519-sha256"));
	if (r->doubled || b == NULL ||
	    (!d->ed25519 && !str_eq(algorithm, S("rsa-sha256"))) ||
	    !str_eq(dkim_tag_get(t, "v", S("")), S("1")) ||
	    !dkim_tag_lists(dkim_tag_get(t, "q", S("dns/txt")), S("dns/txt")) ||
	    dkim_tag_find(t, "l") != NULL || !dkim_is_selector(selector) ||
	    !dkim_is_timely(r, t) || !dkim_read_canon(t, &head, &body) ||
	    !dkim_read_identity(r->a, t, s->domain, &d->within) ||
	    !dkim_head_fits(r, self, dkim_tag_get(t, "h", S("")), field, &n) ||
	    !dkim_body_fits(r, dkim_tag_get(t, "bh", S("")), body))
		return false;
	text = dkim_tag_squeeze(r->a, b->value);
	p = arena_alloc(r->a, text.n + 3);
	got = base64_decode(p, text);
	if (got <= 0)
		return false;
	d->b = (struct str){ p, (size_t)got };
	dkim_canon_head(field, n, self, b->whole, head, d->head);
	s->query = str_fmt(r->a, "%.*s._domainkey.%.*s", STR_ARG(selector),
	    STR_ARG(s->domain));
	s->parts = d;
	return s->query.n <= 253; /* RFC 1035 section 2.3.4 */
}

struct dkim_signature *
dkim_here(struct arena *a, struct str raw, struct str from_domain,
    int64_t now_s, size_t *n, bool *bad)
{
	struct dkim_signature *out =
	    arena_array(a, LIMIT_DKIM_SIGNATURES, sizeof(*out));
	struct reading r = { .a = a,
		.from_domain = from_domain,
		.now_s = now_s };
	size_t looked = 0;

	*n = 0;
	*bad = false;
	mime_header_parse(a, raw, &r.h);
	r.body = str_from(raw, r.h.size);
	r.doubled = dkim_is_doubled(&r.h);
	r.used = arena_array(a, r.h.n, sizeof(*r.used));
	for (size_t i = 0; i < r.h.n && looked < LIMIT_DKIM_SIGNATURES; i++) {
		const struct mime_field *f = &r.h.field[i];
		struct dkim_signature *s = &out[*n];
		struct dkim_tags t;

		/*
		 * Without a readable d= the signature belongs to no known
		 * domain.
		 */
		if (!str_eq_case(f->name, S("DKIM-Signature")) ||
		    !dkim_tag_read(a, f->value, &t) ||
		    !idna_ascii(a, dkim_tag_get(&t, "d", S("")), &s->domain) ||
		    !dkim_is_aligned(s->domain, from_domain))
			continue;
		looked++;
		if (dkim_check(&r, f, &t, s))
			(*n)++;
		else
			*bad = true;
	}
	return out;
}

bool
dkim_here_verify(struct arena *a, const struct dkim_signature *s,
    const struct strs *records)
{
	/* The RFC does not expect several (section 3.6.2.2); few are tried. */
	for (size_t i = 0; i < records->n && i < LIMIT_DKIM_RECORDS; i++)
		if (dkim_key_verify(a, records->v[i], s->parts))
			return true;
	return false;
}

struct dkim_signature *
dkim_read(struct arena *a, struct str raw, struct str from_domain,
    int64_t now_s, size_t *n, bool *bad)
{
	if (mime_elsewhere_by != NULL)
		return mime_elsewhere_by->dkim(a, raw, from_domain, now_s, n,
		    bad);
	return dkim_here(a, raw, from_domain, now_s, n, bad);
}

bool
dkim_verify(struct arena *a, const struct dkim_signature *s,
    const struct strs *records)
{
	if (mime_elsewhere_by != NULL)
		return mime_elsewhere_by->verify(a, s, records);
	return dkim_here_verify(a, s, records);
}
