/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses a DNS response (RFC 1035 section 4.1).  Compression pointers must
 * point backwards, so that there are no loops.
 */
#include "source/dns.h"

#include "base/buf.h"
#include "base/limits.h"

enum {
	HEADER = 12,
	NAME_BYTES = 255,
	RECORDS = 64, /* more of one name are skipped */
	CLASS_IN = 1
};

struct packet {
	const unsigned char *p;
	size_t n, at;
};

static bool
dns_take(struct packet *k, uint16_t *out)
{
	if (k->n - k->at < 2)
		return false;
	*out = (uint16_t)(k->p[k->at] << 8 | k->p[k->at + 1]);
	k->at += 2;
	return true;
}

/*
 * A label as text; characters not allowed in host names invalidate the record.
 */
static bool
dns_put_label(struct buf *b, const unsigned char *p, size_t n)
{
	if (b->n > 0)
		buf_char(b, '.');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = p[i];

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c - 'A' + 'a');
		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			c == '-' || c == '_'))
			return false;
		buf_char(b, (char)c);
	}
	return true;
}

/* Section 4.1.4.  False: truncated or a loop; *good: a host name. */
static bool
dns_take_name(struct packet *k, struct buf *b, bool *good)
{
	size_t at = k->at, least = k->at;
	bool jumped = false;

	*good = true;
	for (;;) {
		size_t n;

		if (at >= k->n)
			return false;
		n = k->p[at];
		if (n >= 0xc0) {
			size_t to;

			if (at + 1 >= k->n)
				return false;
			to = (n & 0x3f) << 8 | k->p[at + 1];
			if (!jumped)
				k->at = at + 2;
			jumped = true;
			if (to >= least)
				return false;
			at = least = to;
			continue;
		}
		if (n > 63 || k->n - at - 1 < n)
			return false;
		at += n + 1;
		if (n == 0)
			break;
		*good = dns_put_label(b, k->p + at - n, n) && *good;
		if (b->n > NAME_BYTES)
			return false;
	}
	if (!jumped)
		k->at = at;
	return true;
}

static bool
dns_skip_name(struct packet *k, struct arena *a)
{
	struct buf b;
	bool good;

	buf_init(&b, a, NAME_BYTES + 64);
	return dns_take_name(k, &b, &good);
}

/* A record's data, RFC 2782 and RFC 1035 section 3.3.9. */
static bool
dns_read_data(struct packet *k, struct arena *a, enum dns_type type,
    struct dns_record *out, bool *good)
{
	struct buf b;

	if (!dns_take(k, &out->priority))
		return false;
	if (type == DNS_SRV &&
	    (!dns_take(k, &out->weight) || !dns_take(k, &out->port)))
		return false;
	buf_init(&b, a, NAME_BYTES + 64);
	if (!dns_take_name(k, &b, good))
		return false;
	out->host = buf_view(&b);
	return true;
}

/* The next record; its data is what is left to read in *data. */
static bool
dns_take_record(struct packet *k, struct arena *a, uint16_t *kind,
    struct packet *data)
{
	uint16_t class, ttl, length;

	if (!dns_skip_name(k, a) || !dns_take(k, kind) ||
	    !dns_take(k, &class) || !dns_take(k, &ttl) || !dns_take(k, &ttl) ||
	    !dns_take(k, &length) || k->n - k->at < length)
		return false;
	*data = (struct packet){ k->p, k->at + length, k->at };
	k->at += length;
	if (class != CLASS_IN)
		*kind = 0;
	return true;
}

static bool
dns_read_record(struct packet *k, struct arena *a, enum dns_type type,
    struct dns_records *out)
{
	struct dns_record r = { 0 };
	struct packet data;
	uint16_t kind;
	bool good = false;

	if (!dns_take_record(k, a, &kind, &data))
		return false;
	if (kind != (uint16_t)type || out->n == RECORDS)
		return true;
	if (!dns_read_data(&data, a, type, &r, &good))
		return false;
	if (good)
		out->v[out->n++] = r;
	return true;
}

/* Character-strings, RFC 1035 section 3.3.14, as one text. */
static bool
dns_read_strings(struct packet *k, struct arena *a, struct strs *out)
{
	struct buf b;

	buf_init(&b, a, LIMIT_DKIM_KEY);
	while (k->at < k->n) {
		size_t n = k->p[k->at++];

		if (k->n - k->at < n)
			return false;
		buf_add(&b, k->p + k->at, n);
		k->at += n;
	}
	if (!b.over)
		str_push(a, out, buf_view(&b));
	return true;
}

static bool
dns_read_text_record(struct packet *k, struct arena *a, struct strs *out)
{
	struct packet data;
	uint16_t kind;

	if (!dns_take_record(k, a, &kind, &data))
		return false;
	return kind != DNS_TXT || out->n == RECORDS ||
	    dns_read_strings(&data, a, out);
}

/* Up to the first answer; *cut: the response is truncated. */
static bool
dns_open_packet(struct packet *k, struct arena *a, uint16_t *answers, bool *cut)
{
	uint16_t id, flags, questions, rest;

	if (k->n < HEADER || !dns_take(k, &id) || !dns_take(k, &flags) ||
	    !dns_take(k, &questions) || !dns_take(k, answers) ||
	    !dns_take(k, &rest) || !dns_take(k, &rest))
		return false;
	*cut = (flags & 0x0200) != 0;
	/* It must be a response; a missing name shows as no answers. */
	if ((flags & 0x8000) == 0 || questions > 1)
		return false;
	return questions == 0 ||
	    (dns_skip_name(k, a) && dns_take(k, &rest) && dns_take(k, &rest));
}

static int
dns_nonsense(struct err *e)
{
	return err_set(e, ERR_NETWORK, "the name server's answer is malformed");
}

/* By priority, then by weight: deterministic, RFC 6186 section 3.3. */
static int
dns_better(const void *x, const void *y)
{
	const struct dns_record *p = x, *q = y;

	if (p->priority != q->priority)
		return p->priority < q->priority ? -1 : 1;
	if (p->weight != q->weight)
		return p->weight > q->weight ? -1 : 1;
	return str_cmp(p->host, q->host);
}

int
dns_read(struct arena *a, struct str packet, enum dns_type type,
    struct dns_records *out, struct err *e)
{
	struct packet k = { (const unsigned char *)packet.p, packet.n, 0 };
	uint16_t answers = 0;
	bool cut = false;
	bool ok = dns_open_packet(&k, a, &answers, &cut);

	*out = (struct dns_records){ .v = arena_array(a, RECORDS,
					 sizeof(*out->v)) };
	for (unsigned i = 0; ok && i < answers; i++)
		ok = dns_read_record(&k, a, type, out);
	if (!ok)
		return dns_nonsense(e);
	qsort(out->v, out->n, sizeof(*out->v), dns_better);
	return 0;
}

int
dns_read_text(struct arena *a, struct str packet, struct strs *out,
    struct err *e)
{
	struct packet k = { (const unsigned char *)packet.p, packet.n, 0 };
	uint16_t answers = 0;
	bool cut = false;
	bool ok = dns_open_packet(&k, a, &answers, &cut);

	*out = (struct strs){ 0 };
	/* A partial answer is an error: the rest may revoke a key. */
	for (unsigned i = 0; ok && !cut && i < answers; i++)
		ok = dns_read_text_record(&k, a, out);
	if (!ok)
		return dns_nonsense(e);
	if (cut)
		return err_set(e, ERR_NETWORK,
		    "the name server's answer was truncated");
	return 0;
}
