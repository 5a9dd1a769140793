/*
 * section.c - how manifests tell where in the report their figure or table belongs.
 */
#include "harness/draw/section.h"

#include "harness/base/json.h"

json_t *il_section_json(const il_section *section) {
    if (section == NULL) {
        return json_null();
    }
    return json_pack("{s:s, s:s, s:i}", "title", section->title, "text",
                     section->text != NULL ? section->text : "", "order", section->order);
}

json_t *il_origin_json(const json_t *origin) {
    return origin != NULL ? il_json_copy(origin) : json_null();
}
