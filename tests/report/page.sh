#!/usr/bin/env bash
# page.sh [RESULTS] - the page of a report in a real browser: Chromium, without a window.
#
# Without RESULTS a small report is made first. Looks at what reading the HTML cannot tell: the page's own
# script runs under the page's policy and no other does, nothing is said on the console, tables of the page
# sort and filter, nothing sticks out at three widths, all of it prints in less than 3 MB, and a keyboard
# and a screen reader find their way (page_audit.js asks the browser's accessibility tree, light and dark;
# mistakes that are planted in the page are seen).
# IMPACTLAB names the program. Not part of `make test`: a browser is 300 MB.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

browser=$(command -v chromium || command -v chromium-browser) || {
    echo "page.sh: no chromium: apt-get install chromium" >&2
    exit 2
}

look() { # look ARGUMENT... PAGE: what the browser says goes to $work/said
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
        --enable-logging=stderr "$@" 2>"$work/said"
}

results=${1:-$work/results}
if [ $# -eq 0 ]; then
    cat >"$work/script.lua" <<'EOS'
local lab = require "impactlab"
lab.section{title = "One <script>alert(1)</script>", text = "Text & more.", order = 2}
local r = lab.sweep{name = "s", problem = "bouncing_ball", scheme = "maury",
                    steps = lab.levels{from = 16, ratio = 2, count = 4, jitter = 4, seed = 1}}:run()
print(r:order{scheme = "maury", norm = "u_L1"})
r:table{"errors"}
r:figure{"convergence"}
lab.finding("a finding <img src=x onerror=alert(1)>")
EOS
    "$program" sweep "$work/script.lua" --results "$results" >/dev/null 2>&1
    "$program" report --results "$results" >/dev/null 2>&1
fi
page=file://$(realpath -- "$results")/report/index.html

look --dump-dom "$page" >"$work/dom"
holds "the script ran" grep -q '<button type="button" title="sort by this column">' "$work/dom"
holds "long tables filter" grep -q 'class="filter"' "$work/dom"
holds "the console is silent" bash -c "! grep -q CONSOLE '$work/said'"
if [ $# -eq 0 ]; then
    holds "markup from outside is text" grep -q '&lt;script&gt;alert(1)' "$work/dom"
    holds "a finding is shown" grep -q '<li>a finding &lt;img' "$work/dom"
    # A script that is put into the page anyhow is not run: the policy knows one script alone.
    sed 's|<main|<script>document.title = "run"</script><main|' "$results/report/index.html" >"$results/report/planted.html"
    look --dump-dom "${page%index.html}planted.html" >"$work/planted"
    holds "a planted script does not run" bash -c "! grep -q '<title>run</title>' '$work/planted'"
    holds "and the browser says so" grep -q 'Content Security Policy' "$work/said"
fi
# measured WIDTH JAVASCRIPT: what it says in a window so wide, of a copy without the policy.
measured() {
    sed -e 's|<meta http-equiv[^>]*>||' "$results/report/index.html" >"$results/report/measured.html"
    echo "<script>document.title = 'says ' + ($2)</script>" >>"$results/report/measured.html"
    look --window-size="$1",900 --dump-dom "${page%index.html}measured.html" | sed -n 's/.*<title>says \([^<]*\).*/\1/p'
}

is() { # is NAME WANTED SAID
    verdict "$1" "$([ "$3" = "$2" ] || echo "'$3' instead of '$2'")"
}

# The body's width stays within the window: asked of the browser by a copy that measures itself.
for width in 390 800 1280; do
    is "nothing sticks out at $width" false \
        "$(measured $width 'document.documentElement.scrollWidth > document.documentElement.clientWidth')"
done
for width in 720 1400; do
    is "orders at a glance are all visible at $width" 'true true' "$(measured $width \
        '(function (w) { return (w.scrollWidth <= w.clientWidth) + " " + (w.scrollHeight <= w.clientHeight) })(document.querySelector(".glance .wide"))')"
done
for width in 500 1400; do
    is "a figure is in the first screen at $width" true \
        "$(measured $width 'document.querySelector("img").getBoundingClientRect().bottom < 900')"
done
is "verdicts are folded" false "$(measured 1400 'document.querySelector(".verdicts").parentNode.open')"
# Of a row of verdicts a phone shows the word and the sentence, whole.
row='(function (t) { t.parentNode.open = true; var w = t.querySelector(".wide"); return Array.from(t.querySelector("tbody tr").cells).map(
    function (c) { return c.offsetWidth > 0 ? c.tagName : "-" }).join("") + (w.scrollWidth <= w.clientWidth) })(document.querySelector(".verdicts"))'
is "on a phone the sentence shows" 'TD-TH---true' "$(measured 500 "$row")"
long='document.querySelector(".verdicts tbody th").textContent = "problem(N=3," + "q0=0,".repeat(40) + ")"'
is "however long its words" 'TD-TH---true' "$(measured 500 "$long, $row")"
is "elsewhere all does" 'TDTDTHTDTDTDtrue' "$(measured 1400 "$row")"

# audit SED...: what page_audit.js says of the page so edited.
audit() {
    sed -e 's|<meta http-equiv[^>]*>||' "$@" "$results/report/index.html" >"$results/report/measured.html"
    { echo '<script>' && cat tests/report/page_audit.js && echo '</script>'; } >>"$results/report/measured.html"
    look --enable-blink-features=ComputedAccessibilityInfo --force-renderer-accessibility "${scheme[@]}" \
        --window-size=1280,900 --dump-dom "${page%index.html}measured.html" |
        awk 'sub(/.*<pre id="audit">/, "") { inside = 1 } inside { last = sub(/<.pre>.*/, ""); print } last { exit }'
}

scheme=()
for dark in "" --blink-settings=preferredColorScheme=0; do
    [ -z "$dark" ] || scheme=("$dark")
    said=$(audit)
    holds "a screen reader and a keyboard find their way${dark:+, dark}: ${said:-nothing was said}" test "$said" = clean
done
if [ $# -eq 0 ]; then
    scheme=()
    for pattern in 's/alt="[^"]*"/alt=""/g' 's/--soft:#555/--soft:#999/' 's/id="table-1"//'; do
        said=$(audit -e "$pattern")
        holds "seen: $pattern (${said%%$'\n'*})" bash -c '[ -n "$1" ] && [ "$1" != clean ]' _ "$said"
    done
fi
rm -f "$results/report/measured.html" "$results/report/planted.html"
look --print-to-pdf="$work/page.pdf" "$page" >/dev/null
size=$(stat -c %s "$work/page.pdf" 2>/dev/null || echo 0)
holds "prints ($size bytes) in less than 3 MB" test "$size" -gt 1000 -a "$size" -lt 3000000

conclude
