#!/usr/bin/env bash
# figures.sh [FIGURES] - what only the pictures tell, of every figure of the folder, that of the report
# without one. No legend covers anything that is drawn: the figure is drawn again as it is and without
# legends, and no point that has ink without is white with; grids are left out of both. A legend that is
# planted on points must be seen. Nothing is cut off: the outermost points of every png are white. Every font
# of a pdf is embedded. No two curves of a legend look the same in grey (grey.awk). Needs ImageMagick and pdffonts.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

for tool in convert pdffonts; do
    command -v "$tool" >/dev/null || { echo "figures.sh: no $tool: make test-figures installs it" >&2; exit 2; }
done

redrawn() { # redrawn NAME PNG SED...: the figure in $work by its script, edited
    local name=$1 png=$2
    shift 2
    sed -e "s/'pdf svg png[ tex]*'/'png'/" -e '/^set grid/d' "$@" "$name.gp" >"$work/$name.gp" &&
        cp "$name.dat" "$work/" && (cd "$work" && gnuplot "$name.gp" >/dev/null 2>&1) &&
        mv "$work/$name.png" "$work/$png"
}

hidden() { # hidden NAME: how many points of ink its legends hide
    redrawn "$1" with.png || return
    redrawn "$1" without.png -e 's/set key on inside.*/set key off/' -e '/set key title/d' || return
    convert "$work/without.png" -threshold 80% -negate "$work/ink.png"
    convert "$work/with.png" -fuzz 2% -fill black +opaque white -threshold 50% "$work/white.png"
    convert "$work/ink.png" "$work/white.png" -compose multiply -composite -format '%[fx:round(mean*w*h)]' info:
}

cut() { # cut PNG: the edges that have ink, two points wide
    local edge area
    for edge in North South East West; do
        [[ $edge = *th ]] && area=0x2 || area=2x0
        [ "$(convert "$1" -gravity "$edge" -crop "$area+0+0" +repage -format '%[fx:minima]' info:)" = 1 ] || echo -n "$edge "
    done
}

# Points along the upper edge, and a legend that is told to stand there.
cat >"$work/planted.lua" <<'LUA'
local lab = require "impactlab"
lab.figure{name = "planted", xlabel = "x", ylabel = "y", key = "top right",
           series = {{x = {0, 0.5, 0.95, 1}, y = {0, 1, 1, 1}, style = "points", label = "points"}}}
LUA
"$program" sweep "$work/planted.lua" --results "$work/results" >/dev/null 2>&1
points=$(cd "$work/results/figures" && hidden planted)
holds "a legend on points is seen ($points)" [ "$points" -gt 0 ]

convert "$work/results/figures/planted.png" -shave 30x0 "$work/cut.png"
verdict "what is cut off is seen" "$([ "$(cut "$work/cut.png")" = "West " ] || echo "seen: $(cut "$work/cut.png")")"

# Two schemes' colours, both solid, as a legend must not have them.
printf "keyentry with lines lc rgb '%s' lw 2 dt %s title label1_%d\n" '#0072b2' solid 1 '#d55e00' solid 2 \
    '#000000' solid 3 '#009e73' '(8,7)' 4 >"$work/grey.gp"
verdict "what grey hides is seen" "$([ "$(awk -f tests/report/grey.awk "$work/grey.gp")" = \
    "label1_1 and label1_2 look the same in grey: lines, lightness 46 and 54" ] || echo "it is not")"
grey=$PWD/tests/report/grey.awk

cd "${1:-results/figures}" || exit 2
for script in *.gp; do
    name=${script%.gp}
    verdict "fonts of $name" "$(pdffonts "$name.pdf" 2>&1 | awk 'NR > 2 && $(NF - 4) != "yes" { print $1, "is not embedded" }')"
    verdict "$name in grey" "$(awk -f "$grey" "$script")"
    edges=$(cut "$name.png")
    verdict "edges of $name" "${edges:+ink at the edge: $edges}"
    grep -q 'set key on inside' "$script" || continue
    points=$(hidden "$name")
    verdict "$name" "$([ "$points" = 0 ] || echo "its legend hides ${points:-?} points of ink")"
done
conclude
