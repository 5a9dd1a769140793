#!/usr/bin/env bash
# drawn.sh - what figures say: a fit has the colour of its marks, a triangle the slope that is claimed, below
# all marks; the numbers of an axis are of one kind; two folders are named; without a font nothing is drawn.
#
# IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"
cd "$work" || exit 2

# ---- convergence --------------------------------------------------------------------------------

# Venel's scheme has the order 1/2 as a bound; of maury's and paoli's only convergence is claimed.
cat >claimed.lua <<'LUA'
local lab = require "impactlab"
local r = lab.sweep{name = "laby", problem = "labyrinth", schemes = {"venel"},
                    steps = lab.levels{from = 48, ratio = 2, count = 5, jitter = 4, seed = 1}}:run()
r:figure{"convergence", norm = "q_Linf", name = "claimed"}
local r = lab.sweep{name = "ball", problem = "bouncing_ball", schemes = {"maury", "paoli"},
                    steps = lab.levels{from = 48, ratio = 2, count = 5, jitter = 4, seed = 1}}:run()
r:figure{"convergence", norm = "u_L1", name = "unclaimed"}
LUA
"$program" sweep claimed.lua --quiet --results out >/dev/null
colors() { # colors STYLE FIGURE: of the series in that style, grey of triangles apart
    grep "'$2.dat' index .* with $1 " "out/figures/$2.gp" | grep -o "#[0-9a-f]*" | grep -v '#7f7f7f'
}
for figure in claimed unclaimed; do
    verdict "fits of $figure have the colours of their marks" "$([ "$(colors lines $figure | sort -u)" = "$(colors points $figure | sort -u)" ] &&
        [ "$(colors points $figure | sort -u | wc -l)" = "$([ $figure = claimed ] && echo 1 || echo 2)" ] || echo "$(colors lines $figure) for $(colors points $figure)")"
done
# Blocks of the data: fits, then the triangle, then marks.
block=$(grep "index .*#7f7f7f" out/figures/claimed.gp | sed -E "s/.*index ([0-9]+) .*/\1/")
gives=$(awk -v triangle="$block" '
    /^# block/ { block = $3 + 0; next }
    /^#/ || NF < 2 { next }
    block == triangle { x[++n] = $1; y[n] = $2 }
    block > triangle { marks++; mx[marks] = $1; my[marks] = $2 }
    END {
        slope = log(y[3] / y[2]) / log(2)
        if (!(slope > 0.5 - 1e-9 && slope < 0.5 + 1e-9)) print "the slope is", slope
        if (!(x[2] / x[1] > 2 - 1e-9 && x[2] / x[1] < 2 + 1e-9)) print "it is not an octave wide"
        for (k = 1; k <= marks; k++)
            if (mx[k] >= x[1] && mx[k] <= x[2] && !(my[k] > 1.5 * y[1] * (mx[k] / x[1]) ^ 0.5)) print "a mark at", mx[k], "lies on it"
        if (marks != 20) print marks, "marks"
    }' out/figures/claimed.dat)
verdict "a triangle has the slope that is claimed, below the marks" "$gives"
holds "its slope stands beside it" grep -q "label.*'0.5'\|0\.5" out/figures/claimed.gp
holds "no triangle where no order is claimed" bash -c '! grep -q "#7f7f7f" out/figures/unclaimed.gp'

# ---- numbers of an axis -------------------------------------------------------------------------

# Ranges of less than three powers of ten, small and large: all numbers plain, or all with powers.
cat >tics.lua <<'LUA'
local lab = require "impactlab"
local k = 0
for _, range in ipairs{{8e-4, 4e-2}, {2.1e-4, 0.013}, {1.1e-5, 3e-3}, {3, 70}, {1.2e6, 8e7}, {0.012, 0.9}} do
  k = k + 1
  lab.figure{name = "tics" .. k, logx = true, width = 7, series = {{x = range, y = {1, 2}}}}
end
LUA
"$program" sweep tics.lua --quiet --results out >/dev/null
for k in 1 2 3 4 5 6; do
    line=$(grep 'set xtics (' out/figures/tics$k.gp)
    plain=$(grep -o "[(,] \?'[^']\+' " <<<"$line" | wc -l) powers=$(grep -o "power(" <<<"$line" | wc -l)
    verdict "numbers of axis $k are of one kind" "$([ $((plain * powers)) = 0 ] && [ $((plain + powers)) -ge 2 ] || echo "$line")"
    # The leading digits that are written are the same in each power of ten, but where the axis ends.
    odd=$(grep -oE "('[0-9.]*'|power\('[0-9.]*','-?[0-9]*'\)) [0-9.e+-]+( 1)?" <<<"$line" | awk '
        { x = $2; digit = substr(sprintf("%e", x), 1, 1); shown[digit] = shown[digit] ($NF == "1" && NF == 3 ? "0" : "1") }
        END { for (d in shown) if (shown[d] ~ /0/ && shown[d] ~ /1/) print d, shown[d] }')
    verdict "axis $k labels the same digits throughout" "$odd"
done

# ---- fonts --------------------------------------------------------------------------------------

# A machine without fonts: no figure whose letters are missing, of whatever size.
echo '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/none</dir></fontconfig>' >none.conf
cat >letters.lua <<'LUA'
local size = tonumber(arg[1])
require "impactlab".figure{name = "letters", xlabel = "time", width = size, height = size, series = {{x = {1, 2}, y = {1, 2}}}}
LUA
for size in 6 18; do
    FONTCONFIG_FILE=$work/none.conf "$program" sweep letters.lua --results letters -- $size >said 2>&1
    status=$?
    verdict "without a font a figure of $size cm is refused" \
        "$([ $status = 1 ] && grep -q "figure 'letters' has no letters: there is no font" said || echo "status $status: $(tail -n 1 said)")"
    verdict "and not left behind" "$(ls letters/figures 2>/dev/null)"
done
"$program" sweep letters.lua --results letters -- 6 >said 2>&1
holds "with fonts it is drawn" test -s letters/figures/letters.png

# ---- two folders --------------------------------------------------------------------------------

cp -r out other
"$program" results compare out other --figure both >said
holds "the legend names the folders" bash -c "grep -q \"'out: u_L1: \" both.gp && grep -q \"'other: u_L1: \" both.gp"
holds "so does the caption" grep -q 'in out and other' both.json

conclude
