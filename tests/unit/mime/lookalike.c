/* SPDX-License-Identifier: Apache-2.0 */
/* Senders that look like others. */
#include "../rows.h"

#include "mime/lookalike.h"

static const struct domain {
	const char *why;
	const char *addr;
	bool looks;
} domains[] = {
	{ "an ordinary domain", "a@shop.example", false },
	{ "no address", "", false },
	{ "digits at an end", "a@web10.mail2go.o2.example", false },
	{ "a zero in the place of a letter", "a@g00gle.example", true },
	{ "a one in the place of a letter", "a@paypa1s.example", true },
	{ "other digits between letters", "a@i18n.b2b.example", false },
	{ "an umlaut",
	    "a@b\xC3\xBC"
	    "cher.example",
	    false },
	{ "the same in punycode", "a@xn--bcher-kva.example", false },
	{ "one Cyrillic letter among Latin", "a@p\xD0\xB0ypal.example", true },
	{ "the same in punycode", "a@xn--pypal-4ve.example", true },
	{ "all Cyrillic that looks Latin",
	    "a@\xD0\xB0\xD1\x80\xD1\x80\xD3\x8F\xD0\xB5.example", true },
	{ "Cyrillic that looks so",
	    "a@\xD0\xBF\xD0\xBE\xD1\x87\xD1\x82\xD0\xB0.example", false },
	{ "Greek that looks so",
	    "a@\xCE\xB5\xCE\xBB\xCE\xBB\xCE\xAC\xCE\xB4\xCE\xB1.example",
	    false },
	{ "Greek among Latin", "a@g\xCE\xBF\xCE\xBFgle.example", true },
	{ "Japanese mixes its scripts",
	    "a@\xE6\x97\xA5\xE6\x9C\xAC\xE3\x81\xAE\xE3\x83\x86x.example",
	    false },
	{ "full-width letters are mapped away", "a@\xEF\xBD\x87oogle.example",
	    true },
	{ "punycode that says nothing", "a@xn--a-.example", true },
	{ "an address literal", "a@[192.0.2.1]", false },
};

static const struct display {
	const char *why;
	const char *name, *addr;
	bool lies;
} displays[] = {
	{ "a name", "Ann Smith", "ann@a.example", false },
	{ "no name", "", "ann@a.example", false },
	{ "the address itself", "Ann@A.example", "ann@a.example", false },
	{ "another address", "boss@us.example", "x@them.example", true },
	{ "another address in words", "The Boss (boss@us.example)",
	    "x@them.example", true },
	{ "another with a wide sign", "boss\xEF\xBC\xA0us.example",
	    "x@them.example", true },
	{ "another with something unseen within", "boss@\xE2\x80\x8Bus.example",
	    "x@them.example", true },
	{ "another address and words", "jane@x via Tracker",
	    "tracker@y.example", true },
	{ "an address in a path", "x/boss@us.example", "x@them.example", true },
	/* A dot alone is no address: mail from CNET, Booking.com and others. */
	{ "a word with a dot", "CNET News.com Dispatch", "d@online.example",
	    false },
	{ "a domain as name", "paypal.com", "x@them.example", false },
	{ "its own domain", "Booking.com", "noreply@booking.com", false },
	{ "a page", "https://www.shop.example/", "x@them.example", false },
	{ "initials and titles are no domains", "Dr. J.R.R. Tolkien, Ph.D.",
	    "j@a.example", false },
	{ "a name with a dot is no domain", "John.Smith", "j@a.example",
	    false },
	{ "a handle is no address", "@ann", "ann@a.example", false },
	{ "an address before none", "boss@us.example", "", true },
};

static void
domain(void **state)
{
	const struct domain *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	assert_int_equal(lookalike_domain(a, str_of(r->addr)), r->looks);
}

static void
display(void **state)
{
	const struct display *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	assert_int_equal(lookalike_display(a, str_of(r->name), str_of(r->addr)),
	    r->lies);
}

int
main(void)
{
	ROWS(domains, domain);
	ROWS(displays, display);
	return cmocka_run_group_tests_name("mime/lookalike", rows_tests, NULL,
	    NULL);
}
