#!/usr/bin/env bash
# pdf.sh - `report --pdf`: a LuaLaTeX that is not there, fails or is stopped leaves one line and no PDF,
# and keeps the one of before; where one is installed (and pdftotext), every word of the page is on paper,
# and a figure drawn with tex has the letters of the paper that it stands in.
# IMPACTLAB names the program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

results=$work/results out=$work/results/report
cat >"$work/script.lua" <<'EOS'
local lab = require "impactlab"
lab.section{title = "One & 50 % of #2_", text = "A backslash \\input{/etc/passwd}, a {brace}, $x^2$ ~ and ≤ λ⁻⁸.", order = 2}
local r = lab.sweep{name = "s", problem = "bouncing_ball", scheme = "maury",
                    steps = lab.levels{from = 16, ratio = 2, count = 4, jitter = 4, seed = 1}}:run()
print(r:order{scheme = "maury", norm = "u_L1"})
r:table{"errors"}
r:figure{"convergence"}
lab.figure{name = "f", xlabel = "time_t", ylabel = "50 % of λ", tex = {time_t = "$\\tau_1$ spelt"},
           series = {{x = {-1, 0, 2}, y = {-1, 1, 2}, label = "a{b}\\c #1", style = "linespoints"}}}
lab.finding("a finding <b>& more</b>")
EOS
"$program" sweep "$work/script.lua" --results "$results" >/dev/null 2>&1

refused() { # refused NAME STATUS WORDS
    local status
    "$program" report --results "$results" --pdf >"$work/said" 2>"$work/err"
    status=$?
    verdict "$1" "$([ "$status" -eq "$2" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -- "$3" "$work/err" ||
        echo "status $status: $(<"$work/err")")"
}

fake() { # fake NAME: a program that does what stands on our input
    { echo '#!/bin/bash' && cat; } >"$work/$1"
    chmod +x "$work/$1"
    export IMPACTLAB_LUALATEX=$work/$1
}

export IMPACTLAB_LUALATEX=$work/none
refused "without LuaLaTeX" 2 'texlive-luatex'
holds "nothing is written" [ ! -e "$out" ]
fake fails <<<'dir=${4#*=}; echo "! Undefined control sequence." >"$dir/report.log"; exit 1'
refused "what LaTeX says is told" 1 'Undefined control sequence'
holds "the page is there" [ -s "$out/index.html" ]
mkdir -p "$out"
echo before >"$out/report.pdf"
fake silent <<<'exit 0'
refused "a PDF that is not there" 1 'wrote no PDF'
holds "the one of before stays" grep -qx before "$out/report.pdf"
verdict "nothing else is left" "$(find "$out" -name '*.part.*' -o -name '*.aux' -o -name '*.log')"
unset IMPACTLAB_LUALATEX

if ! command -v lualatex >/dev/null || ! command -v pdftotext >/dev/null; then
    echo "pdf.sh: LuaLaTeX itself is not tried: apt-get install texlive-luatex poppler-utils"
    conclude
fi
"$program" report --results "$results" --pdf >"$work/said" 2>"$work/err"
verdict "LuaLaTeX sets it" "$([ $? -eq 0 ] && head -c 5 "$out/report.pdf" | grep -q %PDF- || cat "$work/err")"
verdict "its folder is as before" "$(find "$out" -maxdepth 1 -type f ! -name index.html ! -name 'report.*')"
# Words of the page, without the style, the script, links to files, and what stands in a browser alone.
sed -e '1,/<body>/d' -e '/^<script>/,$d' -e '/class="files"/d' "$out/index.html" |
    sed -e 's/<a class="skip".*<.a>//' -e 's/<[^>]*>/ /g' -e 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g' \
        -e "s/&#39;/'/g; s/&nbsp;/ /g; s/&amp;/\\&/g" | tr -s ' \n' '\n\n' | sort -u >"$work/page"
pdftotext "$out/report.pdf" "$work/text" || conclude
# Lines may break within a word.
tr -d ' \n\f\302\240' <"$work/text" >"$work/paper"
tr -d '\302\240' <"$work/page" >"$work/words"
holds "the page has words" [ "$(wc -l <"$work/words")" -ge 100 ]
while IFS= read -r word; do
    [ -z "$word" ] || grep -qF -- "$word" "$work/paper" || echo "$word"
done <"$work/words" >"$work/missing"
verdict "every word is on paper" "$(head -n 5 "$work/missing")"
# A figure within a paper: its labels are the paper's.
mkdir "$work/article"
cp "$results"/figures/f-tex.* "$work/article"
cat >"$work/article/p.tex" <<'EOS'
\documentclass{article}\usepackage{graphicx,color}\begin{document}\input{f-tex.tex}\end{document}
EOS
(cd "$work/article" && timeout 120 lualatex -interaction=batchmode -halt-on-error p.tex) >"$work/said" 2>&1
verdict "a figure for LaTeX is set" "$([ $? -eq 0 ] || echo "$(grep -m 1 '^!' "$work/article/p.log") status")"
for word in 'τ1 spelt' '50 % of λ' 'a{b}\c #1'; do
    holds "it says $word" grep -qF -- "$word" <(pdftotext "$work/article/p.pdf" - | sed 's/𝜏/τ/g; s/𝜆/λ/g; s/τ *1/τ1/')
done
if command -v pdffonts >/dev/null; then
    verdict "its fonts are embedded" "$(pdffonts "$out/report.pdf" | awk 'NR > 2 && $(NF - 4) != "yes" { print $1 }')"
fi
conclude
