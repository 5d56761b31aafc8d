/* Waking an agent that has mail. */
#include "base/limits.h"
#include "base/path.h"
#include "runtime/prompt_check.h"
#include "runtime/prompt_surface.h"
#include "runtime/prompt_text.h"
#include "runtime/screen.h"

/* What a person has begun to write would be a part of the prompt. */
static int
prompt_wake_yield(struct prompt_surface *s)
{
	struct err e = { 0 };
	int used = screen_is_used(s->id, LIMIT_PROMPT_PERSON_S, s->a, &e);

	if (used < 0)
		return prompt_surface_end(s, PROMPT_TUI_ERROR,
		    str_fmt(s->a, "%s", e.say));
	return used == 0
	    ? 0
	    : prompt_surface_end(s, PROMPT_BUSY,
		  S("a person types in the agent's terminal: nothing was "
		    "typed"));
}

int
prompt_wake(const struct prompt_wake *w, struct arena *a,
    struct prompt_outcome *out, struct err *e)
{
	struct prompt_surface s = {
		.folder = w->folder,
		.manifest_path = w->manifest_path,
		.of = w->of,
		.a = a,
	};
	CLEANUP(path_close) int lock = -1;
	struct str text;

	*out = (struct prompt_outcome){ .request_id = prompt_text_id(a) };
	if (prompt_surface_find(&s, e) < 0)
		return -1;
	text = prompt_text_wake(s.host,
	    prompt_check_skills(w->of, s.host->skills, a), w->base_url, a);
	lock = prompt_surface_lock(&s);
	if (lock < 0)
		(void)prompt_surface_end(&s, PROMPT_BUSY,
		    S("another prompt is being typed: nothing was typed"));
	else if (prompt_surface_wait(&s, 0) == 0 && prompt_wake_yield(&s) == 0)
		(void)prompt_surface_type(&s, text);
	out->status = s.status;
	out->detail = s.detail;
	out->submitted_at = s.submitted_at;
	return 0;
}
