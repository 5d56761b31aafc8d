/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_SESSION_H
#define RUNTIME_SESSION_H

/*
 * Sessions: an agent's program that runs, or ran, with a home and a mailbox.
 * Each has a folder below the runtime root with the manifest, which other
 * programs read too, and session.json, which is ours: how far a start came,
 * which process it is, and what is to be undone.  The folder of sessions is
 * locked by each command, so an unfinished start is one of a command that was
 * killed; the next command undoes it.
 */
#include "backend/agentbox/root.h"
#include "runtime/manifest.h"
#include "runtime/place.h"
#include "runtime/process.h"
#include "store/store.h"

#define SESSION_FILE "session.json"

/* What is being done, or was done last; all before it is done. */
enum session_step {
	SESSION_NONE,
	SESSION_MAILBOX,  /* the mailbox root, and the registration in it */
	SESSION_ACCOUNT,  /* the account that is the mailbox */
	SESSION_MANIFEST, /* manifest.json */
	SESSION_GATEWAY,  /* the gateway of the mailbox */
	SESSION_LAUNCH,   /* the program */
	SESSION_STARTED,  /* all of it: there was a process */
	SESSION_STOPPED,
};

/*
 * Another mailbox that a session is being given.  Its manifest decides: what
 * was begun is finished if the manifest has it, and undone if not.
 */
struct session_change {
	bool is;
	struct str root, address; /* the new one; empty: none */
	bool registered_new;      /* this change registered it */
	struct str account;       /* the store's name for it */
	bool account_new;         /* this change added it */
	bool account_moved;       /* it was the account of the old one */
	struct str before;        /* the bindings_version of the old one */
	struct str principal;     /* whose that is */
};

/* session.json. */
struct session_state {
	enum session_step step;
	struct process process;
	int64_t generation;  /* how often it was launched */
	struct str account;  /* the store's name for it, or empty */
	bool account_new;    /* this start added it */
	bool registered_new; /* likewise, the registration */
	/* The mailbox, for undoing; empty: there is none. */
	struct str root, address; /* root: a server's URL, for stalwart */
	struct str attach_dir;    /* of the account: its folders */
	struct str version;       /* the last bindings_version of one without */
	struct session_change change;
	struct str tmux; /* its session's name in tmux, or empty */
};

/* Whether a session can be read, and its program runs. */
enum session_is {
	SESSION_IS_RUNNING,
	SESSION_IS_ENDED,   /* the program ended by itself */
	SESSION_IS_STOPPED, /* by a command */
	SESSION_IS_DAMAGED,
};

struct session {
	struct str id, backend;
	struct str path, manifest_path; /* absolute */
	struct session_state state;
	struct manifest manifest;
	enum session_is is;
	struct str why;     /* it is damaged */
	bool foreground;    /* its program will be this process */
	struct str program; /* the absolute path of it, once it was launched */
};

/* Where a gateway is to listen. */
struct session_gateway {
	struct str path; /* the session's folder, absolute */
	struct str host;
	uint32_t port; /* 0: any */
	bool any;      /* another one will do */
	int64_t epoch; /* the launch that it is for */
};

/* The folder of sessions, open and locked. */
struct sessions {
	struct arena *a;
	struct store *store;
	struct agentbox_use use; /* for mailbox roots */
	struct place place;
	int fd;            /* sessions/, locked */
	struct strs notes; /* what the operator should know, a sentence each */
	/* Starts a gateway, and returns when it listens; NULL: none is wanted.
	 */
	int (*gateway)(const struct session_gateway *g, struct err *e);
	struct str gateway_host; /* as it was given, or empty */
	uint32_t gateway_port;
	bool gateway_port_given;
};

/*
 * session.c.  Opens and locks them; session_settle() is next.  1: there are
 * none, and `make` did not ask for the folder.  ERR_CONFIG, ERR_LIMIT.
 * session_close() follows in any case.
 */
int session_open(struct sessions *s, struct str root, bool make,
    struct store *store, struct arena *a, struct err *e);
void session_close(struct sessions *s);
/* The open folder of one, made when `make` asks for it; -1. */
int session_folder(const struct sessions *s, const struct session *x, bool make,
    struct err *e);
/* Takes its folder away. */
int session_drop(struct sessions *s, const struct session *x, struct err *e);

/* session_settle.c: undoes what killed starts left; what cannot be undone now
 * is noted. */
int session_settle(struct sessions *s, struct err *e);

/* session_list.c: all that are ours, in order of their names. */
int session_list(struct sessions *s, struct session **out, size_t *n,
    struct err *e);
/*
 * The one of that id, or the one of that agent; of several, the one that runs.
 * ERR_NOT_FOUND; ERR_USAGE: it is not clear which.
 */
int session_list_find(struct sessions *s, struct str id, struct str agent,
    struct session *out, struct err *e);
/* What is known of one, from its open folder; a damaged one says why. */
void session_list_read(struct sessions *s, int folder, struct session *x);

/* session_file.c: session.json in the open folder of a session. */
int session_file_write(int folder, const struct session_state *v,
    struct arena *a, struct err *e);
/* ERR_NOT_FOUND: there is none; ERR_CONFIG: it is damaged. */
int session_file_read(int folder, struct arena *a, struct session_state *out,
    struct err *e);

/* Writes down that it was launched, and which process it is. */
int session_file_started(int folder, struct session_state *v,
    const struct process *p, struct arena *a, struct err *e);

