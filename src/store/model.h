#ifndef STORE_MODEL_H
#define STORE_MODEL_H

/*
 * The models that `ask` may talk to.  Mail goes to where a model is, and a key
 * with it, so the operator alone says where that is.
 */
#include "store/store.h"

struct store_model {
	struct str name; /* what callers name it by */
	struct str url;
	struct str id;                /* its name there */
	struct str key_file, ca_file; /* whole paths; empty: none */
};

/* The operator's.  ERR_USAGE: there is one of that name; ERR_LIMIT. */
int store_model_add(struct store *s, const struct store_model *m,
    struct err *e);
/* The operator's.  It is no default any more either.  ERR_NOT_FOUND. */
int store_model_remove(struct store *s, struct str name, struct err *e);
/* All, by name. */
int store_model_list(struct store *s, struct arena *a, struct store_model **out,
    size_t *n, struct err *e);
/* The setting that names the one that is asked when a caller names none. */
#define STORE_MODEL_DEFAULT "default_model"

#endif
