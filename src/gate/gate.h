/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_GATE_H
#define GATE_GATE_H

/*
 * The only way to an operation: asked -> judged -> done.
 *
 * To add an operation: 1.  write op/<name>.c with a `const struct op`; 2.  name
 * it in op/table.c; 3.  tests/e2e.  The command line, its help and completion,
 * the schemas and the manual's part follow from the struct.
 *
 * The room refuses what cannot be recorded and what policy denies, and never
 * shows an operation mail that policy hides.
 */
#include "base/env.h"
#include "base/err.h"
#include "base/json.h"
#include "gate/args.h"
#include "gate/warning.h"
#include "policy/policy.h"
#include "source/role.h"

/* The type of a member of a result. */
enum field_type {
	FIELD_END,
	FIELD_TEXT,
	FIELD_INT,
	FIELD_BOOL,
	FIELD_VALUE,   /* a number or a text */
	FIELD_TEXTS,   /* array of strings */
	FIELD_INTS,    /* array of numbers */
	FIELD_COUNTS,  /* object of numbers by code */
	FIELD_OBJECT,  /* `sub` describes it */
	FIELD_OBJECTS, /* array of objects that `sub` describes */
};

struct field {
	const char *name;
	enum field_type type;
	bool optional; /* may be absent */
	bool nullable; /* may be null */
	const char *help;
	const struct field *sub;
};

/* The meaning of a line for a person; a door may colour it. */
enum gate_mark {
	GATE_PLAIN,
	GATE_GOOD,
	GATE_BAD,
	GATE_NOTE,  /* good, but worth knowing */
	GATE_NEXT,  /* what to do about the line above */
	GATE_TEXT,  /* a line of a text by others; no other line is one */
	GATE_ABOVE, /* the same, above the table and before any other line */
	GATE_PAIR,  /* a name, a tab and its value: aligned with its neighbours
		     */
	GATE_RAW,   /* complete, harmless text: shown unchanged */
};

/* Tabs separate cells, for a door to align. */
struct gate_line {
	enum gate_mark mark;
	struct str text;
};

struct gate_lines {
	struct gate_line *v;
	size_t n;
};

struct call;
struct mailbox_change;
struct sent;

struct op {
	const char *name; /* "list_drafts"; the command line says list-drafts */
	const char *summary;
	enum effect effect;
	unsigned needs;      /* enum gate_need, or-ed */
	enum role_op serves; /* with NEED_SOURCE: of the contract */
	bool report;   /* its data is complete even if it fails (doctor) */
	bool finds;    /* one that sends finds out itself to whom: only the
			* outbox can judge that */
	bool forwards; /* it passes on mail that somebody else wrote */
	bool signs;    /* what it sends gets the account's signature */
	bool hosts;    /* operator's: it may start a process that serves */
	bool same;     /* a second call with the same arguments changes no more
			*/
	bool discards; /* what it puts away may be lost later, by others */
	bool unfrozen; /* works while frozen: it reports or makes a freeze */
	/* Operator's operations: the command that lists the objects it
	 * names; or NULL. */
	const char *shows;
	/*
	 * Operator's operations: may this call run without the key?  Or NULL.
	 * person: somebody is there who can be asked.
	 */
	bool (*keyless)(const struct env *env, const struct args *args,
	    bool person);
	/*
	 * Operator's operations: its needs apply only with this argument; or
	 * NULL.
	 */
	const char *when;
	/* One that hosts: with this argument it starts no process; or NULL. */
	const char *alone;
	/*
	 * It tells what comes: the argument, and the member of its result, by
	 * which the next call goes on where this one ended.  Or NULL.
	 */
	const char *follows;
	/*
	 * With this argument it is of all accounts of the caller: c->span
	 * instead of c->mailbox.  Or NULL.  Only for operations that read.
	 */
	const char *spans;
	/*
	 * The skill it belongs to ("mail-read").  Where grants are required, a
	 * caller needs a grant for it.  NULL: always available.
	 */
	const char *skill;
	const struct arg_spec *args;
	const struct field *result;
	/*
	 * The members that a person sees as columns of a table, separated by
	 * blanks, from the result's first array of objects: "name",
	 * "name=HEADING", "name?text for null"; "name<" may be cut, "name+" is
	 * never cut, but is below its row where it is too wide, "name!" is on
	 * or off, "name~" is left out if no row has it.  "name.member" is a
	 * member of it, or of each of it; "name.*" is name and address of each.
	 * NULL: no table.
	 */
	const char *columns;
	/*
	 * The members that a person sees above the text of a message, in the
	 * format of columns, and the member that is the text: of the result
	 * itself, or of each row.  NULL: it shows no text.
	 */
	const char *heads;
	const char *body;
	/* Puts members into `out`, an open object.  Only the gate calls it. */
	int (*run)(struct call *c, struct json *out, struct err *e);
	/*
	 * For operations that send: puts the state of a send into data or a
	 * refusal's detail.  NULL: none of its messages can be held.
	 */
	void (
	    *put_sent)(struct call *c, struct json *out, const struct sent *s);
	/* The same of those that change mail: of a change that was released. */
	void (*put_change)(struct call *c, struct json *out,
	    const struct mailbox_change *ch);
};

