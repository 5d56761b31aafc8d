/* SPDX-License-Identifier: Apache-2.0 */
#include "base/internal.h"
#include "base/limits.h"
#include "base/secret.h"

int
secret_read(int fd, struct secret **out, struct err *e)
{
	CLEANUP(secret_close) struct secret *s = NULL;

	if (secret_fill(fd, false, &s) < 0) {
		(void)err_set(e, ERR_CONFIG, "the secret cannot be read");
		return err_errno(e, "read");
	}
	if (secret_size(s) > LIMIT_SECRET)
		return err_set(e, ERR_LIMIT,
		    "the secret is longer than %lu "
		    "bytes",
		    LIMIT_SECRET);
	if (secret_size(s) == 0)
		return err_set(e, ERR_CONFIG, "the secret is empty");
	*out = s;
	s = NULL;
	return 0;
}
