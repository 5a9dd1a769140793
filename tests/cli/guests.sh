#!/usr/bin/env bash
# guests.sh - a script is a guest, and so is every text from outside: what it tries against the machine,
# against gnuplot, LaTeX, the page and the terminal, and that --trust grants what is asked for. Each
# attack would leave the file "pwned" in the working folder or show in the output. IMPACTLAB names the
# program.
set -uo pipefail
. "$(dirname "$0")/../support/shell.sh"

mkdir "$work/here" "$work/scripts"
cd "$work/here" || exit 2

escape=$'\033'

# sweeps NAME STATUS PATTERN [OPTION...]: the script on standard input, in a folder of its own. Nothing
# may be left but the results; nothing a terminal obeys may be printed.
sweeps() {
    local name=$1 wanted=$2 pattern=$3 why='' status
    shift 3
    cat >"$work/scripts/guest.lua"
    # A minute of a processor, however many others want it; on the wall ten, for who waits for ever.
    (
        ulimit -S -t 60
        exec timeout 600 "$program" sweep "$work/scripts/guest.lua" --results here "$@" \
            >"$work/out" 2>"$work/err" </dev/null
    )
    status=$?
    if [ "$status" -ne "$wanted" ]; then
        why="status $status instead of $wanted: $(tail -n 1 "$work/err")"
    elif ! grep -qE -- "$pattern" "$work/out" "$work/err"; then
        why="'$(tail -n 1 "$work/err")' lacks '$pattern'"
    elif grep -q "$escape" "$work/out" "$work/err"; then
        why="an escape sequence was printed"
    elif [ -n "$(find . "$work/scripts" -name '*pwned*')" ]; then
        why="left $(find . "$work/scripts" -name '*pwned*' | head -n 1)"
    fi
    verdict "$name" "$why"
}

# ---- the machine -------------------------------------------------------------------------------

