/* SPDX-License-Identifier: Apache-2.0 */
/* What is read on a terminal: is the agent ready, and where a result may be. */
#include "../rows.h"

#include "runtime/prompt.h"
#include "runtime/screen.h"

static struct ready {
	const char *why;
	const char *tool;
	struct str screen;
	bool is;
} readies[] = {
	{ "claude: an empty field", "claude",
	    SI("hello\n╭────╮\n│ >  │\n╰────╯\n  ? for shortcuts\n"), true },
	{ "claude: a newer field", "claude", SI("────\n❯ \n────\n\n\n\n"),
	    true },
	{ "claude: a field with a suggestion", "claude", SI("> Try \"edit\"\n"),
	    true },
	{ "claude: it works", "claude",
	    SI("✻ Thinking… (3s · esc to interrupt)\n│ > │\n"), false },
	{ "claude: in other words", "claude", SI("(Esc to Interrupt)\n> \n"),
	    false },
	{ "no field", "claude", SI("Do you trust this folder?\n 1. Yes\n"),
	    false },
	{ "a quotation far above", "claude",
	    SI("> said\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n"
	       "17\n18\n19\n20\n"),
	    false },
	{ "nothing", "claude", SI(""), false },
	{ "an arrow that is none", "claude", SI("->x\n>x\n"), false },
	{ "codex: its field", "codex", SI("› Ask anything\n"), true },
	{ "codex: it works", "codex",
	    SI("• Working (1s • esc to interrupt)\n› \n"), false },
	{ "codex: another's field", "codex", SI("> \n"), false },
	{ "gemini: its field", "gemini",
	    SI("│ > Type your message │\n~/x  no sandbox\n"), true },
	{ "gemini: it works", "gemini", SI("⠏ Thinking (esc to cancel)\n│ > │"),
	    false },
};

static void
ready(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct ready *r = *state;
	const struct home_host *host = host_table_find(str_of(r->tool));

	assert_non_null(host);
	assert_int_equal(screen_is_ready(r->screen, host, a), r->is);
}

#define LAST "End of request mailreq-1."
#define B SENTINEL_BEGIN "\n"
#define E SENTINEL_END "\n"

static struct below {
	const char *why;
	struct str screen;
	const char *want;
} belows[] = {
	{ "below the request", SI("a\n" LAST "\nb\nc"), "\nb\nc" },
	{ "below the last sight of it", SI(LAST "\nx\n│ " LAST " │\nb"),
	    "\nb" },
	{ "a result of before is above it",
	    SI(B "old\n" E LAST "\n" B "new\n" E), "\n" B "new\n" E },
	{ "shortened: below another's result",
	    SI(B "mailreq-0\n" E "[Pasted text]\n" B "mailreq-1\n" E),
	    "\n[Pasted text]\n" B "mailreq-1\n" E },
	{ "shortened: nothing of before",
	    SI("[Pasted text]\n" B "mailreq-1\n" E),
	    "[Pasted text]\n" B "mailreq-1\n" E },
	{ "bullets and frames go", SI(LAST "\n⏺ " B "  │ {} │\n• " E),
	    "\n" B "{}\n" E },
	{ "what is quoted keeps its mark", SI(LAST "\n> " B), "\n> " B },
	{ "nothing", SI(""), "" },
};

static void
below(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct below *r = *state;

	rows_same(screen_below(r->screen, S(LAST), S("mailreq-1"), a),
	    str_of(r->want));
}

int
main(void)
{
	ROWS(readies, ready);
	ROWS(belows, below);
	return cmocka_run_group_tests_name("runtime/screen", rows_tests, NULL,
	    NULL);
}
