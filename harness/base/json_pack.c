/*
 * json_pack.c - a structure is a JSON tree whose numbers and texts are replaced by references: the
 * integer 3 i + kind stands for item i of a value. true, false and null belong to the structure.
 */
#include "harness/base/json_pack.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"

typedef union {
    double real;
    json_int_t integer;
    const char *text; /* a key of texts */
} item;

enum { REAL, INTEGER, TEXT, KINDS };

typedef struct {
    const json_t *structure;
    item items[];
} packed;

struct il_json_pack {
    json_t *structures; /* an object: from their spelling to themselves */
    json_t *texts;      /* an object whose keys are all texts */
    const json_t *last; /* the structure of the value before, or NULL */
    item *items;        /* of the value at hand */
    size_t nitems, capacity;
    size_t n;
    packed *values[];
};

il_json_pack *il_json_pack_new(size_t n) {
    il_json_pack *pack = il_alloc_zero(1, sizeof *pack + n * sizeof(packed *));
    pack->n = n;
    pack->structures = json_object();
    pack->texts = json_object();
    return pack;
}

void il_json_pack_free(il_json_pack *pack) {
    for (size_t k = 0; pack != NULL && k < pack->n; k++) {
        free(pack->values[k]);
    }
    if (pack != NULL) {
        json_decref(pack->structures);
        json_decref(pack->texts);
        free(pack->items);
        free(pack);
    }
}

/* A copy of a tree, its leaves made by leaf. */
static json_t *map(const json_t *tree, json_t *(*leaf)(void *self, const json_t *old), void *self) {
    json_t *whole = (json_t *)(uintptr_t)tree; /* jansson's loops ask for it */
    json_t *part = NULL;
    if (json_is_object(tree)) {
        json_t *copy = json_object();
        const char *key = NULL;
        json_object_foreach(whole, key, part) {
            il_json_set(copy, key, map(part, leaf, self));
        }
        return copy;
    }
    if (json_is_array(tree)) {
        json_t *copy = json_array();
        size_t i = 0;
        json_array_foreach(whole, i, part) {
            il_json_append(copy, map(part, leaf, self));
        }
        return copy;
    }
    return leaf(self, tree);
}

/* ---- putting -------------------------------------------------------------------------------- */

/* The one copy of text among texts. */
static const char *intern(json_t *texts, const char *text) {
    if (json_object_iter_at(texts, text) == NULL) {
        il_json_set(texts, text, json_null());
    }
    return json_object_iter_key(json_object_iter_at(texts, text));
}

/* A number or text becomes the next item; its place. */
static json_int_t take(il_json_pack *pack, const json_t *value) {
    if (pack->nitems == pack->capacity) {
        pack->capacity = 2 * pack->capacity + 64;
        il_memory_grow(&pack->items, pack->capacity, sizeof *pack->items);
    }
    item *one = &pack->items[pack->nitems];
    int kind = json_is_real(value) ? REAL : json_is_integer(value) ? INTEGER : TEXT;
    if (kind == REAL) {
        one->real = json_real_value(value);
    } else if (kind == INTEGER) {
        one->integer = json_integer_value(value);
    } else {
        one->text = intern(pack->texts, json_string_value(value));
    }
    return (json_int_t)(KINDS * pack->nitems++) + kind;
}

static bool is_item(const json_t *value) {
    return json_is_number(value) || json_is_string(value);
}

/* value with places for its numbers and texts, which become items. */
static json_t *empty(void *self, const json_t *value) {
    return is_item(value) ? json_integer(take(self, value))
                          : json_incref((json_t *)(uintptr_t)value);
}

/* Has value this structure? Its numbers and texts become items as far as it has. Most values have
 * that of the one before, and so need no copy of it. */
