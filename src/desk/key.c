/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A new key: 32 random bytes as base64, kept out of the arena, which is not
 * wiped.
 */
#include "desk/key.h"

#include <sys/random.h>

#include "base/base64.h"
#include "base/secret.h"
#include "gate/operate.h"

enum {
	KEY_SIZE = 32
};

int
key_make(char text[KEY_TEXT], struct err *e)
{
	unsigned char key[KEY_SIZE];

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key)) {
		(void)err_set(e, ERR_INTERNAL, "no random bytes are available");
		return err_errno(e, "getrandom");
	}
	(void)base64_encode(text, key, sizeof(key));
	text[KEY_TEXT - 1] = '\n';
	secret_wipe(key, sizeof(key));
	return 0;
}

int
key_hand_over(const struct call *c, const char text[KEY_TEXT], struct err *e)
{
	if (operate_door(c)->write((struct str){ text, KEY_TEXT }, true) < 0) {
		(void)err_set(e, ERR_INTERNAL, "the key cannot be written");
		return err_errno(e, "standard output");
	}
	return 0;
}
