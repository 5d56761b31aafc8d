/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which Authentication-Results fields are trusted, by their position.
 *
 * Servers add trace fields at the top (RFC 5321 section 4.4).  So our servers
 * wrote everything above the Received field of the border server, which is the
 * first of ours to see the message; everything below it came with the message
 * and is from a stranger.  RFC 8601 section 5 requires the border to remove
 * fields that claim to be its own, but not every border does, so the trusted
 * zone is kept small.  From the top down, each Received field is
 *
 * - skipped if it describes a delivery by LMTP (RFC 2033: never from
 * outside), or if it has no `from` and its `by` is a bare IPv6 address, as
 * between Gmail's own machines;
 * - the border's, if its `by` host is the authserv-id or a host within it.
 * Some servers write their results below their own Received field (Gmail;
 * Postfix for most milters): the zone then extends to the next Received
 * field, whoever wrote it, and ends there.  But if one of the server's
 * results is above, the server writes above, and those below do not count;
 * - foreign otherwise: the zone ends before it.
 *
 * The `from` host is ignored: the stranger chose it.  If no Received field ends
 * the zone or is the border's, no server of ours accepted the message from
 * outside, and nothing counts.  But if there is no Received field at all, the
 * message never came from outside, and results in our server's name are our
 * server's.
 */
#include "mime/authres.h"

#include "base/idna.h"
#include "base/limits.h"
#include "mime/internal.h"

struct zone {
	struct arena *a;
	struct str id, domain;
	size_t looked;        /* fields read */
	size_t ours;          /* fields of the server, above its Received */
	size_t passes, fails; /* of the domain */
	size_t others;        /* another result, or for another domain */
	bool bad;             /* one of the server's fields could not be read */
	bool alone; /* no server accepted it: the message is the server's own */
};

/* Is the host `id`, or a host within it? */
static bool
authres_is_ours(struct str host, struct str id)
{
	if (str_eq_case(host, id))
		return true;
	return host.n > id.n + 1 && str_ends_case(host, id) &&
	    host.p[host.n - id.n - 1] == '.';
}

/* RFC 3848, RFC 6531 section 4.3. */
static bool
is_lmtp(struct str with)
{
	return str_starts_case(with, S("LMTP")) ||
	    str_starts_case(with, S("UTF8LMTP"));
}

enum hop {
	HOP_FOREIGN, /* zero: also if it could not be read */
	HOP_WITHIN,
	HOP_BORDER,
};

static enum hop
authres_hop_of(struct str raw, struct str id)
{
	struct authres_trace t;

	if (!authres_trace_read(raw, &t))
		return HOP_FOREIGN;
	if (is_lmtp(t.with) || (t.from.n == 0 && str_has_char(t.by, ':')))
		return HOP_WITHIN;
	return authres_is_ours(t.by, id) ? HOP_BORDER : HOP_FOREIGN;
}

/*
 * RFC 7489 section 11.2: "none", "temperror" and "permerror" mean that the
 * result is not known; only "fail" means that the sender is somebody else.
 */
static void
authres_count(struct zone *z, const struct authres_field *f)
{
	struct str from;
	bool same;

	if (!f->has_dmarc)
		return;
	same = idna_ascii(z->a, f->from, &from) && str_eq(from, z->domain);
	if (same && str_eq_case(f->dmarc, S("pass")))
		z->passes++;
	else if (same && str_eq_case(f->dmarc, S("fail")))
		z->fails++;
	else
		z->others++;
}

static void
authres_look(struct zone *z, struct str raw, bool above)
{
	struct authres_field f;

	if (++z->looked > LIMIT_AUTHRES) {
		z->bad = true;
		return;
	}
	authres_field_read(z->a, raw, &f);
	if (f.id.n == 0 || !str_eq_case(f.id, z->id))
		return;
	z->ours += above;
	z->bad = z->bad || !f.good;
	authres_count(z, &f);
}

/* Reads every field within the zone; false: no server accepted the message. */
static bool
authres_walk(struct zone *z, const struct mime_header *h)
{
	bool above = true, taken = false;

	for (size_t i = 0; i < h->n; i++) {
		const struct mime_field *f = &h->field[i];
		enum hop hop;

		if (str_eq_case(f->name, S("Authentication-Results")))
			authres_look(z, f->value, above);
		if (!str_eq_case(f->name, S("Received")))
			continue;
		taken = true;
		if (!above)
			break;
		hop = authres_hop_of(f->value, z->id);
		if (hop == HOP_FOREIGN || (hop == HOP_BORDER && z->ours > 0))
			return true;
		above = hop == HOP_WITHIN;
	}
	return !above || (z->alone && !taken);
}

enum mime_auth
authres_judge(struct arena *a, struct str head, struct str authserv_id,
    struct str from_domain)
{
	/*
	 * Every server adds a Received field to messages that it accepts (RFC
	 * 5321 section 4.4).  A message without one did not arrive: our server
	 * made it.
	 */
	struct zone z = { .a = a,
		.id = authserv_id,
		.domain = from_domain,
		.alone = true };
	struct mime_header h;

	if (authserv_id.n == 0 || from_domain.n == 0)
		return MIME_AUTH_NONE;
	mime_header_parse(a, head, &h);
	if (h.over || !authres_walk(&z, &h) || z.bad)
		return MIME_AUTH_NONE;
	if (z.fails > 0 || (z.passes > 0 && z.others > 0))
		return MIME_AUTH_FAIL;
	return z.passes > 0 ? MIME_AUTH_PASS : MIME_AUTH_NONE;
}

bool
authres_tells(struct arena *a, struct str head, struct str authserv_id)
{
	struct zone z = { .a = a, .id = authserv_id };
	struct mime_header h;

	mime_header_parse(a, head, &h);
	return authserv_id.n > 0 && !h.over && authres_walk(&z, &h) && !z.bad &&
	    z.passes + z.fails + z.others > 0;
}

/* Servers write a host name or a domain, where RFC 8601 allows any word. */
static bool
authres_is_name(struct str id)
{
	static const struct str not_first = SI(".-");
	bool good = id.n > 0 && id.n <= 253 &&
	    !str_has_char(not_first, id.p[0]) && id.p[id.n - 1] != '.';

	for (size_t i = 0; i < id.n; i++)
		good = good &&
		    (isalnum((unsigned char)id.p[i]) || id.p[i] == '.' ||
			id.p[i] == '-' || id.p[i] == '_');
	return good;
}

void
authres_names(struct arena *a, struct str head, struct strs *out)
{
	struct mime_header h;

	*out = (struct strs){ 0 };
	mime_header_parse(a, head, &h);
	for (size_t i = 0; i < h.n && out->n < LIMIT_AUTHRES_NAMES; i++) {
		struct authres_field f;

		if (!str_eq_case(h.field[i].name, S("Authentication-Results")))
			continue;
		authres_field_read(a, h.field[i].value, &f);
		if (authres_is_name(f.id) && !str_among_case(out, f.id))
			str_push(a, out, f.id);
	}
}
