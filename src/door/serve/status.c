/*
 * What the broker says of itself.  It names what confines each process; nothing
 * does yet, and what has no process of its own is in the worker.
 */
#include <unistd.h>

#include "door/serve/internal.h"

void
serve_status_put(struct json *j, const struct serve_board *b)
{
	static const char none[] = "not confined", inside[] = "in the worker";

	json_put_text(j, "level", "broker");
	json_put_int(j, "uid", geteuid());
	json_put_int(j, "pid", getppid());
	json_put_int(j, "workers", atomic_load(&b->workers));
	json_put_int(j, "calls", atomic_load(&b->calls));
	json_put_int(j, "waiting", atomic_load(&b->waiting));
	json_open_array(j, "wires");
	json_close_array(j);
	json_open_object(j, "confined");
	json_put_text(j, "monitor", none);
	json_put_text(j, "keeper", inside);
	json_put_text(j, "worker", none);
	json_put_text(j, "wire", inside);
	json_put_text(j, "reader", inside);
	json_close_object(j);
}
