/* SPDX-License-Identifier: Apache-2.0 */
/* Typing into a terminal of tmux. */
#include <sys/random.h>

#include "base/limits.h"
#include "runtime/tmux.h"

static bool
tmux_paste_is_plain(struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if ((c < ' ' && c != '\n') || c == 0x7f)
			return false;
		/* C1 in UTF-8: U+0080 to U+009F. */
		if (c == 0xc2 && i + 1 < text.n &&
		    (unsigned char)text.p[i + 1] < 0xa0)
			return false;
	}
	return true;
}

int
tmux_paste(struct str id, struct str text, struct arena *a, struct err *e)
{
	unsigned char raw[8];
	struct str name;
	int r;

	if (!tmux_paste_is_plain(text)) {
		(void)err_set(e, ERR_USAGE,
		    "the text has control characters, which a terminal would "
		    "obey: leave them out");
		e->reason = "control_characters";
		return -1;
	}
	if (text.n > LIMIT_PROMPT_TEXT)
		return err_set(e, ERR_LIMIT,
		    "the text is too long for a terminal: at most %lu bytes",
		    LIMIT_PROMPT_TEXT);
	if (getrandom(raw, sizeof(raw), 0) != sizeof(raw))
		err_bug("getrandom");
	name =
	    str_fmt(a, "emcli-%.*s", STR_ARG(str_hex_dup(a, raw, sizeof(raw))));
	if (tmux_do(TMUX_ARGS(S("load-buffer"), S("-b"), name, S("-")), text, a,
		"take the text", e) < 0)
		return -1;
	r = tmux_do(TMUX_ARGS(S("paste-buffer"), S("-p"), S("-d"), S("-b"),
			name, S("-t"), str_fmt(a, "%.*s:", STR_ARG(id))),
	    S(""), a, "paste the text", e);
	if (r < 0) {
		struct err none = { 0 };

		(void)tmux_do(TMUX_ARGS(S("delete-buffer"), S("-b"), name),
		    S(""), a, "forget the text", &none);
	}
	return r;
}

int
tmux_paste_enter(struct str id, struct arena *a, struct err *e)
{
	return tmux_do(TMUX_ARGS(S("send-keys"), S("-t"),
			   str_fmt(a, "%.*s:", STR_ARG(id)), S("Enter")),
	    S(""), a, "press a key", e);
}
