/* SPDX-License-Identifier: Apache-2.0 */
/* What `serve status` says of the teller, as the monitor heard it. */
#include "../rows.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "door/serve/keeper.h"
#include "door/serve/teller.h"

static const struct shown {
	const char *why, *notes; /* a byte each */
	bool gone;
	const char *want;
} rows[] = {
	{ "nothing was to be told yet", "", false,
	    "\"running\":true,\"last\":null,\"since_s\":null" },
	{ "the last one was given", "t", false,
	    "\"running\":true,\"last\":\"given\",\"since_s\":0" },
	{ "it failed", "tu", false,
	    "\"running\":true,\"last\":\"failed\",\"since_s\":0" },
	{ "another was given since", "ut", false,
	    "\"running\":true,\"last\":\"given\",\"since_s\":0" },
	{ "what is no note changes nothing", "tx", false,
	    "\"running\":true,\"last\":\"given\",\"since_s\":0" },
	{ "it has ended", "", true,
	    "\"running\":false,\"last\":null,\"since_s\":null" },
	{ "what it did before is known still", "u", true,
	    "\"running\":false,\"last\":\"failed\",\"since_s\":0" },
};

static void
shows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	static const struct env env;
	static struct serve_board board;
	const struct shown *r = *state;
	struct serve_brood *b;
	struct json *j = json_new(a);
	int fd[2];

	memset((void *)&board, 0, sizeof(board));
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	serve_teller_says_by(fd[0]);
	b = serve_brood_new(&env, &board);
	for (const char *n = r->notes; *n != '\0'; n++) {
		assert_int_equal(send(fd[1], n, 1, 0), 1);
		serve_brood_hear_teller(b);
	}
	(void)close(fd[1]);
	if (r->gone)
		serve_brood_hear_teller(b);
	json_open_object(j, NULL);
	serve_status_put(j, &board);
	json_close_object(j);
	if (str_find(json_text(j, a), str_fmt(a, "\"teller\":{%s}", r->want)) <
	    0)
		fail_msg("%.*s", STR_ARG(json_text(j, a)));
	serve_teller_leave();
	free(b);
}

ROWS_MAIN("serve/status", rows, shows)
