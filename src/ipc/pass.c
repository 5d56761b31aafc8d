/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors that travel with bytes.  They are close-on-exec from the start,
 * and none stays open after an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ipc/ipc.h"

/* What the kernel can put there: one message has at most LIMIT_PASSED. */
union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(LIMIT_PASSED * sizeof(int))];
};

ssize_t
ipc_pass_send(int to, struct str bytes, const int *fds, size_t n)
{
	struct iovec v = { (void *)(uintptr_t)bytes.p, bytes.n };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
	union control c;
	struct cmsghdr *h;

	if (n > LIMIT_PASSED) {
		errno = EMSGSIZE;
		return -1;
	}
	if (n > 0) {
		memset(&c, 0, sizeof(c));
		m.msg_control = &c;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
		h = CMSG_FIRSTHDR(&m);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(h), fds, n * sizeof(int));
	}
	return sendmsg(to, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Keeps those of one message: false, and the rest is closed: too many. */
static bool
ipc_pass_keep(struct cmsghdr *h, struct ipc_passed *in)
{
	size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	bool fits = true;

	for (size_t i = 0; i < n; i++) {
		int fd;

		memcpy(&fd, CMSG_DATA(h) + i * sizeof(fd), sizeof(fd));
		if (in->n < LIMIT_PASSED) {
			in->fd[in->n++] = fd;
		} else {
			(void)close(fd);
			fits = false;
		}
	}
	return fits;
}

ssize_t
ipc_pass_recv(int from, void *out, size_t room, struct ipc_passed *in)
{
	struct iovec v = { out, room };
	union control c;
	struct msghdr m = { .msg_iov = &v,
		.msg_iovlen = 1,
		.msg_control = &c,
		.msg_controllen = sizeof(c) };
	ssize_t r = recvmsg(from, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	bool fits = true;

	if (r < 0)
		return -1;
	for (struct cmsghdr *h = CMSG_FIRSTHDR(&m); h != NULL;
	     h = CMSG_NXTHDR(&m, h))
		if (h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS)
			fits = ipc_pass_keep(h, in) && fits;
	/* The kernel closed what there was no room for. */
	if (fits && !(m.msg_flags & MSG_CTRUNC))
		return r;
	ipc_pass_close(in);
	errno = EMSGSIZE;
	return -1;
}

void
ipc_pass_close(struct ipc_passed *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->fd[i] >= 0)
			(void)close(p->fd[i]);
	p->n = 0;
}

/* Its filesystem is not asked, which might never answer. */
int
ipc_pass_file(int fd, struct ipc_file *out, struct err *e)
{
	int flags = fcntl(fd, F_GETFL);
	struct statx st;

	if (flags < 0 || flags & O_PATH || (flags & O_ACCMODE) != O_RDONLY)
		return err_set(e, ERR_USAGE,
		    "a descriptor was passed that is not open for reading "
		    "alone");
	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
		STATX_TYPE | STATX_INO, &st) < 0 ||
	    !S_ISREG(st.stx_mode))
		return err_set(e, ERR_USAGE,
		    "a descriptor was passed that is not a regular file");
	*out = (struct ipc_file){
		.device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor,
		.inode = st.stx_ino,
	};
	return 0;
}
