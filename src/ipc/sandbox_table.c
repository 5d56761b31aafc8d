/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One row for each kind of process: what it may do.  The spawner forks all
 * others, and they have what it has: so its row is the union of theirs.  Of
 * system calls each row has groups.  A call in none of them fails as in a
 * kernel that does not have it, since libraries try calls and go another way;
 * one that no process of the broker ever makes ends the process.
 */
#include "ipc/sandbox_table.h"

#include <stddef.h>

#define ALL                                                                    \
	(SANDBOX_BASE | SANDBOX_DISK | SANDBOX_FORK | SANDBOX_TALK |           \
	    SANDBOX_ACCEPT | SANDBOX_WAIT | SANDBOX_MIND | SANDBOX_RULE)

const struct sandbox_row sandbox_table[SANDBOX_KINDS] = {
	/* Of files it needs /proc: who connects to it, ipc/peer.c. */
	[SANDBOX_MONITOR] = { "monitor",
	    SANDBOX_BASE | SANDBOX_DISK | SANDBOX_TALK | SANDBOX_ACCEPT |
		SANDBOX_WAIT | SANDBOX_MIND | SANDBOX_RULE,
	    SANDBOX_NO_NET, SANDBOX_PATHS },
	[SANDBOX_SPAWNER] = { "spawner", ALL, SANDBOX_NET, SANDBOX_ALL },
	[SANDBOX_KEEPER] = { "keeper",
	    SANDBOX_BASE | SANDBOX_DISK | SANDBOX_TALK, SANDBOX_NO_NET,
	    SANDBOX_PATHS },
	/* All its sockets were given to it; it makes only pairs of them. */
	[SANDBOX_WORKER] = { "worker",
	    SANDBOX_BASE | SANDBOX_DISK | SANDBOX_FORK | SANDBOX_TALK |
		SANDBOX_WAIT | SANDBOX_MIND,
	    SANDBOX_NO_NET, SANDBOX_SYSTEM },
	[SANDBOX_WIRE] = { "wire", SANDBOX_BASE | SANDBOX_DISK | SANDBOX_TALK,
	    SANDBOX_NET, SANDBOX_SYSTEM },
	/* Of a mailbox root's lock it sees whether its process is there. */
	[SANDBOX_FILES] = { "wire",
	    SANDBOX_BASE | SANDBOX_DISK | SANDBOX_TALK | SANDBOX_LOOK,
	    SANDBOX_NO_NET, SANDBOX_SYSTEM },
	[SANDBOX_READER] = { "reader", SANDBOX_BASE, SANDBOX_NO_NET,
	    SANDBOX_NOTHING },
	/* Readers see with its files what confines them. */
	[SANDBOX_NURSERY] = { "reader",
	    SANDBOX_BASE | SANDBOX_DISK | SANDBOX_FORK | SANDBOX_TALK |
		SANDBOX_WAIT | SANDBOX_MIND,
	    SANDBOX_NO_NET, SANDBOX_SYSTEM },
	/* Its sockets were given to it, and another process forks and signals
	 * those of its calls.  Of files it needs /proc: who connects to it. */
	[SANDBOX_HTTP] = { "http",
	    SANDBOX_BASE | SANDBOX_DISK | SANDBOX_TALK | SANDBOX_ACCEPT |
		SANDBOX_WAIT,
	    SANDBOX_NO_NET, SANDBOX_PATHS },
};

static const char *const base[] = { "read", "write", "readv", "writev", "close",
	"exit", "exit_group", "rt_sigreturn", "brk", "mmap", "munmap", "mremap",
	"mprotect", "madvise", "mlock", "mlock2", "munlock", "msync", "mincore",
	"futex", "set_robust_list", "set_tid_address", "rseq", "membarrier",
	"getcpu", "clock_gettime", "clock_getres", "clock_nanosleep",
	"gettimeofday", "time", "times", "nanosleep", "getrandom", "sysinfo",
	"uname", "sched_yield", "sched_getaffinity", "sigaltstack",
	"rt_sigaction", "rt_sigprocmask", "rt_sigtimedwait", "rt_sigpending",
	"rt_sigsuspend", "restart_syscall", "poll", "ppoll", "select",
	"pselect6", "lseek", "fstat", "getpid", "gettid", "getppid", "getpgrp",
	"getuid", "geteuid", "getgid", "getegid", "getrusage", "getrlimit",
	"prlimit64", NULL };