static bool fits(il_json_pack *pack, const json_t *structure, const json_t *value) {
    json_t *known = (json_t *)(uintptr_t)structure;
    json_t *whole = (json_t *)(uintptr_t)value;
    if (is_item(value)) {
        return json_is_integer(known) && take(pack, value) == json_integer_value(known);
    }
    if (json_typeof(known) != json_typeof(whole) ||
        json_object_size(known) != json_object_size(whole) ||
        json_array_size(known) != json_array_size(whole)) {
        return false;
    }
    void *at = json_object_iter(known);
    const char *key = NULL;
    json_t *part = NULL;
    json_object_foreach(whole, key, part) {
        if (strcmp(key, json_object_iter_key(at)) != 0 ||
            !fits(pack, json_object_iter_value(at), part)) {
            return false;
        }
        at = json_object_iter_next(known, at);
    }
    size_t i = 0;
    json_array_foreach(whole, i, part) {
        if (!fits(pack, json_array_get(known, i), part)) {
            return false;
        }
    }
    return true;
}

/* The one copy of a structure; takes over structure. */
static const json_t *settle(il_json_pack *pack, json_t *structure) {
    char *spelling = il_json_text_as(structure, JSON_COMPACT);
    if (json_object_get(pack->structures, spelling) == NULL) {
        il_json_set(pack->structures, spelling, json_incref(structure));
    }
    const json_t *known = json_object_get(pack->structures, spelling);
    free(spelling);
    json_decref(structure);
    return known;
}

void il_json_pack_put(il_json_pack *pack, size_t k, const json_t *value) {
    pack->nitems = 0;
    free(pack->values[k]);
    pack->values[k] = NULL;
    const json_t *structure = pack->last;
    if (structure == NULL || !fits(pack, structure, value)) {
        pack->nitems = 0;
        structure = settle(pack, map(value, empty, pack));
        pack->last = structure;
    }
    size_t bytes = pack->nitems * sizeof(item);
    packed *one = il_alloc(sizeof *one + bytes, 1);
    one->structure = structure;
    if (bytes > 0) {
        memcpy(one->items, pack->items, bytes);
    }
    pack->values[k] = one;
}

/* ---- getting -------------------------------------------------------------------------------- */

bool il_json_pack_has(const il_json_pack *pack, size_t k) {
    return pack->values[k] != NULL;
}

/* The item whose place it is; true, false and null as they are. */
static json_t *fill(void *self, const json_t *place) {
    const item *items = self;
    if (!json_is_integer(place)) {
        return json_incref((json_t *)(uintptr_t)place);
    }
    json_int_t at = json_integer_value(place);
    const item *one = &items[at / KINDS];
    return at % KINDS == REAL      ? json_real(one->real)
           : at % KINDS == INTEGER ? json_integer(one->integer)
                                   : json_string_nocheck(one->text);
}

json_t *il_json_pack_get(const il_json_pack *pack, size_t k) {
    packed *one = pack->values[k];
    return one != NULL ? map(one->structure, fill, one->items) : NULL;
}

/* The item of value k at path and its kind; NULL where there is none. */
static const item *at_path(const il_json_pack *pack, size_t k, const char *path, int *kind) {
    const packed *one = pack->values[k];
    const json_t *part = one != NULL ? one->structure : NULL;
    while (part != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        part = json_object_getn(part, path, length);
        path += length + (path[length] == '.');
    }
    if (!json_is_integer(part)) {
        return NULL;
    }
    json_int_t place = json_integer_value(part);
    *kind = (int)(place % KINDS);
    return &one->items[place / KINDS];
}

double il_json_pack_number(const il_json_pack *pack, size_t k, const char *path) {
    int kind = TEXT;
    const item *one = at_path(pack, k, path, &kind);
    return kind == REAL ? one->real : kind == INTEGER ? (double)one->integer : NAN;
}

const char *il_json_pack_text(const il_json_pack *pack, size_t k, const char *path) {
    int kind = REAL;
    const item *one = at_path(pack, k, path, &kind);
    return one != NULL && kind == TEXT ? one->text : "";
}
