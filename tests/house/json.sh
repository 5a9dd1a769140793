#!/usr/bin/env bash
# json.sh - scripts/check_json.sh sees a result of jansson that nobody looks at; and the checkout has none.
set -euo pipefail
cd "$(dirname "$0")/../.."
check=$PWD/scripts/check_json.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# expect LINE TEXT - a file with this line offends, and is named with TEXT.
expect() {
    local out
    mkdir -p "$tree/harness/run"
    printf '%s\n' "$1" > "$tree/harness/run/planted.c"
    if out=$(bash "$check" "$tree") || ! grep -qF -- "harness/run/planted.c:1: $2" <<< "$out"; then
        echo "json.sh: not seen: $1"
        failures=$((failures + 1))
    fi
}

# allows LINE - a file with this line does not offend.
allows() {
    mkdir -p "$tree/harness/run"
    printf '%s\n' "$1" > "$tree/harness/run/planted.c"
    bash "$check" "$tree" > /dev/null || { echo "json.sh: refused: $1"; failures=$((failures + 1)); }
}

bash "$check" || failures=1
expect '    (void)json_object_set_new(object, "h", json_real(h));' 'not allowed outside'
expect '    json_object_set(object, "h", value);' 'not allowed outside'
expect '    if (json_array_append_new(array, json_null()) != 0) {' 'not allowed outside'
expect '    json_object_update(object, other);' 'not allowed outside'
expect '    char *text = json_dumps(object, 0);' 'not allowed outside'
expect '    json_t *same = json_deep_copy(object);' 'not allowed outside'
expect '    json_t *object = json_loads(text, 0, NULL);' 'not allowed outside'
expect '    (void)json_pack("{s:i}", "n", 1);' 'not allowed: what was made'
allows '    json_t *object = json_pack("{s:i}", "n", 1);'
allows '    const json_t *h = json_object_get(object, "h");'

[ "$failures" -eq 0 ] && echo 'json.sh: every planted offence is seen' || exit 1
