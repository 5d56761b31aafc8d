/* SPDX-License-Identifier: Apache-2.0 */
/* Checks names before they become paths: pure, and strict. */
#include <sys/random.h>

#include "backend/agentbox/internal.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/utf8.h"

#define HEX32 32

static bool
name_is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	    (c >= 'a' && c <= 'z');
}

/* Letters, digits and `also`; first a letter or a digit. */
static bool
name_is_part(struct str s, const char *also)
{
	if (s.n == 0 || !name_is_alnum(s.p[0]))
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (!name_is_alnum(s.p[i]) &&
		    (s.p[i] == '\0' || strchr(also, s.p[i]) == NULL))
			return false;
	return str_find(s, S("..")) < 0;
}

/* Does it end like a mailbox put aside?  Its digits may have either case here,
 * so that no other program takes an address for one. */
static bool
name_looks_stashed(struct str s)
{
	size_t n = s.n > HEX32 + 2 ? s.n - HEX32 - 2 : 0;

	if (n == 0 || s.p[n] != '-' || s.p[n + 1] != '-')
		return false;
	for (size_t i = n + 2; i < s.n; i++)
		if (str_hex(s.p[i]) < 0)
			return false;
	return true;
}

bool
agentbox_name_address(struct str s)
{
	struct str local, domain;

	if (s.n > LIMIT_AGENT_ADDRESS || name_looks_stashed(s) ||
	    !str_cut(s, '@', &local, &domain))
		return false;
	return name_is_part(local, "._+-") && name_is_part(domain, ".-") &&
	    name_is_alnum(domain.p[domain.n - 1]);
}

static bool
name_is_hex(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= '0' && s.p[i] <= '9') &&
		    !(s.p[i] >= 'a' && s.p[i] <= 'f'))
			return false;
	return true;
}

bool
agentbox_name_stashed(struct str s)
{
	return name_looks_stashed(s) && name_is_hex(str_from(s, s.n - HEX32)) &&
	    agentbox_name_address(str_first(s, s.n - HEX32 - 2));
}

/* '0' in the pattern stands for a digit, anything else for itself. */
static bool
name_fits(struct str s, const char *pattern)
{
	if (s.n != strlen(pattern))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (pattern[i] == '0' ? s.p[i] < '0' || s.p[i] > '9'
				      : s.p[i] != pattern[i])
			return false;
	return true;
}

bool
agentbox_name_message(struct str s)
{
	static const char head[] = "msg-00000000T000000Z-";
	const size_t n = sizeof(head) - 1;

	return s.n == n + HEX32 && name_fits(str_first(s, n), head) &&
	    name_is_hex(str_from(s, n));
}

bool
agentbox_name_file(struct str s, struct str *id)
{
	if (!str_ends(s, S(".md")) ||
	    !agentbox_name_message(str_first(s, s.n - 3)))
		return false;
	*id = str_first(s, s.n - 3);
	return true;
}

bool
agentbox_name_box(struct str s)
{
	if (s.n == 0 || s.n > LIMIT_FILE_NAME || s.p[0] == '.' ||
	    s.p[0] == ' ' || s.p[s.n - 1] == ' ' || !utf8_valid(s))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f ||
		    s.p[i] == '/' || s.p[i] == '\\')
			return false;
	return !str_starts(s, S("mailbox.sqlite"));
}

bool
agentbox_name_time(struct str s)
{
	int64_t t;

	return name_fits(s, "0000-00-00T00:00:00Z") && clock_parse(s, &t);
}

bool
agentbox_name_day(struct str s)
{
	int64_t t;

	return name_fits(s, "0000-00-00") && clock_parse(s, &t);
}

struct str
agentbox_name_new(struct arena *a, const char *prefix, size_t n)
{
	size_t m = strlen(prefix);
	unsigned char raw[HEX32];
	char *p = arena_alloc(a, m + 2 * n + 1);

	if (n > sizeof(raw) || getrandom(raw, n, 0) != (ssize_t)n)
		err_bug("no random bytes");
	memcpy(p, prefix, m + 1);
	str_hex_put(p + m, raw, n);
	return (struct str){ p, m + 2 * n };
}
