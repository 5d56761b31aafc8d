/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_MODEL_H
#define STORE_MODEL_H

/*
 * The models that `ask` may use.  Mail and a key are sent to a model's address,
 * so only the operator sets it.
 */
#include "store/store.h"

struct store_model {
	struct str name; /* the name that callers use */
	struct str url;
	struct str id;                /* the endpoint's name for it */
	struct str key_file, ca_file; /* absolute paths; empty: none */
};

/* For the operator.  ERR_USAGE: the name exists; ERR_LIMIT. */
int store_model_add(struct store *s, const struct store_model *m,
    struct err *e);
/* For the operator.  The one of that name gets the rest.  ERR_NOT_FOUND. */
int store_model_change(struct store *s, const struct store_model *m,
    struct err *e);
/* For the operator.  Also ends its being the default.  ERR_NOT_FOUND. */
int store_model_remove(struct store *s, struct str name, struct err *e);
/* All, by name. */
int store_model_list(struct store *s, struct arena *a, struct store_model **out,
    size_t *n, struct err *e);
/* The setting that names the model for callers that name none. */
#define STORE_MODEL_DEFAULT "default_model"

#endif