enum gate_need {
	NEED_ACCOUNT = 1 << 0, /* names one account, which is resolved first */
	NEED_READ = 1 << 1,    /* its mail must be readable: c->mailbox */
	NEED_SUBMIT = 1 << 2,  /* its mail must be sendable: c->outbox */
	/*
	 * One of the contract of mail sources: for the named account, or the
	 * one that the roles choose: c->mailbox.  The gate puts data.resolution
	 * and data.thread_id_kind.
	 */
	NEED_SOURCE = 1 << 3,
	/* Of the operator's operations (EFFECT_OPERATE): */
	NEED_STORE = 1 << 4,  /* the admin key and its database */
	NEED_KEY = 1 << 7,    /* only the admin key */
	NEED_RECORD = 1 << 5, /* NEED_STORE, and a row in the audit log */
	/*
	 * It writes files of other programs: the admin key, and a row in the
	 * audit log if there is a database.
	 */
	NEED_FILES = 1 << 6,
};

/* An operation's view of its call. */
struct call {
	const struct op *op;
	const struct args *args;
	struct arena *arena;
	struct mailbox *mailbox; /* with NEED_ACCOUNT, if mail can be read */
	struct outbox *outbox;   /* with NEED_SUBMIT */
	struct span *span;       /* gate/span.h; or NULL: of one account */
	struct gate *gate;
	uint32_t page;             /* NEED_ACCOUNT: rows if no limit is given */
	uint32_t window;           /* bytes of text by default; 0: no limit */
	uint32_t warned[WARNINGS]; /* count of each; gate_warn() */
	struct gate_lines person;  /* for a person; gate_say() */
	struct json *detail;       /* more members for error_detail, or NULL */
	struct draft *draft;       /* with EFFECT_DRAFT */
	const char *blocked;       /* "filtered": for the audit row, or NULL */
	struct str note;           /* more for the audit row's detail */
	int64_t held;              /* the outbox row that waits; 0: none */
	int64_t audit;             /* the call's row in the log; 0: none */
};

/*
 * A call's result for the doors: data and error, printed as the seed's
 * envelope.
 */
struct reply {
	struct err err; /* kind ERR_NONE: success */
	struct str
	    full; /* replaces err.say if that has no room for it; or empty */
	struct json *data;        /* an object */
	struct json *detail;      /* further members of error_detail, or NULL */
	struct gate_lines person; /* what a terminal may show instead */
	int64_t held; /* with ERR_APPROVAL: the outbox row that waits, or 0 */
};

struct gate;

/* An agent's own mailbox, as its session is bound to it. */
struct gate_binding {
	struct str transport; /* "filesystem", "stalwart" */
	struct str principal, address;
	struct str version; /* another one: it was bound anew */
	struct str session; /* the session's folder, absolute; or empty */
};

/* What a person is asked about. */
struct gate_act {
	const struct op *op;
	const struct args *args;
	size_t messages; /* that would be changed; 0: one would be sent */
	const struct strs *some; /* the subjects of the first of them */
};

/*
 * The caller, if a door knows more than the environment says.  A grant belongs
 * to principal, conversation and turn: a grant of another turn does not count.
 */
struct gate_caller {
	struct str principal;    /* empty: the agent in EMCLI_AGENT */
	struct str conversation; /* empty: unknown */
	struct str turn;         /* empty: unknown */
	struct str lease;        /* for a call that gives none */
	bool grants; /* calls of a skill's operations need a live grant, as with
			the setting skills=grant */
	const struct strs *accounts; /* the only accounts it knows; NULL: all */
	const struct strs *skills;   /* the only skills it knows; NULL: all */
	const struct strs *ops; /* mail operations it may call; NULL: all */
	/*
	 * The names that its tools use for the ready mailboxes, in the
	 * accounts' order; NULL: its tools do not choose one.
	 */
	const struct strs *mailboxes;
	struct str prefix;                  /* the prefix of its tools' names */
	const struct gate_binding *binding; /* NULL: it has none */
	bool windows; /* a model reads all of it: long text comes in windows */
	bool person;  /* a person reads it: bytes of files are omitted */
	/*
	 * Called before anything is sent, or many messages are changed, that
	 * policy and grant allow; -1 with ERR_POLICY prevents it.  NULL: nobody
	 * is asked.
	 */
	int (*consent)(const struct gate_act *act, struct err *e);
};

