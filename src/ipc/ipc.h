/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IPC_IPC_H
#define IPC_IPC_H

/*
 * Sockets between processes of one machine: who is at the other end, sockets at
 * a name in an open folder, frames, and descriptors that travel with them.  It
 * knows no type of frame and no rule.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

/* The process at the other end, as it was when it connected or listened. */
struct ipc_peer {
	int64_t pid; /* 0: it is not visible from here */
	uint32_t uid, gid;
};

/* Asks the kernel (unix(7)).  ERR_CONFIG: it is no unix socket. */
int ipc_peer(int fd, struct ipc_peer *out, struct err *e);
/*
 * A descriptor of that process (pidfd_open(2)): it stays this process's when
 * the number is used again.  -1: the process is not visible from here;
 * IPC_PEER_GONE: the process that connected has ended.
 */
#define IPC_PEER_GONE (-2)
int ipc_peer_hold(int fd, const struct ipc_peer *who);
/* The same by its number alone, for kernels before 6.5; -1: it has ended. */
int ipc_peer_open(int64_t pid);
/* Fills in *who.  False: that process has ended, or it cannot be known. */
bool ipc_peer_there(int fd, struct ipc_peer *who);
/* Is it a unix socket, and the other end this user's or root's? */
bool ipc_peer_is_own(int fd);
/* The same for another user. */
bool ipc_peer_is(int fd, uint32_t uid);
/* Is it a unix socket? */
bool ipc_peer_is_local(int fd);

/*
 * Listens at that name in the folder, mode 0600; what was at that name is
 * removed, so the caller holds a lock.  The path of the folder may have any
 * length.  A descriptor that does not block, or -1 with ERR_CONFIG.
 */
int ipc_listen(int folder, const char *name, struct err *e);
/* The same with another mode. */
int ipc_listen_for(int folder, const char *name, unsigned mode, struct err *e);
/*
 * The folder of a path at which a socket is to be made, and its name there. The
 * folder is that user's, and nobody else may write to it; it is made where it
 * is missing.  A descriptor, or -1 with ERR_USAGE, ERR_CONFIG.
 */
int ipc_listen_folder(struct str path, uint32_t uid, uint32_t gid,
    struct arena *a, const char **name, struct err *e);
/*
 * The socket that systemd made and passed: 1 with a descriptor that does not
 * block; 0: it passed none.  Its variables are removed.  ERR_CONFIG.
 */
int ipc_listen_given(int *fd, struct err *e);
/*
 * Connects to a socket at that name in the folder, whose other end is this
 * user's or root's.  Waits at most LIMIT_IPC_MS; so does each read and write
 * afterwards.  A descriptor, or -1 with ERR_NOT_FOUND: nobody listens there;
 * ERR_NETWORK, ERR_POLICY: it is another user's.
 */
int ipc_connect(int folder, const char *name, struct err *e);
/* The same if the other end is root's or that user's. */
int ipc_connect_to(int folder, const char *name, uint32_t uid, struct err *e);
/* From now on no read, write or connect of it waits longer.  -1 and errno. */
int ipc_connect_hurry(int fd, int64_t ms);

/*
 * Waits until one of these events of poll(2), or its end: 1; 0: not by
 * until_ms on clock_mono_ms(), and a deadline that has passed is not waited
 * for; -1 with errno.  IPC_WAIT_EVER: as long as it takes.
 */
#define IPC_WAIT_EVER INT64_MAX
int ipc_wait(int fd, short what, int64_t until_ms);

/* Descriptors that came with a frame; the holder closes them. */
struct ipc_passed {
	int fd[LIMIT_PASSED]; /* -1: taken out */
	size_t n;
};

/*
 * Sends the bytes, and n descriptors with the first of them.  How many bytes,
 * or -1 with errno; it does not wait.
 */
ssize_t ipc_pass_send(int to, struct str bytes, const int *fds, size_t n);
/*
 * Receives bytes and adds the descriptors that came with them, close-on-exec.
 * 0: the end; -1 with errno; EMSGSIZE: more than LIMIT_PASSED came, and all of
 * *in are closed.  It does not wait.
 */
ssize_t ipc_pass_recv(int from, void *out, size_t room, struct ipc_passed *in);
/* Closes them: for CLEANUP(ipc_pass_close). */
void ipc_pass_close(struct ipc_passed *p);
/* Which file it is, whoever opened it. */
struct ipc_file {
	uint64_t device, inode;
};
/*
 * Of a descriptor that another process passed: a regular file, opened for
 * reading alone.  It reads nothing and does not ask a filesystem that may never
 * answer.  ERR_USAGE: it is of another kind.
 */
int ipc_pass_file(int fd, struct ipc_file *out, struct err *e);

/* A frame: a type, and a payload of at most LIMIT_FRAME bytes. */
struct ipc_frame {
	char type;
	struct str payload;
};

#define IPC_FRAME_HEAD 5 /* four bytes of length, and the type */
void ipc_frame_head(const struct ipc_frame *f,
    unsigned char out[IPC_FRAME_HEAD]);
/* The length in a head; false: it is over LIMIT_FRAME. */
bool ipc_frame_length(const unsigned char head[IPC_FRAME_HEAD], size_t *n);
/*
 * Sends a frame, whole in LIMIT_FRAME_MS, and descriptors with its first byte.
 * ERR_LIMIT: it is too long; ERR_NETWORK.
 */
int ipc_frame_send(int fd, const struct ipc_frame *f, const int *fds, size_t n,
    struct err *e);
/*
 * Receives one into the arena: 1; 0: the other end closed before it; -1 with
 * ERR_USAGE: too long, too many descriptors, or not whole in LIMIT_FRAME_MS;
 * or ERR_NETWORK.  patient: its first byte may take any time.  Without a frame
 * none of *with is open.
 */
int ipc_frame_recv(int fd, bool patient, struct arena *a, struct ipc_frame *out,
    struct ipc_passed *with, struct err *e);

/*
 * Learns from the environment whether systemd wants to be told (sd_notify(3)),
 * and removes the variables.  How often the watchdog is to be told, in
 * milliseconds; 0: never.
 */
int ipc_notify_begin(void);
/* Tells it "READY=1" and the like; nothing if it does not want to know. */
void ipc_notify(const char *state);

#endif
