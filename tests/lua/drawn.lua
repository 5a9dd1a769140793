-- drawn.lua - figures and tables: what is wrong with them is told with its place, path, value and what is allowed.
local lab = require "impactlab"

local function refused(what, f, ...)
  local ok, why = pcall(f, ...)
  lab.check(not ok and why:find(what, 1, true), what .. ": " .. tostring(why))
end

local sweep = lab.sweep{name = "d", problems = {{"sticky", N = 4, seed = 1}, {"sticky", N = 2, seed = 1}},
                        schemes = {"maury", "venel"}, steps = {4, 8}, reference = "exact"}
local r = sweep:run()

-- Of results.
refused('r:figure: [1] is \'curves\'; allowed: "convergence", "energy", "balance", "momentum", "field", "work_precision", "parameter"',
        r.figure, r, {"curves"})
refused("r:figure: the argument is nil; allowed: a table", r.figure, r)
refused("r:table: formats is 'pdf'; allowed: txt, csv, tex", r.table, r, {"errors", formats = {"pdf"}})
refused("r:table: unknown key 'rows'", r.table, r, {"errors", rows = {}})

-- Of the script's own.
refused("lab.figure: panels[1].series[2].style is 'line'; allowed: lines, points,", lab.figure,
        {name = "f", panels = {{series = {{x = {1}, y = {1}}, {x = {1}, y = {1}, style = "line"}}}}})
refused("lab.figure: title is 'T'; allowed: it inside a panel", lab.figure, {name = "f", title = "T", panels = {}})
refused("lab.table: rows[2] is a table; allowed: an array with at most", lab.table,
        {name = "t", heads = {"a"}, rows = {{1}, {1, 2}}})
refused("lab.table: rows[1][1] is a function; allowed: a string, a number, a boolean, nil", lab.table,
        {name = "t", heads = {"a"}, rows = {{print}}})
refused("lab.section: title is missing; it takes the section's heading", lab.section, {text = "t"})
refused("lab.finding: text is 3; allowed: a sentence", lab.finding, 3)

-- The place is that of the script's own line, not of the library's.
local ok, why = pcall(function() lab.figure{name = "f", seires = {}} end)
lab.check(not ok and why:find("drawn.lua:32: lab.figure: unknown key 'seires'; did you mean 'series'?", 1, true), why)

-- Curves across problems go from left to right.
lab.check(r:figure{"parameter", x = "parameters.N", norm = "u_L1", name = "across"}:find("across.png", 1, true), "drawn")
