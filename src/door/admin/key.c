/* emcli key generate: 32 random bytes as base64, and nothing else. */
#include <sys/random.h>

#include "base/base64.h"
#include "door/admin/internal.h"
#include "door/out.h"

enum {
	KEY_SIZE = 32,
	KEY_TEXT = 45
};

const struct arg_spec key_args[] = {
	{ 0 },
};

/* Past the arena, which is not wiped. */
int
key_generate(struct admin_call *c, struct err *e)
{
	unsigned char key[KEY_SIZE];
	char text[KEY_TEXT];
	ssize_t n = getrandom(key, sizeof(key), 0);
	int r = 0;

	(void)c;
	if (n != (ssize_t)sizeof(key)) {
		(void)err_set(e, ERR_INTERNAL, "no random bytes to be had");
		return err_errno(e, "getrandom");
	}
	n = (ssize_t)base64_encode(text, key, sizeof(key));
	text[n] = '\n';
	if (out_write(STDOUT_FILENO, (struct str){ text, (size_t)n + 1 }) < 0) {
		(void)err_set(e, ERR_INTERNAL, "the key cannot be written");
		r = err_errno(e, "standard output");
	}
	secret_wipe(key, sizeof(key));
	secret_wipe(text, sizeof(text));
	return r;
}
