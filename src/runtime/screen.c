/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/screen.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "runtime/prompt.h"
#include "runtime/tmux.h"

/* The prompt is near the end of a screen. */
#define NEAR 20

int
screen_capture(struct str id, struct arena *a, struct str *out, struct err *e)
{
	int status = tmux_run(TMUX_ARGS(S("capture-pane"), S("-p"), S("-J"),
				  S("-S"), str_fmt(a, "-%d", LIMIT_TMUX_LINES),
				  S("-t"), str_fmt(a, "%.*s:", STR_ARG(id))),
	    S(""), a, out, e);

	return status > 0 ? tmux_refused(*out, "read the terminal", e) : status;
}

int
screen_in_mode(struct str id, struct arena *a, struct err *e)
{
	struct str said = { 0 };
	int status = tmux_run(TMUX_ARGS(S("display-message"), S("-p"), S("-t"),
				  str_fmt(a, "%.*s:", STR_ARG(id)),
				  S("#{pane_in_mode}")),
	    S(""), a, &said, e);

	if (status != 0)
		return status < 0 ? -1
				  : tmux_refused(said, "find the session", e);
	return !str_eq(str_trim(said), S("0"));
}

int
screen_is_used(struct str id, int64_t seconds, struct arena *a, struct err *e)
{
	struct str said = { 0 }, line, rest;
	int status = tmux_run(TMUX_ARGS(S("list-clients"), S("-t"), id, S("-F"),
				  S("#{client_activity}")),
	    S(""), a, &said, e);
	int64_t since = clock_now() - seconds;
	bool more = true;
	uint64_t at;

	if (status != 0)
		return status < 0 ? -1
				  : tmux_refused(said, "list who uses it", e);
	for (rest = said; more;) {
		more = str_cut(rest, '\n', &line, &rest);
		if (str_to_u64(str_trim(line), INT64_MAX, &at) &&
		    (int64_t)at > since)
			return 1;
	}
	return 0;
}

/* -- lines ----------------------------------------------------------------- */

/* Frames, and the bullets before an agent's words. */
static const struct str marks[] = { SI("│"), SI("┃"), SI("║"), SI("|"), SI("▌"),
	SI("▎"), SI("⏺"), SI("●"), SI("•"), SI("✦"), SI("⎿") };

enum {
	MARKS = sizeof(marks) / sizeof(marks[0])
};

static struct str
screen_strip(struct str line)
{
	bool more = true;

	while (more) {
		more = false;
		line = str_trim(line);
		for (size_t i = 0; i < MARKS; i++) {
			if (str_starts(line, marks[i])) {
				line = str_from(line, marks[i].n);
				more = true;
			}
			if (str_ends(line, marks[i])) {
				line = str_first(line, line.n - marks[i].n);
				more = true;
			}
		}
	}
	return line;
}

struct str
screen_plain(struct str text, struct arena *a)
{
	struct str line, rest = text;
	struct buf b;
	bool more = true;

	buf_init(&b, a, text.n + 1);
	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		buf_str(&b, screen_strip(line));
		if (more)
			buf_char(&b, '\n');
	}
	return buf_view(&b);
}

/* -- is it ready? ---------------------------------------------------------- */

/* Is it one of the words, or does it begin with one and a space? */
static bool
screen_is_prompt(struct str line, const char *prompts)
{
	struct str one, rest = str_of(prompts);
	bool more = true;

	/* An open field may have a frame, and nothing in it. */
	while (more) {
		more = str_cut(rest, ' ', &one, &rest);
		if (!str_starts(line, one))
			continue;
		if (line.n == one.n || line.p[one.n] == ' ' ||
		    (unsigned char)line.p[one.n] == 0xc2)
			return true;
	}
	return false;
}

static struct str
screen_unframe(struct str line)
{
	static const struct str frame[] = { SI("│"), SI("┃"), SI("║"),
		SI("|") };

	line = str_trim(line);
	for (size_t i = 0; i < sizeof(frame) / sizeof(frame[0]); i++)
		if (str_starts(line, frame[i]))
			return str_trim(str_from(line, frame[i].n));
	return line;
}

bool
screen_is_ready(struct str text, const struct home_host *host, struct arena *a)
{
	struct strs lines = { 0 };
	struct str line, rest = text, one;
	bool more = true, prompt = false;

	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		if (str_trim(line).n > 0)
			str_push(a, &lines, line);
	}
	for (size_t i = lines.n > NEAR ? lines.n - NEAR : 0; i < lines.n; i++) {
		prompt = prompt ||
		    screen_is_prompt(screen_unframe(lines.v[i]), host->prompt);
		rest = str_of(host->working);
		for (more = true; more;) {
			more = str_cut(rest, '|', &one, &rest);
			if (str_find_case(lines.v[i], one) >= 0)
				return false;
		}
	}
	return prompt;
}

/* -- where a result may be ------------------------------------------------- */

struct str
screen_below(struct str text, struct str last, struct str request_id,
    struct arena *a)
{
	struct str plain = screen_plain(text, a), rest = plain, line;
	size_t below = 0, block = 0, other = 0;
	bool more = true, marked = false, ours = false;

	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		if (str_find(line, last) >= 0) {
			below = (size_t)(line.p - plain.p) + line.n;
			marked = true;
		}
		if (str_eq(line, S(SENTINEL_BEGIN))) {
			block = 1;
			ours = false;
		} else if (block == 1 && str_eq(line, S(SENTINEL_END))) {
			block = 0;
			if (!ours)
				other = (size_t)(line.p - plain.p) + line.n;
		}
		ours = ours || str_find(line, request_id) >= 0;
	}
	return str_from(plain, marked ? below : other);
}
