#ifndef GATE_GATE_H
#define GATE_GATE_H

/*
 * The one way through: asked -> judged -> done.
 *
 * To add an operation: 1. write op/<name>.c with a `const struct op`; 2. name
 * it in op/table.c; 3. tests/e2e.  The command line, its help and completion,
 * the schemas and the manual's part follow from the struct.
 *
 * The room refuses: what cannot be recorded, what policy denies, and to show
 * an operation any mail that policy hides.
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
	FIELD_OBJECTS, /* array of such */
};

struct field {
	const char *name;
	enum field_type type;
	bool optional; /* may be absent */
	bool nullable; /* may be null */
	const char *help;
	const struct field *sub;
};

/* What a line for a person says; a door may colour it. */
enum gate_mark {
	GATE_PLAIN,
	GATE_GOOD,
	GATE_BAD,
	GATE_NOTE,  /* good, and worth knowing */
	GATE_NEXT,  /* what to do about the line above */
	GATE_TEXT,  /* a line of somebody's text: it begins nowhere else */
	GATE_ABOVE, /* the same above the table, before any other line */
	GATE_PAIR,  /* a name, a tab and its value: aligned with those beside it
		     */
	GATE_RAW,   /* text that is whole and harmless: shown as it is */
};

/* Cells are set apart by tabs, for a door to align. */
struct gate_line {
	enum gate_mark mark;
	struct str text;
};

struct gate_lines {
	struct gate_line *v;
	size_t n;
};

struct call;
struct sent;

struct op {
	const char *name; /* "list_drafts"; the command line says list-drafts */
	const char *summary;
	enum effect effect;
	unsigned needs;      /* enum gate_need, or-ed */
	enum role_op serves; /* with NEED_SOURCE: of the contract */
	bool report;         /* its data is whole even when it fails (doctor) */
	bool finds;    /* one that sends finds out itself to whom: only the
			* outbox can judge that */
	bool unfrozen; /* no freeze stops it: it tells of that, or makes it */
	/* An operator's: the command that lists what one names; or NULL. */
	const char *shows;
	/* An operator's: may this call do without its key?  Or NULL. */
	bool (*keyless)(const struct env *env, const struct args *args);
	/* An operator's: its needs count only with this argument; or NULL. */
	const char *when;
	/* The skill it belongs to ("mail-read"), whose grant a caller needs
	 * where grants are demanded; NULL: always there. */
	const char *skill;
	const struct arg_spec *args;
	const struct field *result;
	/* The members that a person sees as a table's columns, with blanks
	 * between, of the result's first array of objects: "name",
	 * "name=HEADING", "name?what null is shown as"; "name<" is cut where
	 * it is long, "name!" is on or off.  "name.member" is a member of it,
	 * or of each of it; "name.*" is name and address of each.  NULL: no
	 * table. */
	const char *columns;
	/* Those that a person sees above the text of a message, spelt as
	 * columns, and the member that is the text: of the result itself, or
	 * of each row.  NULL: it shows no text. */
	const char *heads;
	const char *body;
	/* Puts members into `out`, an open object.  Never called but by gate.
	 */
	int (*run)(struct call *c, struct json *out, struct err *e);
	/* Of one that sends: puts how a send stands, into data or a refusal's
	 * detail.  NULL: nothing of it can be held. */
	void (
	    *put_sent)(struct call *c, struct json *out, const struct sent *s);
};

enum gate_need {
	NEED_ACCOUNT = 1 << 0, /* names one account, which is resolved first */
	NEED_READ = 1 << 1,    /* its source must be readable: c->mailbox */
	NEED_SUBMIT = 1 << 2,  /* something must submit for it: c->outbox */
	/*
	 * Of the contract of mail sources: an account that is named, or the
	 * one that the rule of roles finds: c->mailbox.  The gate puts
	 * data.resolution and data.thread_id_kind.
	 */
	NEED_SOURCE = 1 << 3,
	/* Of the operator's operations (EFFECT_OPERATE): */
	NEED_STORE = 1 << 4,  /* the admin key, and the database it opens */
	NEED_KEY = 1 << 7,    /* the admin key alone */
	NEED_RECORD = 1 << 5, /* the same, and a row in the audit log */
	/* It writes others' files: the admin key, and a row in the audit log
	 * where there is a database. */
	NEED_FILES = 1 << 6,
};

