/* SPDX-License-Identifier: Apache-2.0 */
/* A file in memory that the broker sends. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "door/remote/internal.h"

/* Nobody can change it any more: F_GET_SEALS, fcntl(2). */
int
remote_sealed(int fd, int64_t bytes, struct str *out, struct err *e)
{
	const int want =
	    F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;
	void *p;

	if (seals < 0 || (seals & want) != want || fstat(fd, &st) < 0 ||
	    st.st_size != bytes)
		return remote_odd(e);
	*out = S("");
	if (bytes == 0)
		return 0;
	p = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		(void)err_set(e, ERR_INTERNAL, "the reply cannot be read");
		return err_errno(e, "mmap");
	}
	*out = (struct str){ p, (size_t)bytes };
	return 0;
}