/* session_mailbox.c, session_account.c: two steps, and how they are undone.
 * Each says in the state first what it will have to undo. */
int session_mailbox_do(struct sessions *s, struct session *x, int folder,
    struct err *e);
int session_mailbox_undo(struct sessions *s, const struct session *x,
    struct err *e);
/* Is the mailbox there, and the session's?  ERR_CONFIG, reason
 * "not_actionable". */
int session_mailbox_check(struct sessions *s, const struct binding *b,
    struct err *e);
int session_account_do(struct sessions *s, struct session *x, int folder,
    struct err *e);
int session_account_undo(struct sessions *s, const struct session *x,
    struct err *e);
/* A mailbox as an account of the store. */
struct session_box {
	struct str root; /* or a server's URL */
	struct str address, attach_dir;
};

/* The account's name, or else a free one made of `base`, which is new. */
int session_account_name(struct sessions *s, const struct session_box *b,
    struct str base, struct str *name, bool *is_new, struct err *e);
int session_account_add(struct sessions *s, const struct session_box *b,
    struct str name, struct err *e);
/* 1: the account of that name is the mailbox's; 0: it is not; -1. */
int session_account_is(struct sessions *s, const struct session_box *b,
    struct str name, struct err *e);
/* Removes it, or makes it another's; one that is not `from`'s stays. */
int session_account_drop(struct sessions *s, const struct session_box *from,
    struct str name, struct err *e);
int session_account_move(struct sessions *s, const struct session_box *from,
    const struct session_box *to, struct str name, struct err *e);

/* Where its program runs. */
enum session_way {
	SESSION_DETACHED,   /* in the background, its output in the log */
	SESSION_TMUX,       /* in a terminal of tmux */
	SESSION_FOREGROUND, /* in this process, after the command is over */
};
/*
 * session_gateway.c: the step before the program.  A session without a mailbox
 * has no gateway.
 */
int session_gateway_do(struct sessions *s, struct session *x, int folder,
    struct err *e);
int session_gateway_undo(struct sessions *s, const struct session *x,
    struct err *e);
/* Ends it.  1: there is none. */
int session_gateway_stop(struct sessions *s, struct session *x, int folder,
    struct err *e);
/* Had it one before? */
bool session_gateway_is_wanted(struct sessions *s, int folder);
/* Where one is to listen that serves in this process. */
int session_gateway_here(struct sessions *s, struct session *x,
    struct session_gateway *out, struct err *e);

/* What a session is started with. */
struct session_plan {
	struct manifest manifest; /* without an id and a bindings_version */
	struct str program;       /* the absolute path of its executable */
	enum session_way way;
	struct str attach_dir;
};

/*
 * session_start.c.  A new session: all steps, or none.  ERR_CONFIG and what the
 * steps say.
 */
int session_start(struct sessions *s, const struct session_plan *p,
    struct session *out, struct err *e);
/* Undoes, from the step that is being done back to the first. */
int session_start_undo(struct sessions *s, const struct session *x,
    struct err *e);
/*
 * session_again.c.  Launches one again by what its manifest says, and nothing
 * else.  1: it runs already.  ERR_UNSUPPORTED: it is one of tmux, and
 * `foreground` is wanted.
 */
int session_again(struct sessions *s, struct session *x, struct err *e);
/* Ends its program.  Registration, account and manifest stay. */
int session_again_stop(struct sessions *s, struct session *x, struct err *e);
/* What came of the mailbox that a session had. */
struct session_rebound {
	struct str root, address; /* empty: it had none, or has the same */
	bool ended;               /* its registration */
};

/*
 * session_rebind.c.  Gives a session another mailbox on the filesystem, or none
 * (TRANSPORT_NONE): registers it, makes it the session's account and writes the
 * manifest with a new bindings_version, or does nothing.  Then the old
 * registration ends; its mail stays.  A process that runs is not touched.
 * `next` gets the root's real path.  ERR_UNSUPPORTED: the one that it has is on
 * a server.
 */
int session_rebind(struct sessions *s, struct session *x, struct binding *next,
    struct session_rebound *out, struct err *e);
/* Finishes or undoes what a killed one began: 1 finished, 0 undone, -1. */
int session_rebind_settle(struct sessions *s, struct session *x, struct err *e);
/*
 * session_refresh.c.  The same mailbox in another root: its principal, address
 * and kind stay.  ERR_CONFIG: it has none.
 */
int session_refresh(struct sessions *s, struct session *x, struct str root,
    struct session_rebound *out, struct err *e);
/*
 * session_launch.c: the program of a manifest, into a state.  One in the
 * foreground is not executed: session_launch_plan() says what is to be.
 */
int session_launch(struct sessions *s, struct session *x, int folder,
    struct str program, struct err *e);
struct process_plan session_launch_plan(struct arena *a,
    const struct session *x);

/* session_pane.c: its name in tmux. */
struct str session_pane_name(struct arena *a, struct str agent, struct str id);
/* The id in tmux of the session with that name and manifest.  1: there is
 * none; another one of that name is not ours. */
int session_pane_find(struct str name, struct str manifest_path,
    struct arena *a, struct str *id, struct err *e);
int session_pane_launch(struct sessions *s, struct session *x, int folder,
    const struct process_plan *p, struct err *e);
/* Ends what is in tmux of it. */
int session_pane_end(struct sessions *s, const struct session *x,
    struct err *e);

#endif
