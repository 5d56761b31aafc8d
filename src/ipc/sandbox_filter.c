/* SPDX-License-Identifier: Apache-2.0 */
/* A filter of system calls by libseccomp. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"
#include "ipc/sandbox_seccomp.h"
#include "ipc/sandbox_table.h"

/* A filter being made. */
struct filter {
	scmp_filter_ctx ctx;
	int fault; /* 0, or what the first rule that failed said */
};

/* A call that this library or this machine does not know needs no rule: it
 * fails as any other. */
static void
sandbox_filter_rule(struct filter *f, uint32_t action, const char *name,
    unsigned n, const struct scmp_arg_cmp *arg)
{
	int nr = sandbox_seccomp.resolve(name);
	int r = nr >= 0 ? sandbox_seccomp.add(f->ctx, action, nr, n, arg) : 0;

	if (r < 0 && f->fault == 0)
		f->fault = r;
}

static void
sandbox_filter_each(struct filter *f, uint32_t action, const char *const *name)
{
	for (; *name != NULL; name++)
		sandbox_filter_rule(f, action, *name, 0, NULL);
}

/* Where the argument at that place has one of these values. */
static void
sandbox_filter_values(struct filter *f, const char *name, unsigned place,
    const uint64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct scmp_arg_cmp is = { place, SCMP_CMP_EQ, v[i], 0 };

		sandbox_filter_rule(f, SCMP_ACT_ALLOW, name, 1, &is);
	}
}

static void
sandbox_filter_sockets(struct filter *f, const struct sandbox_row *row)
{
	static const uint64_t local[] = { AF_UNIX },
			      remote[] = { AF_INET, AF_INET6, AF_NETLINK };
	static const char *const with[] = { "connect", "bind", NULL };

	/* A pair of them reaches nobody. */
	if (row->calls & SANDBOX_TALK)
		sandbox_filter_values(f, "socketpair", 0, local, 1);
	if (row->net == SANDBOX_NO_NET)
		return;
	sandbox_filter_each(f, SCMP_ACT_ALLOW, with);
	sandbox_filter_values(f, "socket", 0, local, 1);
	if (row->net == SANDBOX_NET)
		sandbox_filter_values(f, "socket", 0, remote, 3);
}

/* Nothing that writes into a terminal, or moves a device. */
static void
sandbox_filter_ioctl(struct filter *f)
{
	static const uint64_t asks[] = { TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO,
		FIOCLEX, FIONCLEX };

	sandbox_filter_values(f, "ioctl", 1, asks,
	    sizeof(asks) / sizeof(asks[0]));
}

/* No namespace of its own, in which it would be root. */
static void
sandbox_filter_clone(struct filter *f, bool threads_only)
{
	const uint64_t spaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID |
	    CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
	const uint64_t thread = threads_only ? CLONE_THREAD : 0;
#ifdef __s390__
	const unsigned place = 1;
#else
	const unsigned place = 0;
#endif
	const struct scmp_arg_cmp is = { place, SCMP_CMP_MASKED_EQ,
		spaces | thread, thread };

	sandbox_filter_rule(f, SCMP_ACT_ALLOW, "clone", 1, &is);
}

/* abort(3), and no signal to others. */
static void
sandbox_filter_abort(struct filter *f)
{
	const uint64_t own[] = { (uint64_t)getpid() };

	sandbox_filter_values(f, "tgkill", 0, own, 1);
}

/* kill(2) without a signal. */
static void
sandbox_filter_look(struct filter *f)
{
	static const uint64_t none[] = { 0 };

	sandbox_filter_values(f, "kill", 1, none, 1);
}

static int
sandbox_filter_fill(struct filter *f, const struct sandbox_row *row)
{
	const struct sandbox_calls *c = sandbox_table_calls;

	for (; c->name != NULL; c++)
		if (row->calls & c->group)
			sandbox_filter_each(f, SCMP_ACT_ALLOW, c->name);
	sandbox_filter_each(f, SCMP_ACT_KILL_PROCESS, sandbox_table_deadly);
	sandbox_filter_sockets(f, row);
	if (row->calls & SANDBOX_DISK)
		sandbox_filter_ioctl(f);
	if (row->calls & SANDBOX_LOOK)
		sandbox_filter_look(f);
	/* A filter that is kept is that of several processes. */
	if ((row->calls & SANDBOX_FORK) == 0 && row->calls != SANDBOX_BASE)
		sandbox_filter_abort(f);
	/* libcurl resolves names in a thread. */
	if ((row->calls & SANDBOX_FORK) || row->net == SANDBOX_NET)
		sandbox_filter_clone(f, (row->calls & SANDBOX_FORK) == 0);
	return f->fault;
}

static int
sandbox_filter_fail(const struct sandbox_row *row, int why, struct err *e)
{
	errno = why;
	(void)err_set(e, ERR_INTERNAL,
	    "a process of the broker cannot be confined to its system calls");
	return err_errno(e, row->name);
}

/* 0 and the filter, to be released; or what libseccomp says. */
static int
sandbox_filter_begin(const struct sandbox_row *row, struct filter *f)
{
	int r = -ENOMEM;

	f->ctx = sandbox_seccomp.init(SCMP_ACT_ERRNO(ENOSYS));
	if (f->ctx != NULL)
		r = sandbox_seccomp.attr_set(f->ctx, SCMP_FLTATR_ACT_BADARCH,
		    SCMP_ACT_KILL_PROCESS);
	return r == 0 ? sandbox_filter_fill(f, row) : r;
}

static int
sandbox_filter_make(const struct sandbox_row *row, struct err *e)
{
	struct filter f = { 0 };
	int r = sandbox_filter_begin(row, &f);

	if (r == 0)
		r = sandbox_seccomp.load(f.ctx);
	sandbox_seccomp.release(f.ctx);
	return r < 0 ? sandbox_filter_fail(row, -r, e) : r;
}

/* Has this kernel filters, and can they end a process?  Linux 4.14. */
static bool
sandbox_filter_can(void)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* A filter as the kernel takes it: to make one costs milliseconds. */
static struct {
	const struct sandbox_row *row; /* NULL: none is kept */
	struct sock_filter line[BPF_MAXINSNS];
	size_t n; /* bytes */
} filter_kept;

int
sandbox_filter_keep(const struct sandbox_row *row, struct err *e)
{
	CLEANUP(path_close) int fd = memfd_create("filter", MFD_CLOEXEC);
	struct filter f = { 0 };
	ssize_t n = 0;
	int r;

	if (!sandbox_filter_can())
		return 0;
	r = fd < 0 ? -errno : sandbox_filter_begin(row, &f);
	if (r == 0)
		r = sandbox_seccomp.export(f.ctx, fd);
	sandbox_seccomp.release(f.ctx);
	if (r == 0)
		n = pread(fd, filter_kept.line, sizeof(filter_kept.line), 0);
	if (r < 0 || n <= 0)
		return sandbox_filter_fail(row, r < 0 ? -r : EIO, e);
	filter_kept.row = row;
	filter_kept.n = (size_t)n;
	return 0;
}

static int
sandbox_filter_take(struct err *e)
{
	const struct sock_fprog all = { (unsigned short)(filter_kept.n /
					    sizeof(filter_kept.line[0])),
		filter_kept.line };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all) < 0)
		return sandbox_filter_fail(filter_kept.row, errno, e);
	return 0;
}

int
sandbox_filter_enter(const struct sandbox_row *row, struct err *e)
{
	if (!sandbox_filter_can())
		return 1;
	return row == filter_kept.row ? sandbox_filter_take(e)
				      : sandbox_filter_make(row, e);
}
