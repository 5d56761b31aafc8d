/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_WIRED_INTERNAL_H
#define BACKEND_WIRED_INTERNAL_H

/*
 * What travels.  Each struct is described once, by a shape, from which put.c
 * makes bytes and take.c makes the struct again.  A number is LEB128, a signed
 * one zigzag before that; a text is its length and its bytes; a list is its
 * length and its items; a pointer is 0, or 1 and what it points to.  So every
 * field has a byte at least, and bytes that are taken are those that put.c
 * makes of it.
 */
#include "backend/internal.h"
#include "backend/watch.h"
#include "backend/wired/wired.h"
#include "base/buf.h"
#include "base/limits.h"
#include "ipc/ipc.h"

#define WIRED_MAC 32 /* bytes of what the store's key makes */

enum wired_kind {
	WIRED_NUMBER, /* unsigned: also bool, char and enum */
	WIRED_SIGNED,
	WIRED_TEXT,  /* struct str */
	WIRED_PART,  /* a struct */
	WIRED_LIST,  /* a pointer to structs, and their number, a size_t */
	WIRED_MAYBE, /* a pointer to a struct, or NULL */
};

struct wired_shape;
struct wired_field {
	enum wired_kind kind;
	uint16_t at, n_at; /* offsets: of it, of a list's number */
	uint16_t size;     /* of a number, in bytes */
	uint64_t
	    max; /* the greatest number; bytes of a text; items of a list */
	const struct wired_shape *of; /* a part, an item, what is pointed to */
};

struct wired_shape {
	size_t size; /* of the struct */
	const struct wired_field *field;
	size_t n; /* fields */
};

/* What a request is about: each method sends some of it. */
struct wired_ask {
	struct str folder;
	const struct copying *copying; /* move; without the callback */
	struct str to;   /* move, move_back: the folder; draft: the thread */
	struct str text; /* a message; changes: since */
	struct query query;
	struct refs refs;
	struct places was; /* move_back */
	struct ref ref;
	uint64_t max; /* find: rows; body: bytes */
	struct flag_change change;
	struct submission submission;
	uint64_t wait_ms;
};

/* What comes back: each method fills in some of it. */
struct wired_answer {
	bool yes; /* links: over; watch: changed */
	struct folder_state state;
	struct folders folders;
	struct rows rows;
	struct strs ids, gone;
	struct str text;
	struct refs refs;
	struct drafted drafted;
	struct recipient *to;
	size_t n;
	int64_t lives_s; /* a token */
};

/* What all requests begin with. */
struct wired_head {
	uint64_t left_ms; /* until the deadline */
	bool trace, progress;
	bool signs; /* the account has a key to ask for */
};

/* One message of `links`. */
struct wired_linked {
	struct ref ref;
	struct strs ids;
};

/* What the key of the account's store is asked for. */
struct wired_sign {
	struct str text, mac; /* mac: is it that of the text?  Empty: make it */
};

/* A move has made copies: `copied` of struct copying. */
struct wired_copied {
	struct refs copies;
	uint32_t uidvalidity;
};

struct wired_progress {
	uint64_t done, all;
};

/* struct err as it travels. */
struct wired_fault {
	unsigned kind, scope;
	struct str reason, hint, say, detail;
};

/* shape.c */
extern const struct wired_shape wired_shape_str, wired_shape_strs,
    wired_shape_ref, wired_shape_refs, wired_shape_query, wired_shape_change,
    wired_shape_state, wired_shape_folder, wired_shape_row, wired_shape_drafted,
    wired_shape_addressee, wired_shape_outcome, wired_shape_submission,
    wired_shape_probe, wired_shape_linked, wired_shape_sign,
    wired_shape_progress, wired_shape_fault, wired_shape_head, wired_shape_next,
    wired_shape_copying, wired_shape_copied;

