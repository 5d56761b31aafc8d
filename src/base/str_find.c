/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/str.h"

/*
 * Searches in linear time for any two texts: memmem(3) for bytes, and for text
 * ignoring case the two-way algorithm of Crochemore and Perrin (Journal of the
 * ACM 38, 1991), which memmem uses too and which needs no table.
 */

ptrdiff_t
str_find(struct str s, struct str needle)
{
	const char *at;

	if (needle.n == 0)
		return 0;
	if (s.n < needle.n)
		return -1;
	at = memmem(s.p, s.n, needle.p, needle.n);
	return at != NULL ? at - s.p : -1;
}

static unsigned char
str_find_lower(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 'A' && u <= 'Z' ? (unsigned char)(u + 32) : u;
}

/*
 * The start of the greatest suffix of x, in byte order or the reverse order;
 * *period is the suffix's period.
 */
static size_t
str_find_max_suffix(struct str x, bool opposite, size_t *period)
{
	size_t begin = 0, j = 1, k = 0, p = 1;

	while (j + k < x.n) {
		unsigned char a = str_find_lower(x.p[j + k]);
		unsigned char b = str_find_lower(x.p[begin + k]);

		if (a == b) {
			k++;
			if (k == p) {
				j += p;
				k = 0;
			}
		} else if ((a < b) != opposite) {
			j += k + 1;
			k = 0;
			p = j - begin;
		} else {
			begin = j;
			j = begin + 1;
			k = 0;
			p = 1;
		}
	}
	*period = p;
	return begin;
}

/*
 * Compares x at each position of s; l and period come from the factorisation.
 */
static ptrdiff_t
str_find_scan(struct str s, struct str x, size_t l, size_t period,
    bool periodic)
{
	size_t at = 0, memory = 0;

	while (at + x.n <= s.n) {
		const char *h = s.p + at;
		size_t i = l > memory ? l : memory;

		while (
		    i < x.n && str_find_lower(x.p[i]) == str_find_lower(h[i]))
			i++;
		if (i < x.n) {
			at += i - l + 1;
			memory = 0;
			continue;
		}
		i = l;
		while (i > memory &&
		    str_find_lower(x.p[i - 1]) == str_find_lower(h[i - 1]))
			i--;
		if (i <= memory)
			return (ptrdiff_t)at;
		at += period;
		memory = periodic ? x.n - period : 0;
	}
	return -1;
}

/* Does s contain it in either case?  Usually not, and then the search ends. */
static bool
str_find_has_letter(struct str s, char c)
{
	char low = (char)str_find_lower(c);

	return str_has_char(s, low) ||
	    (low >= 'a' && low <= 'z' && str_has_char(s, (char)(low - 32)));
}

ptrdiff_t
str_find_case(struct str s, struct str needle)
{
	size_t p1, p2, l1, l2, l, period;
	bool periodic;

	if (needle.n == 0)
		return 0;
	if (s.n < needle.n || !str_find_has_letter(s, needle.p[0]))
		return -1;
	l1 = str_find_max_suffix(needle, false, &p1);
	l2 = str_find_max_suffix(needle, true, &p2);
	l = l1 > l2 ? l1 : l2;
	period = l1 > l2 ? p1 : p2;
	periodic = l + period <= needle.n &&
	    str_eq_case(str_first(needle, l),
		str_first(str_from(needle, period), l));
	if (!periodic)
		period = (l > needle.n - l ? l : needle.n - l) + 1;
	return str_find_scan(s, needle, l, period, periodic);
}
