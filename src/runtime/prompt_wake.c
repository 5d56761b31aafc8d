/* SPDX-License-Identifier: Apache-2.0 */
/* Waking an agent that has mail. */
#include "base/path.h"
#include "runtime/prompt_check.h"
#include "runtime/prompt_surface.h"
#include "runtime/prompt_text.h"

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
	else if (prompt_surface_wait(&s, 0) == 0)
		(void)prompt_surface_type(&s, text);
	out->status = s.status;
	out->detail = s.detail;
	out->submitted_at = s.submitted_at;
	return 0;
}