/* What an operation sees of its call. */
struct call {
	const struct args *args;
	struct arena *arena;
	struct mailbox *mailbox; /* with NEED_ACCOUNT, when it can be read */
	struct outbox *outbox;   /* with NEED_SUBMIT */
	struct gate *gate;
	uint32_t page;   /* NEED_ACCOUNT: rows when no limit is given */
	uint32_t window; /* and bytes of text, likewise; 0: any number */
	uint32_t warned[WARNINGS]; /* how often each; gate_warn() */
	struct gate_lines person;  /* for a person; gate_say() */
	struct json *detail;       /* more members for error_detail, or NULL */
	struct draft *draft;       /* with EFFECT_DRAFT */
	const char *blocked;       /* "filtered": for the audit row, or NULL */
	struct str note;           /* more for the audit row's detail */
	int64_t held;              /* outbox row that waits; 0: none */
};

/* The same for the doors: data and error, printed as the seed's envelope. */
struct reply {
	struct err err;           /* kind ERR_NONE: it went well */
	struct str full;          /* in place of err.say, which has no room for
				   * it; or empty */
	struct json *data;        /* an object */
	struct json *detail;      /* error_detail's further members, or NULL */
	struct gate_lines person; /* what a terminal may show instead */
	int64_t held; /* with ERR_APPROVAL: the outbox row that waits, or 0 */
};

struct gate;

/* An agent's own mailbox, as its session is bound to it. */
struct gate_binding {
	struct str transport; /* "filesystem", "stalwart" */
	struct str principal, address;
	struct str version; /* another one: it was bound anew */
};

/*
 * On whose behalf a door calls, when it knows more than the environment says.
 * A grant belongs to principal, conversation and turn: one made in another
 * turn is no grant.
 */
struct gate_caller {
	struct str principal;    /* empty: the one EMCLI_AGENT names */
	struct str conversation; /* empty: not known */
	struct str turn;         /* empty: not known */
	struct str lease;        /* where the call itself names none */
	bool grants; /* calls of a skill's operations need a live grant; so
		      * they do under the setting skills=grant */
	const struct strs *accounts; /* none but these exist; NULL: all do */
	const struct strs *skills;   /* none but these exist; NULL: all do */
	const struct strs *ops; /* of those on mail; NULL: all may be called */
	/* What its tools call the mailboxes that are ready, in the accounts'
	 * order; NULL: they have no choice of one. */
	const struct strs *mailboxes;
	struct str prefix; /* what its tools' names begin with */
	const struct gate_binding *binding; /* NULL: it has none */
	bool windows; /* a model reads it all: long text comes in windows */
	bool person;  /* a person reads it: bytes of files are no use */
	/* Asked before anything is sent that policy and grant let through; -1
	 * with ERR_POLICY and it is not.  NULL: nobody is asked. */
	int (*consent)(const struct op *op, const struct args *args,
	    struct err *e);
};

/*
 * Opens the store for an agent's commands (the agent's key, or the admin's).
 * env outlives the gate.
 */
int gate_open(const struct env *env, struct gate **out, struct err *e);
void gate_close(struct gate **g);
/* From now on calls are this caller's; what it points at is borrowed. */
void gate_caller_set(struct gate *g, const struct gate_caller *who);
/* Of the operations on mail: may this caller call it at all? */
bool gate_caller_may(const struct gate *g, struct str op);
/* struct gate_caller's, or empty. */
struct str gate_caller_prefix(const struct gate *g);
/* The same, or NULL. */
const struct gate_binding *gate_caller_binding(const struct gate *g);
const struct strs *gate_caller_mailboxes(const struct gate *g);
/* Its replies are read by a person. */
void gate_caller_set_person(struct gate *g);
bool gate_caller_is_person(const struct gate *g);
/* Has `tell` told how far long work has come, of how much. */
void gate_progress(struct gate *g, void (*tell)(uint64_t done, uint64_t all));
/* Does it; *out lives in the arena.  The only caller of op->run. */
void gate_call(struct gate *g, const struct op *op, struct args *args,
    struct arena *a, struct reply *out);
/* A call that came to nothing before it was one (unknown option): a reply,
 * and with a gate an audit row. */
void gate_refuse(struct gate *g, const char *action, const struct err *e,
    struct arena *a, struct reply *out);

/* Adds to what data.warnings says; n 0 adds nothing. */
void gate_warn(struct call *c, enum warning w, size_t n);
/* Adds a line for a person at a terminal. */
void gate_say(struct call *c, enum gate_mark mark, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds each line of a text of any length, as it is. */
void gate_say_text(struct call *c, struct str text);
/* The same as one line, whatever is in it: its line ends are shown as "?". */
void gate_say_line(struct call *c, struct str text);
/* The same above the table, before all else that is said. */
void gate_say_above(struct call *c, struct str text);
/* Adds a name and its value, whatever is in it: GATE_PAIR. */
void gate_say_pair(struct call *c, const char *name, struct str value);
/* The same of a text that is fit for a terminal already: GATE_RAW. */
void gate_say_raw(struct call *c, struct str text);

#endif
