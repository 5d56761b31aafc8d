/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a setting's value that is taken. */
#include "../store/fixture.h"

#include <sys/stat.h>

#include "gate/config.h"

#define THEIRS 61007 /* a user that is not root */

static const struct said {
	const char *key, *value;
	bool program;       /* value is a file of the test's, */
	const char *remark; /* somewhere in it; NULL: nothing is said */
} rows[] = {
	{ "notify", "/usr/bin/true", false, NULL },
	{ "notify", "/usr/bin/true --of /nowhere/x", false, NULL },
	{ "notify", "off", false, NULL },
	{ "notify", "mailto:me@us.example", false, NULL },
	{ "notify", "", true, "a broker does not run it" },
	{ "notify", "/usr/bin/env ", true, "what an argument names" },
	{ "timeout_seconds", "7", false, NULL },
};

static void
what_is_said_of_a_value(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct fx *x = *state;
	char *file = str_c(x->a,
	    str_fmt(x->a, "%s/emcli-tell-XXXXXX", tmp != NULL ? tmp : "/tmp"));
	int fd = mkstemp(file);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, 0755), 0);
	if (geteuid() == 0)
		assert_int_equal(fchown(fd, THEIRS, THEIRS), 0);
	(void)close(fd);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct setting *row;
		struct str said;

		assert_ok(x,
		    config_find(x->a, str_of(rows[i].key), &row, &x->e));
		said = config_remark(x->s, x->a, row,
		    str_fmt(x->a, "%s%s", rows[i].value,
			rows[i].program ? file : ""));
		if (rows[i].remark == NULL
			? said.n > 0
			: str_find(said, str_of(rows[i].remark)) < 0)
			fail_msg("%s: %.*s", rows[i].value, STR_ARG(said));
	}
	(void)unlink(file);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("what is said of a value", what_is_said_of_a_value),
	};

	return cmocka_run_group_tests_name("gate/config", tests, NULL, NULL);
}
