/* emcli key generate: 32 random bytes as base64, and nothing else. */
#include <sys/random.h>

#include "base/base64.h"
#include "door/admin/internal.h"
#include "door/out.h"

enum {
	KEY_SIZE = 32
};

const struct arg_spec key_args[] = {
	{ 0 },
};

int
key_make(char text[KEY_TEXT], struct err *e)
{
	unsigned char key[KEY_SIZE];

	if (getrandom(key, sizeof(key), 0) != (ssize_t)sizeof(key)) {
		(void)err_set(e, ERR_INTERNAL, "no random bytes to be had");
		return err_errno(e, "getrandom");
	}
	(void)base64_encode(text, key, sizeof(key));
	text[KEY_TEXT - 1] = '\n';
	secret_wipe(key, sizeof(key));
	return 0;
}

int
key_print(const char text[KEY_TEXT], struct err *e)
{
	if (out_write(STDOUT_FILENO, (struct str){ text, KEY_TEXT }) < 0) {
		(void)err_set(e, ERR_INTERNAL, "the key cannot be written");
		return err_errno(e, "standard output");
	}
	/* A pipe or a terminal has nothing to wait for. */
	(void)fsync(STDOUT_FILENO);
	return 0;
}

/* Past the arena, which is not wiped. */
int
key_generate(struct admin_call *c, struct err *e)
{
	char text[KEY_TEXT];
	int r = key_make(text, e);

	(void)c;
	if (r == 0)
		r = key_print(text, e);
	secret_wipe(text, sizeof(text));
	return r;
}