enum wired_verb {
	WIRED_OPEN,
	WIRED_FOLDERS,
	WIRED_FIND,
	WIRED_HEADERS,
	WIRED_BODY,
	WIRED_LINKS,
	WIRED_SCAN,
	WIRED_LISTING,
	WIRED_CHANGES,
	WIRED_SUBMIT,
	WIRED_APPEND,
	WIRED_DRAFTS,
	WIRED_DRAFT,
	WIRED_MARK,
	WIRED_MOVE,
	WIRED_MOVE_BACK,
	WIRED_WATCH,
	WIRED_PROBE,
	WIRED_TOKEN, /* no method of a backend's: wired_token() */
	WIRED_VERBS
};

/* method.c: what each of them sends and gets. */
struct wired_method {
	const char *name;
	size_t slot; /* where struct backend has it */
	struct wired_shape ask, answer;
	bool always;  /* an error comes with the answer, too */
	bool changes; /* mail, so it is finished whoever has gone */
	bool tests;   /* it reads and changes no mail: for WIRED_USE_TEST */
};
extern const struct wired_method wired_method[WIRED_VERBS];
/* Has the backend that method? */
bool wired_method_is_there(const struct backend *be, enum wired_verb verb);

/* The type of a frame. */
enum wired_type {
	WIRED_ASK = 'Q',
	WIRED_ANSWER = 'A',
	WIRED_TELL_PROGRESS = 'P', /* struct wired_progress */
	WIRED_TELL_LINKS = 'L',    /* struct wired_linked, some */
	WIRED_TELL_LINE = 'T',     /* struct probe */
	WIRED_TELL_READY = 'Y',
	WIRED_LOOK = 'K',   /* may the message go? */
	WIRED_COPIED = 'C', /* struct wired_copied; may the originals go? */
	WIRED_GO = 'G',
	WIRED_NO = 'N',
	WIRED_SIGN = 'S', /* struct wired_sign */
	WIRED_SAID = 'D', /* 0 or 1, and a text; 2, and an error */
};

/*
 * Bytes on their way out.  Up to LIMIT_FRAME_PART they are in memory; more go
 * to a file in memory, so that a message is not copied here.
 */
struct wired_put {
	struct buf b;
	int fd;         /* the file, or -1 */
	uint64_t filed; /* bytes in it */
	bool bad;       /* something is beyond its cap, or there is no file */
};

/* put.c */
void wired_put_begin(struct wired_put *o, struct arena *a);
void wired_put_number(struct wired_put *o, uint64_t n);
void wired_put(struct wired_put *o, const struct wired_shape *shape,
    const void *from);
/* Closes the file: for CLEANUP(wired_put_close). */
void wired_put_close(struct wired_put *o);

/* Bytes that arrived; texts are views of them. */
struct wired_take {
	const unsigned char *p;
	size_t n;
	struct arena *a;
	bool bad; /* they do not fit: nothing more is taken */
};

/* take.c */
struct wired_take wired_take_begin(struct str bytes, struct arena *a);
uint64_t wired_take_number(struct wired_take *in, uint64_t max);
void wired_take(struct wired_take *in, const struct wired_shape *shape,
    void *to);
/* Has all of it been taken, and did it fit? */
bool wired_take_end(const struct wired_take *in);

/*
 * carry.c: sends what was put, as one frame.  ERR_LIMIT: something was beyond
 * its cap, and nothing was sent; ERR_NETWORK.
 */
int wired_carry_send(int fd, enum wired_type type, struct wired_put *o,
    struct err *e);
/* A frame without a payload. */
int wired_carry_say(int fd, enum wired_type type, struct err *e);
/* A frame, and the file that came with it or -1. */
struct wired_carried {
	enum wired_type type;
	struct str payload;
	int fd;
};
/*
 * Receives one: 1; 0: the other end closed; -1.  until_ms: as ipc_wait() has
 * it.  ERR_USAGE: it does not fit; ERR_NETWORK.
 */
int wired_carry_recv(int fd, int64_t until_ms, struct arena *a,
    struct wired_carried *out, struct err *e);
/*
 * What a frame says, at most `most` bytes, copied into the arena.  ERR_USAGE:
 * its file can change, or is too long.
 */
int wired_carry_read(const struct wired_carried *c, size_t most,
    struct arena *a, struct str *out, struct err *e);
