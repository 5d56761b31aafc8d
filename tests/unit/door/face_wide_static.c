/* SPDX-License-Identifier: Apache-2.0 */
/* Characters in the static program's forms, against the C library's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int wide_wcwidth(wchar_t c) __asm__("__wrap_wcwidth");
int wide_iswprint(wint_t c) __asm__("__wrap_iswprint");
wint_t wide_btowc(int c) __asm__("__wrap_btowc");
int wide_wctob(wint_t c) __asm__("__wrap_wctob");
size_t wide_wcrtomb(char *out, wchar_t c, mbstate_t *st) __asm__(
    "__wrap_wcrtomb");
size_t wide_mbrtowc(wchar_t *out, const char *s, size_t n,
    mbstate_t *st) __asm__("__wrap_mbrtowc");

/* What the linker makes of --wrap. */
char *real_langinfo(int item) __asm__("__real_nl_langinfo");
char *
real_langinfo(int item)
{
	(void)item;
	return NULL;
}

static void
columns(void **state)
{
	(void)state;
	for (wchar_t c = 0; c <= 0x10FFFF; c++)
		if (wide_wcwidth(c) != wcwidth(c) ||
		    !wide_iswprint((wint_t)c) != !iswprint((wint_t)c))
			fail_msg("U+%04X: %d columns, not %d", (unsigned)c,
			    wide_wcwidth(c), wcwidth(c));
	assert_int_equal(wide_wcwidth(-1), -1);
	assert_int_equal(wide_wcwidth(0x110000), -1);
	assert_false(wide_iswprint(WEOF));
}

static void
bytes(void **state)
{
	(void)state;
	for (int c = EOF; c < 256; c++) {
		assert_int_equal(wide_btowc(c), btowc(c));
		assert_int_equal(wide_wctob((wint_t)c), wctob((wint_t)c));
	}
}

static void
characters(void **state)
{
	char got[MB_LEN_MAX], want[MB_LEN_MAX];
	mbstate_t st = { 0 };
	wchar_t back;

	(void)state;
	for (wchar_t c = 1; c <= 0x10FFFF; c++) {
		size_t n = wcrtomb(want, c, &st);

		if (wide_wcrtomb(got, c, NULL) != n)
			fail_msg("U+%04X", (unsigned)c);
		st = (mbstate_t){ 0 };
		if (n == (size_t)-1)
			continue;
		assert_memory_equal(got, want, n);
		assert_int_equal(wide_mbrtowc(&back, got, n, NULL), n);
		assert_int_equal(back, c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns),
		cmocka_unit_test(bytes),
		cmocka_unit_test(characters),
	};

	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		return 1;
	return cmocka_run_group_tests_name("door/face_wide_static", tests, NULL,
	    NULL);
}
