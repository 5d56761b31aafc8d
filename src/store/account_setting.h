#ifndef STORE_ACCOUNT_SETTING_H
#define STORE_ACCOUNT_SETTING_H

/*
 * What an account can be told, a row each.  The rows are in
 * account_setting_list.h: a new setting is one more row, a migration for its
 * column and a member of struct store_account.
 */
#include "store/store.h"

/* How a value is written, and what its member is. */
enum setting_type {
	/* struct str, and a column of text that is NULL when it is empty. */
	SETTING_TEXT,
	SETTING_BACKEND,  /* the name of one */
	SETTING_LOGIN,    /* mostly the address */
	SETTING_HOST,     /* a server's name */
	SETTING_URL,      /* http or https */
	SETTING_PIN,      /* base64 of SHA-256, up to four */
	SETTING_AUTHSERV, /* RFC 8601: whose results are believed */
	SETTING_REGEX,    /* PCRE2 */
	SETTING_ADDRESS,  /* an addr-spec, kept in canonical form */
	SETTING_FILE,     /* a path, kept absolute: of a file, */
	SETTING_FOLDER,   /* of a folder, */
	SETTING_MAIL,     /* of a folder, or with mbox of either */
	/* Of the whole store: a word, or what it stands for. */
	SETTING_MODEL,       /* a model's name */
	SETTING_SKILLS,      /* a folder of skills */
	SETTING_TRANSCRIPTS, /* a folder that nobody else reads */
	SETTING_WORD,        /* one of `choices` */
	SETTING_SECURITY, /* the same: how TLS begins, on the port before it */
	/* A bool or an enum: its place among `choices`, from 0. */
	SETTING_CHOICE, /* kept as that word */
	SETTING_SWITCH, /* "on|off", kept as 1 or 0 */
	SETTING_FLAG,   /* the same, off in a new account, where naming it is on
			 */
	/* A number of 16, 32 or 64 bits; 0 is none. */
	SETTING_PORT,
	SETTING_COUNT,
	SETTING_MINUTES, /* or "off" */
};

struct setting {
	const char *name;    /* as its option, with "_" */
	const char *choices; /* "RO|RW" */
	const char *def;     /* of a new account, in words; NULL: nothing */
	const char *means;   /* for help */
	const char *column;  /* of the table accounts */
	size_t member, size; /* in struct store_account */
	/* Backends that cannot do without it, and others that take it; both
	 * NULL: it means something to every one. */
	const char *needed_by, *taken_by;
	/* Its key in a declaration of mail sources; one that is only compared
	 * is not the file's to say. */
	const char *declared;
	enum setting_type type;
	unsigned unknown; /* what a word in the store that we do not know is */
	/* A number of the whole store: what it is within, and without. */
	uint32_t min, max, assumed;
	bool from_end; /* the last of `choices` is 0 */
	bool compared;
};

enum setting_id {
#define SETTING(id, ...) SETTING_OF_##id,
#include "store/account_setting_list.h"
	SETTINGS /* how many there are */
};

extern const struct setting account_setting[SETTINGS];

/* account_value.c: a text, */
struct str account_value_text(const struct setting *s,
    const struct store_account *x);
void account_value_put(const struct setting *s, struct str text,
    struct store_account *x);
/* a word, by its place among the choices, */
struct str account_value_word(const struct setting *s,
    const struct store_account *x);
/* Takes a word; false: it is none of the choices, and nothing is changed. */
bool account_value_take(const struct setting *s, struct str word,
    struct store_account *x);
/* a number, whatever its width. */
uint64_t account_value_number(const struct setting *s,
    const struct store_account *x);
void account_value_count(const struct setting *s, uint64_t n,
    struct store_account *x);

#endif