static const char *const disk[] = { "open", "openat", "openat2", "creat",
	"stat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access",
	"faccessat", "faccessat2", "getdents", "getdents64", "readlink",
	"readlinkat", "rename", "renameat", "renameat2", "link", "linkat",
	"unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "symlink",
	"symlinkat", "truncate", "ftruncate", "fsync", "fdatasync",
	"sync_file_range", "sync_file_range2", "fallocate", "pread64",
	"pwrite64", "preadv", "pwritev", "preadv2", "pwritev2", "fcntl",
	"flock", "dup", "dup2", "dup3", "pipe", "pipe2", "umask", "chmod",
	"fchmod", "fchmodat", "fchmodat2", "utimensat", "utime", "utimes",
	"futimesat", "copy_file_range", "sendfile", "memfd_create", "getcwd",
	"chdir", "fchdir", "close_range", "fadvise64", "readahead",
	"inotify_init1", "inotify_add_watch", "inotify_rm_watch", "eventfd2",
	"timerfd_create", "timerfd_settime", "timerfd_gettime", "signalfd4",
	"epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", NULL };

/*
 * clone has a rule of its own; clone3 is in no group: a filter cannot see its
 * flags, and libc then uses clone.
 */
static const char *const forks[] = { "fork", "vfork", "tkill", "tgkill",
	"setsid", "setpgid", "getpgid", "getsid", "prctl", "setrlimit", "alarm",
	"setitimer", "getitimer", "seccomp", "landlock_create_ruleset",
	"landlock_add_rule", "landlock_restrict_self", NULL };

static const char *const talk[] = { "sendto", "recvfrom", "sendmsg", "recvmsg",
	"sendmmsg", "recvmmsg", "getsockopt", "setsockopt", "getsockname",
	"getpeername", "shutdown", NULL };

static const char *const waits[] = { "wait4", "waitid", "pidfd_open", NULL };

static const char *const minds[] = { "pidfd_send_signal", "kill", NULL };

static const char *const accepts[] = { "accept", "accept4", NULL };

/* Whose process comes behind whose. */
static const char *const rules[] = { "setpriority", NULL };

const struct sandbox_calls sandbox_table_calls[] = {
	{ SANDBOX_BASE, base },
	{ SANDBOX_DISK, disk },
	{ SANDBOX_FORK, forks },
	{ SANDBOX_TALK, talk },
	{ SANDBOX_ACCEPT, accepts },
	{ SANDBOX_WAIT, waits },
	{ SANDBOX_MIND, minds },
	{ SANDBOX_RULE, rules },
	{ 0, NULL },
};

/* No library tries these either. */
const char *const sandbox_table_deadly[] = { "execve", "execveat", "ptrace",
	"process_vm_readv", "process_vm_writev", "process_madvise",
	"pidfd_getfd", "kcmp", "mount", "umount", "umount2", "move_mount",
	"open_tree", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
	"pivot_root", "chroot", "unshare", "setns", "bpf", "io_uring_setup",
	"io_uring_enter", "io_uring_register", "add_key", "request_key",
	"keyctl", "perf_event_open", "userfaultfd", "kexec_load",
	"kexec_file_load", "init_module", "finit_module", "delete_module",
	"create_module", "query_module", "reboot", "swapon", "swapoff", "acct",
	"quotactl", "quotactl_fd", "syslog", "sysfs", "_sysctl", "uselib",
	"nfsservctl", "lookup_dcookie", "open_by_handle_at", "fanotify_init",
	"fanotify_mark", "iopl", "ioperm", "modify_ldt", "personality",
	"settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
	"sethostname", "setdomainname", "setuid", "setgid", "setreuid",
	"setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
	"setgroups", "capset", "mknod", "mknodat", "move_pages",
	"migrate_pages", "mbind", "set_mempolicy", "vhangup", "ioprio_set",
	"memfd_secret", "shmget", "shmat", "shmctl", "semget", "semop",
	"semctl", "msgget", "msgsnd", "msgrcv", "mq_open", "listen", NULL };

/*
 * What the C library, OpenSSL and libcurl read: libraries that are loaded late,
 * names of hosts, authorities, character sets and time zones.  Of /etc only
 * these: the broker's key may be a file there.
 */
const struct sandbox_path sandbox_table_system[] = {
	{ "/usr", false },
	{ "/lib", false },
	{ "/lib64", false },
	{ "/etc/ld.so.cache", false },
	{ "/etc/resolv.conf", false },
	{ "/etc/hosts", false },
	{ "/etc/host.conf", false },
	{ "/etc/nsswitch.conf", false },
	{ "/etc/gai.conf", false },
	{ "/etc/services", false },
	{ "/etc/protocols", false },
	{ "/etc/localtime", false },
	{ "/etc/ssl", false },
	{ "/etc/pki", false },
	{ "/etc/crypto-policies", false },
	{ "/proc", false },
	{ "/sys/devices/system/cpu", false },
	{ "/dev/null", true },
	{ "/dev/urandom", false },
	{ "/dev/random", false },
	{ NULL, false },
};
