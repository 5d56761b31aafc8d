/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_MODEL_H
#define GATE_MODEL_H

/*
 * The models that an agent may use, and the folder for its conversations.  The
 * operator sets both; a caller gives a name.
 */
#include "gate/gate.h"

struct gate_model {
	struct str url;
	struct str id;                /* the endpoint's name for it */
	struct str key_file, ca_file; /* empty: none */
};

/*
 * By name; without one the default, or the only model.  ERR_CONFIG: the
 * operator has added none; ERR_NOT_FOUND; ERR_USAGE: there are several.
 */
int gate_model_find(struct gate *g, struct arena *a, struct str name,
    struct gate_model *out, struct err *e);
/*
 * The folder for conversations, and the file there for this agent's
 * conversation; no other agent uses that name.  ERR_CONFIG: there is no folder;
 * ERR_USAGE: the name is not valid.
 */
int gate_model_transcript(struct gate *g, struct arena *a, struct str name,
    struct str *folder, struct str *file, struct err *e);

#endif
