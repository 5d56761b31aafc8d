/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/md5.h"
#include "runtime/runtime.h"

#define MADE_OF 40 /* bytes of a name made of a tool and a role */

static bool
name_is_alnum(char c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

/* Letters, digits and `marks`, a letter or a digit first. */
static bool
name_is_part(struct str s, const char *marks)
{
	if (s.n == 0 || !name_is_alnum(s.p[0]))
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (!name_is_alnum(s.p[i]) &&
		    !str_has_char(str_of(marks), s.p[i]))
			return false;
	return str_find(s, S("..")) < 0;
}

bool
name_is_reserved(struct str address)
{
	return str_starts(address, S(NAME_PREFIX)) &&
	    str_ends(address, S("@" NAME_DOMAIN));
}

bool
name_is_principal(struct str s)
{
	return s.n <= LIMIT_PRINCIPAL && name_is_part(s, "._-");
}

/* This machine itself: RFC 6761 section 6.3, and the addresses of it. */
static bool
name_is_loopback(struct str host)
{
	return str_eq_case(host, S("localhost")) || str_eq(host, S("[::1]")) ||
	    str_eq(host, S("127.0.0.1"));
}

/* RFC 3986, section 3.2, without the user's part. */
static bool
name_is_authority(struct str s, bool loopback)
{
	struct str host = s, port = { 0 };
	uint32_t n;

	if (str_has_char(s, '@') || str_has_char(s, '\\'))
		return false;
	if (str_starts(s, S("["))) {
		ptrdiff_t end = str_find(s, S("]"));

		if (end < 0)
			return false;
		host = str_first(s, (size_t)end + 1);
		port = str_from(s, host.n);
		if (port.n > 0 && port.p[0] != ':')
			return false;
		port = str_from(port, 1);
	} else {
		str_cut(s, ':', &host, &port);
	}
	if (host.n == 0 || (host.n + port.n < s.n && port.n == 0))
		return false;
	if (port.n > 0 && !str_to_u32(port, 65535, &n))
		return false;
	return !loopback || name_is_loopback(host);
}

bool
name_is_url(struct str s)
{
	struct str rest;
	size_t n = 0;
	bool plain = str_starts_case(s, S("http://"));

	if (s.n > LIMIT_URL || (!plain && !str_starts_case(s, S("https://"))))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= 0x20 ||
		    (unsigned char)s.p[i] >= 0x7f || s.p[i] == '#')
			return false;
	rest = str_from(s, plain ? 7 : 8);
	while (n < rest.n && rest.p[n] != '/' && rest.p[n] != '?')
		n++;
	return name_is_authority(str_first(rest, n), plain);
}

bool
name_is_secret(struct str key)
{
	static const struct str ends[] = { SI("password"), SI("passwd"),
		SI("passphrase"), SI("secret"), SI("token"), SI("api_key"),
		SI("api-key"), SI("apikey"), SI("private_key") };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (str_ends_case(key, ends[i]))
			return true;
	return false;
}

/* Is it the name of an agent, and not of a folder or a file? */
static bool
name_is_agent(struct str s)
{
	return s.n > 0 && s.p[0] != '.' && s.p[0] != '~' &&
	    !str_has_char(s, '/') && !str_has_char(s, '\\') &&
	    !str_ends_case(s, S(".json"));
}

static void
name_cut_marks(struct buf *b)
{
	while (b->n > 0 && str_has_char(S("-_"), b->p[b->n - 1]))
		b->p[--b->n] = '\0';
}

/* Adds what is left of a tool's or a role's name, or `none`. */
static void
name_add_component(struct buf *b, struct str s, const char *none)
{
	size_t begin = b->n;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!name_is_alnum(c) && c != '_')
			c = '-';
		/* No mark first, and none twice. */
		if (name_is_alnum(c) || (b->n > begin && b->p[b->n - 1] != c))
			buf_char(b, c);
	}
	while (b->n > begin && str_has_char(S("-_"), b->p[b->n - 1]))
		b->p[--b->n] = '\0';
	if (b->n == begin)
		buf_text(b, none);
}

struct str
name_principal(struct arena *a, struct str agent, struct str tool,
    struct str role)
{
	struct buf b;

	if (name_is_agent(agent))
		return str_starts(agent, S(NAME_PREFIX))
		    ? str_dup(a, agent)
		    : str_fmt(a, NAME_PREFIX "%.*s", STR_ARG(agent));
	buf_init(&b, a, LIMIT_ARGV);
	name_add_component(&b, tool, "tool");
	buf_char(&b, '-');
	name_add_component(&b, role, "role");
	if (b.n > MADE_OF) {
		b.p[b.n = MADE_OF] = '\0';
		name_cut_marks(&b);
	}
	return str_fmt(a, NAME_PREFIX "%.*s", STR_ARG(buf_view(&b)));
}

struct str
name_address(struct arena *a, struct str principal)
{
	struct str local = principal;

	if (str_starts(local, S(NAME_PREFIX)))
		local = str_from(local, sizeof(NAME_PREFIX) - 1);
	return str_fmt(a, "%.*s@" NAME_DOMAIN, STR_ARG(local));
}

struct str
name_agent_id(struct arena *a, struct str agent)
{
	unsigned char sum[16];

	if (agent.n == 0)
		return (struct str){ 0 };
	md5_of(agent, sum);
	return str_hex_dup(a, sum, sizeof(sum));
}
