/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the broker says of itself.  It names what confines each process, as the
 * process saw when it started.
 */
#include <unistd.h>

#include "base/clock.h"
#include "door/serve/internal.h"

static void
serve_status_confined(struct json *j, const struct serve_board *b)
{
	for (int k = 0; k < SANDBOX_KINDS; k++) {
		struct sandbox_state s =
		    sandbox_unpack(atomic_load(&b->confined[k]));

		/* Wires of files are wires, readers come from a nursery, and
		 * there may be no server of HTTP. */
		if (k == SANDBOX_FILES || k == SANDBOX_NURSERY ||
		    (k == SANDBOX_HTTP && !s.tried))
			continue;
		if (k == SANDBOX_WIRE && !s.tried)
			s = sandbox_unpack(
			    atomic_load(&b->confined[SANDBOX_FILES]));
		json_put_text(j, sandbox_name((enum sandbox_kind)k),
		    s.tried ? sandbox_say(&s) : "none has started yet");
	}
}

static void
serve_status_put_text(struct json *j, const char *key, const char *p,
    size_t room)
{
	size_t n = strnlen(p, room);

	if (n == 0)
		json_put_null(j, key);
	else
		json_put_str(j, key, (struct str){ p, n });
}

/* Whatever another process wrote there, it is a name and a number. */
static void
serve_status_put_wires(struct json *j, const struct serve_board *b)
{
	uint32_t n = atomic_load(&b->wires);

	json_open_array(j, "wires");
	for (uint32_t i = 0; i < n && i < LIMIT_WIRES; i++) {
		const struct serve_board_wire *w = &b->wire[i];
		int64_t ms = clock_mono_ms() - w->since_ms;

		json_open_object(j, NULL);
		serve_status_put_text(j, "account", w->account,
		    sizeof(w->account));
		json_put_text(j, "state", w->idle ? "idle" : "lent");
		json_put_int(j, "since_s", ms > 0 ? ms / 1000 : 0);
		json_close_object(j);
	}
	json_close_array(j);
}

/* null: it is not served. */
static void
serve_status_put_http(struct json *j, const struct serve_board *b)
{
	const struct serve_board_beside *h = &b->http;
	const int32_t pid = atomic_load(&h->pid);

	if (h->address[0] == '\0' && h->path[0] == '\0') {
		json_put_null(j, "http");
		return;
	}
	json_open_object(j, "http");
	serve_status_put_text(j, "address", h->address, sizeof(h->address));
	serve_status_put_text(j, "socket", h->path, sizeof(h->path));
	if (pid > 0)
		json_put_int(j, "pid", pid);
	else
		json_put_null(j, "pid");
	json_close_object(j);
}

/* Why the last one failed, doctor says, to the operator alone. */
static void
serve_status_put_teller(struct json *j, const struct serve_board *b)
{
	const char note = atomic_load(&b->teller.note);
	const int64_t ms = clock_mono_ms() - atomic_load(&b->teller.at_ms);

	json_open_object(j, "teller");
	json_put_bool(j, "running", atomic_load(&b->teller.runs));
	if (note == SERVE_TOLD || note == SERVE_UNTOLD) {
		json_put_text(j, "last",
		    note == SERVE_TOLD ? "given" : "failed");
		json_put_int(j, "since_s", ms > 0 ? ms / 1000 : 0);
	} else {
		json_put_null(j, "last");
		json_put_null(j, "since_s");
	}
	json_close_object(j);
}

void
serve_status_put(struct json *j, const struct serve_board *b)
{
	const uint32_t calls = atomic_load(&b->calls);

	json_put_text(j, "level", "broker");
	json_put_int(j, "uid", geteuid());
	json_put_int(j, "pid", getppid());
	json_put_int(j, "workers", atomic_load(&b->workers));
	/* This one is a call as well, and is not meant. */
	json_put_int(j, "calls", calls > 0 ? calls - 1 : 0);
	json_put_int(j, "pipes", atomic_load(&b->pipes));
	json_put_int(j, "waiting", atomic_load(&b->waiting));
	serve_status_put_wires(j, b);
	serve_status_put_http(j, b);
	serve_status_put_teller(j, b);
	json_open_object(j, "confined");
	serve_status_confined(j, b);
	json_close_object(j);
}
