/* A page that another process reads says the same; and what is no answer. */
#include "../rows.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "reader/internal.h"

static const struct page {
	const char *why;
	struct str html;
} pages[] = {
	{ "nothing", SI("") },
	{ "words", SI("<p>One <b>two</b><p>three &amp; \xc3\xa9") },
	{ "hidden words", SI("<p>seen<p style='display:none'>not seen") },
	{ "links",
	    SI("<a href='https://a.example/x'>https://b.example</a> "
	       "<a href=mailto:a@b.example>write</a>") },
	{ "an image that tracks",
	    SI("<img src=https://t.example width=1 "
	       "height=1>words") },
	{ "no UTF-8", SI("<p>\xff\xfe\x80 words \0 more") },
};

static void
same_links(const struct html_found *x, const struct html_found *y)
{
	assert_int_equal(x->links, y->links);
	for (size_t i = 0; i < x->links; i++) {
		rows_same(x->link[i].text, y->link[i].text);
		rows_same(x->link[i].url, y->link[i].url);
		assert_int_equal(x->link[i].mismatch, y->link[i].mismatch);
	}
}

/* As bytes and back, and by the reader. */
static void
page(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct page *row = *state;
	const struct reader_ask ask = { row->html.n, 1 << 20,
		utf8_valid(row->html) };
	struct reader_said here = { 0 }, back = { 0 };
	struct html_found there = { 0 };
	struct buf b;

	here.text = html_here(a, row->html, 1 << 20, &here.found);
	buf_init(&b, a, 1 << 20);
	reader_put(&b, &here);
	assert_true(reader_take(buf_view(&b), &ask, a, &back));
	rows_same(back.text, here.text);
	assert_memory_equal(back.found.hidden, here.found.hidden,
	    sizeof(here.found.hidden));
	same_links(&back.found, &here.found);
	rows_same(html_text(a, row->html, 1 << 20, &there), here.text);
	assert_memory_equal(there.hidden, here.found.hidden,
	    sizeof(there.hidden));
	assert_int_equal(there.tracking, here.found.tracking);
	assert_int_equal(there.over, here.found.over);
	same_links(&there, &here.found);
	rows_same(html_text(a, row->html, 1 << 20, NULL), here.text);
}

/* Each number of an answer, larger than it may be; each byte of it cut off. */
static void
an_answer_of_anybody_is_checked(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct reader_ask ask = { 8, 64, 1 };
	struct html_link link = { S("text"), S("url"), true };
	struct reader_said said = { .text = S("words"),
		.found = { .link = &link, .links = 1 } },
			   got;
	struct str all;
	struct buf b;

	(void)state;
	buf_init(&b, a, 4096);
	reader_put(&b, &said);
	all = str_dup(a, buf_view(&b));
	assert_true(reader_take(all, &ask, a, &got));
	for (size_t n = 0; n < all.n; n++)
		assert_false(reader_take(str_first(all, n), &ask, a, &got));
	buf_char(&b, 'x');
	assert_false(reader_take(buf_view(&b), &ask, a, &got));
	for (size_t i = 0; i + 8 <= all.n; i++) {
		struct str bad = str_dup(a, all);

		/* Over any number, and no text. */
		memset((char *)(uintptr_t)bad.p + i, 0xff, 8);
		assert_false(reader_take(bad, &ask, a, &got));
	}
	said.text = rows_repeat(a, S("x"), 65);
	buf_reset(&b);
	reader_put(&b, &said);
	assert_false(reader_take(buf_view(&b), &ask, a, &got));
}

/* The reader has ended: so does the process that asks it. */
static void
nothing_is_made_up(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct sandbox_state s = { 0 };
	struct err e = { 0 };
	char *huge = calloc(1, LIMIT_MESSAGE + 1);
	int status = 0;
	pid_t pid;

	(void)state;
	assert_non_null(huge);
	pid = fork();
	if (pid == 0) {
		if (reader_run_start(&s, &e) < 0 || !sandbox_is_whole(&s))
			_exit(3);
		if (html_text(a, S("<p>x"), 100, NULL).n == 0)
			_exit(4);
		/* It ends on a page that is too long. */
		(void)html_text(a, (struct str){ huge, LIMIT_MESSAGE + 1 }, 100,
		    NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	free(huge);
}

/* Also after one was lost, and in processes that were forked meanwhile. */
static void
each_call_has_its_own(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	int status = 0;

	(void)state;
	for (int i = 0; i < 4; i++) {
		pid_t pid = i > 0 ? fork() : 0;

		if (pid > 0) {
			assert_int_equal(waitpid(pid, &status, 0), pid);
			assert_int_equal(status, i == 2 ? 1 << 8 : 0);
			continue;
		}
		/* One of them is lost. */
		if (i == 2)
			(void)html_text(a,
			    (struct str){ calloc(1, LIMIT_MESSAGE + 1),
				LIMIT_MESSAGE + 1 },
			    100, NULL);
		rows_same(html_text(a, S("<p>x"), 100, NULL), S("x\n"));
		reader_run_end();
		rows_same(html_text(a, S("<p>y"), 100, NULL), S("y\n"));
		if (i > 0)
			_exit(0);
	}
}

static int
set_up(void **state)
{
	struct sandbox_state s = { 0 };
	struct err e = { 0 };

	(void)state;
	if (sandbox_load(&e) < 0 || reader_run_start(&s, &e) < 0)
		return -1;
	return sandbox_is_whole(&s) ? 0 : -1;
}

int
main(void)
{
	ROWS(pages, page);
	rows_add("an answer of anybody is checked",
	    an_answer_of_anybody_is_checked, NULL);
	rows_add("nothing is made up", nothing_is_made_up, NULL);
	rows_add("each call has its own", each_call_has_its_own, NULL);
	return cmocka_run_group_tests_name("reader", rows_tests, set_up, NULL);
}