/*
 * Opens the store for an agent's commands (the agent's key, or the admin's).
 * In a process of the broker env->keeper is asked instead; ERR_CONFIG: it does
 * not answer.  env must outlive the gate.
 */
int gate_open(const struct env *env, struct gate **out, struct err *e);
/*
 * A gate that has made no call: is it what gate_open() would open now?  False
 * where that is not known.
 */
bool gate_is_current(struct gate *g);
void gate_close(struct gate **g);
/*
 * The same at the end of a call, in a process that makes one call after the
 * other and asks a keeper: the next gate_open() uses the open store again, if
 * it is still the one that it would open.  The process must not fork meanwhile.
 */
void gate_rest(struct gate **g);
/* Closes what gate_rest() left open: before a fork. */
void gate_rest_end(void);
/* Sets the caller of all further calls; its pointers are borrowed. */
void gate_caller_set(struct gate *g, const struct gate_caller *who);
/* May this caller call this mail operation at all? */
bool gate_caller_may(const struct gate *g, struct str op);
/* The prefix of struct gate_caller, or empty. */
struct str gate_caller_prefix(const struct gate *g);
/* The same, or NULL. */
const struct gate_binding *gate_caller_binding(const struct gate *g);
const struct strs *gate_caller_mailboxes(const struct gate *g);
/* Marks the caller as a person who reads its replies. */
void gate_caller_set_person(struct gate *g);
bool gate_caller_is_person(const struct gate *g);
/* Reports the progress of long work to `tell`: how much of how much. */
void gate_progress(struct gate *g, void (*tell)(uint64_t done, uint64_t all));
/* Tells that a wait for changes has begun: none is missed from then on. */
void gate_watching(struct gate *g, void (*tell)(void));
/*
 * Of a caller that is another process: it saves files itself, in a folder that
 * it has open (struct args_file), by the rules of attach_save.h.
 */
struct gate_saves {
	void *ctx;
	/* Which name of attach_save_new() it took; 0: none is free; -1. */
	int (*file)(void *ctx, struct str stem, struct str ext,
	    struct str bytes, struct err *e);
	/* Keeps them: without this call it removes them. */
	int (*keep)(void *ctx, struct err *e);
};
void gate_saving(struct gate *g, const struct gate_saves *s);
/* Runs the operation; *out lives in the arena.  The only caller of op->run. */
void gate_call(struct gate *g, const struct op *op, struct args *args,
    struct arena *a, struct reply *out);
/*
 * Refuses a call before it reaches an operation (unknown option): a reply, and
 * with a gate an audit row.
 */
void gate_refuse(struct gate *g, const char *action, const struct err *e,
    struct arena *a, struct reply *out);

/*
 * Asks the person whom the caller asks before anything is sent.  The gate does
 * it, except where the operation finds the recipients or quotes: then that
 * does, with the arguments that the person is to see.  ERR_POLICY.
 */
int gate_consent(struct call *c, const struct args *shown, struct err *e);
/* Adds to what the audit row says of the call. */
void gate_note(struct call *c, struct str text);
/* Adds to data.warnings; n 0 adds nothing. */
void gate_warn(struct call *c, enum warning w, size_t n);
/* Adds a line for a person at a terminal. */
void gate_say(struct call *c, enum gate_mark mark, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define gate_tell(c, ...) gate_say((c), GATE_PLAIN, __VA_ARGS__)
/* Adds each line of a text of any length, unchanged. */
void gate_say_text(struct call *c, struct str text);
/* Adds a text as one line: line ends become "?". */
void gate_say_line(struct call *c, struct str text);
/* The same, above the table and before all other lines. */
void gate_say_above(struct call *c, struct str text);
/* Adds a name and its value, which may be any text: GATE_PAIR. */
void gate_say_pair(struct call *c, const char *name, struct str value);
/* Adds a text that is already safe for a terminal: GATE_RAW. */
void gate_say_raw(struct call *c, struct str text);

#endif