void wired_carry_close(struct wired_carried *c);

/* fault.c */
void wired_fault_put(struct wired_put *o, const struct err *e);
/* in->bad: it is no error, or of a kind that no backend has. */
void wired_fault_take(struct wired_take *in, struct err *e);

/* wired.c: the client's connection. */
struct wired {
	struct conn conn;
	int fd;     /* -1: it is of no more use */
	bool apart; /* by a process that does nothing else */
};

/* One call of a method, and what may be called meanwhile. */
struct wired_call {
	enum wired_verb verb;
	struct arena *a;
	struct wired_ask ask;
	struct wired_answer answer;
	const struct link_sink *links;
	const struct backend_watch *watch;
	struct probes *probes;
	bool ready;         /* said so already */
	bool over;          /* the caller waits no longer */
	bool let_go;        /* whether it is done is unknown without an answer
			     */
	bool signed_one;    /* the message that goes */
	bool copied;        /* copies were told of */
	struct err refused; /* why it was not let go, or no original was */
};

/* slots.c: the twins' methods, all but `open`, `close` and `probe`. */
extern const struct backend wired_slots;

/* call.c: what the method returned; after ERR_SCOPE_CONN w->fd may be -1. */
int wired_call(struct wired *w, struct wired_call *c, struct err *e);
/* The answer is not one to this request: ends the connection. */
int wired_call_misfit(struct wired *w, const struct wired_call *c,
    struct err *e);
/* told.c: it does not fit.  Returns -1. */
int wired_told_misfit(struct err *e);
/* What a frame says: that struct, and nothing else. */
int wired_told_take(const struct wired_carried *f, struct arena *a,
    const struct wired_shape *shape, void *out, struct err *e);
/*
 * tell.c: what comes before the answer.  -1 with *e: it does not fit, or the
 * caller wants no more.
 */
int wired_tell(struct wired *w, struct wired_call *c,
    const struct wired_carried *f, struct arena *a, struct err *e);
/* tell_sign.c: what the store's key says. */
int wired_tell_sign(struct wired *w, struct wired_call *c,
    const struct wired_carried *f, struct arena *a, struct err *e);

/* One request that is being served. */
struct wired_serving {
	const struct wired_lease *l;
	enum wired_verb verb;
	struct arena *a;
	struct wired_head head;
	struct wired_ask ask;
	struct wired_answer answer;
	struct wired_put links; /* some that are not sent yet */
	int64_t told_ms;        /* when progress was told */
	bool refused;           /* a test found that its login failed */
};

/* serve_run.c: runs the method; 1, 0 or -1, as it returned. */
int wired_serve_run(struct wired_serving *s, struct err *e);
/* serve_send.c: the methods that send mail, or put it into a store. */
int wired_serve_send_submit(struct wired_serving *s, struct err *e);
int wired_serve_send_append(struct wired_serving *s, struct err *e);

/*
 * serve_gone.c: from begin to done, the process ends when the other end of the
 * socket is closed.
 */
void wired_serve_gone_begin(int fd);
void wired_serve_gone_done(int fd);

/* serve_tell.c: the other end of tell.c. */
/* From now on, until the end, progress is of this request. */
void wired_serve_tell_begin(struct wired_serving *s);
void wired_serve_tell_end(struct wired_serving *s);
int wired_serve_tell_link(void *ctx, const struct ref *ref,
    const struct strs *ids, struct err *e);
/* Sends the links that are left. */
int wired_serve_tell_links(struct wired_serving *s, struct err *e);
void wired_serve_tell_line(const struct probe *line, void *ctx);
int wired_serve_tell_ready(void *ctx);
int wired_serve_tell_look(const void *ctx, struct err *e);
int wired_serve_tell_copied(void *ctx, const struct refs *copies,
    uint32_t uidvalidity, struct err *e);
/* serve_sign.c: `mac` and `fits` of struct backend_account, by the client. */
void wired_serve_sign_begin(struct wired_serving *s);
void wired_serve_sign_end(struct wired_serving *s);

#endif