sweeps "no shell, files, code" 0 "check holds: none" <<'LUA'
local lab = require "impactlab"
local got = {}
local function try(what, f) if pcall(f) then got[#got + 1] = what end end
try("execute", function() os.execute("touch pwned") end)
try("popen", function() io.popen("touch pwned"):close() end)
try("open", function() io.open("pwned", "w"):close() end)
try("remove", function() os.remove("here") end)
try("getenv", function() os.getenv("HOME") end)
try("exit", function() os.exit(7) end)
try("load", function() load("return 1")() end)
try("loadstring", function() loadstring("return 1")() end)
try("dofile", function() dofile("/etc/passwd") end)
try("loadfile", function() loadfile("/etc/passwd") end)
try("loadlib", function() package.loadlib("/lib/x86_64-linux-gnu/libc.so.6", "*") end)
try("dump", function() string.dump(function() end) end)
try("debug", function() debug.getregistry() end)
for _, name in ipairs{"io", "os", "package", "socket", "ffi", "sibling", "./sibling", "/etc/passwd"} do
  try("require " .. name, function() require(name) end)
end
lab.check(#got == 0, #got == 0 and "none" or table.concat(got, ", "))
LUA

sweeps "what is not there names what grants it" 2 "global 'io'\); --trust grants it" <<'LUA'
io.open("pwned", "w")
LUA
sweeps "another name is only misspelt" 2 "global 'lib'\)$" <<'LUA'
lib.run{}
LUA
printf 'return {}\n' >"$work/scripts/sibling.lua"
printf '\033Lua\124\0\031\223\r\n' >"$work/scripts/code.luac"
"$program" sweep "$work/scripts/code.luac" --results here >"$work/out" 2>"$work/err"
status=$?
why=
[ "$status" -eq 2 ] || why="status $status"
grep -q "attempt to load a binary chunk" "$work/err" || why+=" '$(<"$work/err")'"
verdict "no bytecode" "$why"

sweeps "no files outside the results" 0 "check holds: none" <<'LUA'
local lab = require "impactlab"
local got = {}
local rows = {{1, 2}}
for _, name in ipairs{"../pwned", "/tmp/pwned", "pwned/../../pwned", "..", "a\0/../pwned", "-pwned\n"} do
  for what, f in pairs{
    table = function() lab.table{name = name, heads = {"a", "b"}, rows = rows} end,
    figure = function() lab.figure{name = name, series = {{x = {1, 2}, y = {1, 2}}}} end,
    trajectory = function()
      lab.run{problem = "two_spheres", scheme = "maury", steps = 4, trajectory = name .. ".csv"}
    end,
    paraview = function()
      lab.run{problem = "two_spheres", scheme = "maury", steps = 4, paraview = name .. ".pvd"}
    end,
    fclib = function()
      lab.run{problem = "two_spheres", scheme = "maury", steps = 4, fclib = name .. ".hdf5"}
    end} do
    if pcall(f) then got[#got + 1] = what .. " " .. name end
  end
end
lab.check(#got == 0, #got == 0 and "none" or table.concat(got, ", "))
LUA

# A scheme of files reads the script's own; what it says of others would tell what is in them.
printf 'secret = 7\n' >"$work/elsewhere.txt"
ln -s "$work" "$work/scripts/link"
printf 'skip = none\n' >"$work/scripts/own.map"
printf 't,q0,u0,none\n0,1,0,0\n1,1,0,0\n' | tee "$work/scripts/own.csv" >"$work/elsewhere.csv"
for scheme in "$work/elsewhere.csv" "../elsewhere.csv" "$work/scripts/link/elsewhere.csv" \
    "$work/scripts/own.csv,mapping=$work/elsewhere.txt" "$work/scripts/own.csv,between=affine,mapping=../elsewhere.txt" \
    "$work/scripts/own.csv,mapping=$work/scripts/link/elsewhere.txt"; do
    sweeps "a file elsewhere: $(basename "$scheme")" 2 "scheme 'file' reads '.*elsewhere.*; --trust allows others" <<LUA
local lab = require "impactlab"
lab.run{problem = "bouncing_ball", scheme = "file:$scheme", steps = 1, horizon = 1}
LUA
    why=
    grep -q secret "$work/out" "$work/err" && why="its first line was printed"
    verdict "a file elsewhere is not shown" "$why"
done
rm "$work/scripts/link"
sweeps "the script's own files" 0 "ok" <<LUA
local lab = require "impactlab"
print(lab.run{problem = {"bouncing_ball", gravity = 1e-9}, scheme = "file:$work/scripts/own.csv,mapping=$work/scripts/own.map", steps = 1, horizon = 1}.status)
LUA

# ---- depth --------------------------------------------------------------------------------------

sweeps "depth: recursion" 2 "stack overflow" <<'LUA'
local function f() return 1 + f() end
f()
LUA
# ---- what --trust grants -------------------------------------------------------------------------

printf 'return {answer = 42}\n' >"$work/scripts/sibling.lua"
sweeps "--trust" 0 "check holds: all" --trust <<'LUA'
local lab = require "impactlab"
lab.check(os.execute("true"), "a shell")
local file = io.open("granted", "w")
lab.check(file:write("yes") and file:close(), "a file")
lab.check(require("sibling").answer == 42, "a module beside the script")
lab.check(lab == require "impactlab" and load("return 1")() == 1, "all")
LUA
[ "$(cat granted)" = yes ] || verdict "a trusted script's file" "is not there"

# ---- those who read what is written ---------------------------------------------------------------

# Texts that gnuplot, a shell, LaTeX, a browser or a terminal would act upon.
rm -rf ./*
sweeps "texts in figures, tables, notes" 2 "check failed" <<'LUA'
local lab = require "impactlab"
local texts = {
  "`touch pwned`", "$(touch pwned)", "'; system('touch pwned'); '", '"; system("touch pwned"); "',
  "'.system('touch pwned').'", "a\nsystem('touch pwned')\n", "\\\n!touch pwned", "@pwned", "{/Symbol a}",
  "\\write18{touch pwned}", "\\input{/etc/passwd}", "}\\input{/etc/passwd}{", "\\immediate\\openout1=pwned",
  "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>",
  "&lt;b&gt;", "</title><script>alert(1)</script>",
  "\27[31mred", "\27]0;title\7", "\u{9b}31m", "a\r\nb\tc"}
for k, text in ipairs(texts) do
  lab.figure{name = "f" .. k, caption = text, xlabel = text, ylabel = text,
    series = {{x = {1, 2, 3}, y = {1, 4, 9}, label = text}}}
  lab.table{name = "t" .. k, caption = text, heads = {text, "b"}, rows = {{text, 1}},
    formats = {"txt", "csv", "tex"}}
  print(text)
  pcall(lab.run, {problem = text, scheme = "maury", steps = 1})
  lab.check(true, text)
  lab.check(false, text)
end
error(table.concat(texts, " "))
LUA
# error() ends the script: status 2. What it drew is looked at here.
"$program" report --results here >"$work/out" 2>"$work/err"
page=here/report/index.html
why=
[ -e "$page" ] || why="there is no page: $(<"$work/err")"
grep -qE '<(script>alert|img src=x|svg onload)' "$page" && why+=" the page holds a text as HTML"
grep -q "$escape" "$page" "$work/out" "$work/err" && why+=" an escape sequence came through"
grep -lE '\\(write|input|immediate|openout)' here/tables/*.tex && why+=" LaTeX would act upon a table"
grep -lE '<(script>alert|img src=x|svg onload)' here/figures/*.svg && why+=" a picture holds a text as markup"
grep -rlI "$escape" here/tables here/figures && why+=" an escape sequence stands in a file"
[ "$(find here/figures -name '*.svg' | wc -l)" -ge 21 ] || why+=" figures are missing"
verdict "the page, tables and pictures of such texts" "$why"

# The command line's own words.
for words in "${escape}[31m" "run --problem ${escape}[31m --scheme maury --steps 1" \
    "sweep ${escape}[31m.lua"; do
    # shellcheck disable=SC2086
    "$program" $words >"$work/out" 2>"$work/err"
    why=
    grep -q "$escape" "$work/out" "$work/err" && why="an escape sequence was printed"
    verdict "a terminal: ${words//"$escape"/ESC}" "$why"
done

conclude
