/*
 * What the broker says of itself.  It names what confines each process, as the
 * process saw when it started; what has no process of its own is in the worker.
 */
#include <unistd.h>

#include "door/serve/internal.h"

static void
serve_status_confined(struct json *j, const struct serve_board *b)
{
	for (int k = 0; k < SANDBOX_KINDS; k++) {
		struct sandbox_state s =
		    sandbox_unpack(atomic_load(&b->confined[k]));

		/* Wires of files are wires. */
		if (k != SANDBOX_FILES)
			json_put_text(j, sandbox_name((enum sandbox_kind)k),
			    s.tried ? sandbox_say(&s) : "in the worker");
	}
}

void
serve_status_put(struct json *j, const struct serve_board *b)
{
	json_put_text(j, "level", "broker");
	json_put_int(j, "uid", geteuid());
	json_put_int(j, "pid", getppid());
	json_put_int(j, "workers", atomic_load(&b->workers));
	json_put_int(j, "calls", atomic_load(&b->calls));
	json_put_int(j, "waiting", atomic_load(&b->waiting));
	json_open_array(j, "wires");
	json_close_array(j);
	json_open_object(j, "confined");
	serve_status_confined(j, b);
	json_close_object(j);
}
