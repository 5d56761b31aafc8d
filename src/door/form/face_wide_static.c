/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Characters for ncurses and our forms.  A static C library without the
 * system's locales knows ASCII alone, so that the linker puts these in place of
 * its own: see WIDE in the Makefile.  They know UTF-8, whatever the locale is.
 */
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "base/utf8.h"
#include "door/form/face_terminal.h"

#define WRAP(name) __asm__("__wrap_" #name)

size_t face_wide_mbrtowc(wchar_t *out, const char *s, size_t n,
    mbstate_t *state) WRAP(mbrtowc);
int face_wide_mbtowc(wchar_t *out, const char *s, size_t n) WRAP(mbtowc);
int face_wide_mblen(const char *s, size_t n) WRAP(mblen);
size_t face_wide_mbstowcs(wchar_t *out, const char *s, size_t n) WRAP(mbstowcs);
size_t face_wide_wcrtomb(char *out, wchar_t c, mbstate_t *state) WRAP(wcrtomb);
size_t face_wide_wcsrtombs(char *out, const wchar_t **s, size_t n,
    mbstate_t *state) WRAP(wcsrtombs);
size_t face_wide_wcstombs(char *out, const wchar_t *s, size_t n) WRAP(wcstombs);
int face_wide_wcwidth(wchar_t c) WRAP(wcwidth);
int face_wide_iswprint(wint_t c) WRAP(iswprint);
int face_wide_iswalpha(wint_t c) WRAP(iswalpha);
int face_wide_iswalnum(wint_t c) WRAP(iswalnum);
wint_t face_wide_btowc(int c) WRAP(btowc);
int face_wide_wctob(wint_t c) WRAP(wctob);
char *face_wide_nl_langinfo(nl_item item) WRAP(nl_langinfo);
char *face_wide_langinfo(nl_item item) __asm__("__real_nl_langinfo");

/* How long a character is that begins so; 0: none does. */
static size_t
face_wide_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xC2 || first > 0xF4)
		return 0;
	return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* No state: callers begin again with all bytes of a character. */
size_t
face_wide_mbrtowc(wchar_t *out, const char *s, size_t n, mbstate_t *state)
{
	size_t i = 0, length;
	bool good = true;
	uint32_t cp;

	(void)state;
	if (s == NULL)
		return 0;
	length = n > 0 ? face_wide_length((unsigned char)s[0]) : 1;
	if (length > n)
		return (size_t)-2;
	cp = length > 0 ? utf8_next((struct str){ s, length }, &i, &good) : 0;
	if (length == 0 || !good || i != length)
		return (size_t)-1;
	if (out != NULL)
		*out = (wchar_t)cp;
	return cp != 0 ? length : 0;
}

int
face_wide_mbtowc(wchar_t *out, const char *s, size_t n)
{
	size_t used = face_wide_mbrtowc(out, s, n, NULL);

	return used < (size_t)-2 ? (int)used : -1;
}

int
face_wide_mblen(const char *s, size_t n)
{
	return face_wide_mbtowc(NULL, s, n);
}

size_t
face_wide_mbstowcs(wchar_t *out, const char *s, size_t n)
{
	size_t count = 0, used;
	wchar_t c;

	for (; out == NULL || count < n; count++) {
		used = face_wide_mbrtowc(&c, s, strlen(s) + 1, NULL);
		if (used >= (size_t)-2)
			return (size_t)-1;
		if (out != NULL)
			out[count] = c;
		if (used == 0)
			break;
		s += used;
	}
	return count;
}

size_t
face_wide_wcrtomb(char *out, wchar_t c, mbstate_t *state)
{
	(void)state;
	if (out == NULL)
		return 1;
	/* wchar_t has a sign on some machines. */
	if ((uint32_t)c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return (size_t)-1;
	return utf8_put(out, (uint32_t)c);
}

size_t
face_wide_wcsrtombs(char *out, const wchar_t **s, size_t n, mbstate_t *state)
{
	char one[4];
	size_t all = 0, used;
	const wchar_t *p = *s;

	for (; *p != L'\0'; p++, all += used) {
		used = face_wide_wcrtomb(one, *p, state);
		if (used == (size_t)-1)
			return used;
		if (out != NULL && all + used > n)
			break;
		if (out != NULL)
			memcpy(out + all, one, used);
	}
	if (out != NULL && all < n && *p == L'\0')
		out[all] = '\0';
	if (out != NULL)
		*s = *p == L'\0' && all < n ? NULL : p;
	return all;
}

size_t
face_wide_wcstombs(char *out, const wchar_t *s, size_t n)
{
	return face_wide_wcsrtombs(out, &s, n, NULL);
}

/* As wcwidth(3) has it where the program was built, with C.UTF-8. */
int
face_wide_wcwidth(wchar_t c)
{
	size_t lo = 0, hi = widths_n;

	if ((uint32_t)c > 0x10FFFF)
		return -1;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (widths_all[mid] / FACE_WIDTHS <= (uint32_t)c)
			lo = mid;
		else
			hi = mid;
	}
	return (int)(widths_all[lo] % FACE_WIDTHS) - 1;
}

int
face_wide_iswprint(wint_t c)
{
	return c != L'\0' && c != WEOF && face_wide_wcwidth((wchar_t)c) >= 0;
}

int
face_wide_iswalpha(wint_t c)
{
	wint_t small = c | 0x20;

	return (small >= 'a' && small <= 'z') ||
	    (c > 0xBF && face_wide_iswprint(c));
}

int
face_wide_iswalnum(wint_t c)
{
	return (c >= '0' && c <= '9') || face_wide_iswalpha(c);
}

wint_t
face_wide_btowc(int c)
{
	return c >= 0 && c < 0x80 ? (wint_t)c : WEOF;
}

int
face_wide_wctob(wint_t c)
{
	return c < 0x80 ? (int)c : EOF;
}

char *
face_wide_nl_langinfo(nl_item item)
{
	static char utf8[] = "UTF-8";

	return item == CODESET ? utf8 : face_wide_langinfo(item);
}
