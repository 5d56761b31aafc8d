/* SPDX-License-Identifier: Apache-2.0 */
/* emcli key generate: prints a new key, and does nothing else. */
#include "base/secret.h"
#include "desk/desk.h"
#include "desk/key.h"

static int
key_generate_run(struct call *c, struct json *out, struct err *e)
{
	char text[KEY_TEXT];
	int r = key_make(text, e);

	(void)out;
	if (r == 0)
		r = key_hand_over(c, text, e);
	secret_wipe(text, sizeof(text));
	return r;
}

const struct op desk_key_generate = {
	.name = "key generate",
	.summary = "Print a new random key",
	.effect = EFFECT_OPERATE,
	.args = args_none,
	.run = key_generate_run,
};
