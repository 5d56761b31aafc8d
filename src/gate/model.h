#ifndef GATE_MODEL_H
#define GATE_MODEL_H

/*
 * The models an agent may have asked, and where its conversations are kept.
 * The operator says both; a caller gives a name.
 */
#include "gate/gate.h"

struct gate_model {
	struct str url;
	struct str id;                /* its name there */
	struct str key_file, ca_file; /* empty: none */
};

/*
 * By name; without one the default, or the only one there is.  ERR_CONFIG: the
 * operator has named none; ERR_NOT_FOUND; ERR_USAGE: there are several.
 */
int gate_model_find(struct gate *g, struct arena *a, struct str name,
    struct gate_model *out, struct err *e);
/*
 * The folder of conversations, and the file in it for this agent's of that
 * name; no other agent's is named so.  ERR_CONFIG: there is no folder;
 * ERR_USAGE: it is no name.
 */
int gate_model_transcript(struct gate *g, struct arena *a, struct str name,
    struct str *folder, struct str *file, struct err *e);

#endif
