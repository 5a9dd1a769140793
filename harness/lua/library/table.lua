-- table.lua - tables: a script's own, and those of a sweep's records.
--
--   lab.table{name =, caption =, heads = {...}, rows = {{...}, ...}, formats = {"txt", "csv", "tex"},
--             order =, ensemble =}
--   r:table{"errors" | "orders" | "summary", name =, caption =, norms = {...}, level =, formats =, order =}
--
-- Both return the path of the first format. Integers stand as they are. Other numbers are rounded for
-- readers, in txt and tex, and keep all their digits for programs, in csv. A script that wants them otherwise
-- gives texts.
local lab, host = ...
local ipairs, next, type, tonumber, concat = ipairs, next, type, tonumber, table.concat
local format, max, huge, is_integer = string.format, math.max, math.huge, math.type

-- As few digits as reading it back exactly takes.
local function digits(x)
  if x - x ~= 0 then return x ~= x and "nan" or x > 0 and "inf" or "-inf" end
  for n = 1, 17 do
    local text = format("%." .. n .. "g", x)
    if tonumber(text) == x then return text end
  end
end

-- ---- rows -------------------------------------------------------------------------------------------

-- Cells for readers and, exact, for programs. A false cell prints as "-".
local function sheet(heads) return {heads = heads, rows = 0, cells = {}, exact = {}} end

local function put(t, text, exact)
  local n = #t.cells + 1
  t.cells[n] = text or false
  if exact == nil then exact = text or false end
  t.exact[n] = exact
end

-- A number that is not finite leaves the cell empty.
local function put_number(t, style, x)
  if x - x ~= 0 then put(t, false, "") else put(t, format(style, x), digits(x)) end
end

-- Heads, and row by row the cells as readers see them, so that the report's page need not read them back. An
-- object whose members keep their order is {n = 2 * members, key, value, ...}.
local function manifest(t)
  local rows, n = {}, #t.heads
  for i = 1, t.rows do
    local row = {}
    for j = 1, n do row[j] = t.cells[(i - 1) * n + j] or "-" end
    rows[i] = row
  end
  return {n = 10, "kind", "table", "name", t.name, "caption", t.caption or "", "heads", t.heads, "cells", rows}
end

local function check_texts(call, t)
  for k = 1, #t.cells do
    if not (utf8.len(t.cells[k] or "") and utf8.len(t.exact[k] or "")) then
      local row, column = (k - 1) // #t.heads + 1, (k - 1) % #t.heads + 1
      host.raise(format("%s: table '%s': row %d, column %d is not UTF-8", call, t.name, row, column))
    end
  end
end

-- Into the files of the formats that are asked for; returns the path of the first.
local function write(call, t, spec, r)
  local formats = host.read(call, spec, "formats", "texts") or {}
  local files = {name = t.name, order = spec.order}
  if #formats == 0 then formats = {"txt", "csv", "tex"} end
  for _, name in ipairs(formats) do
    files[host.read(call, {formats = name}, "formats", "choice", "txt|csv|tex")] = true
  end
  check_texts(call, t)
  for _, name in ipairs{"txt", "csv", "tex"} do
    local pieces = {}
    if files[name] then
      host.spell(t, name, function(text) pieces[#pieces + 1] = text end)
      files[name] = concat(pieces)
    end
  end
  return host.table(call, files, r, manifest(t))
end

-- ---- of a script ------------------------------------------------------------------------------------

local function put_value(t, value, i, j)
  local kind = type(value)
  if kind == "number" and is_integer(value) ~= "integer" then
    put(t, value - value == 0 and format("%.6g", value) or digits(value), digits(value))
  elseif kind == "number" then
    put(t, format("%d", value))
  elseif kind == "string" then
    put(t, value)
  elseif kind == "boolean" then
    put(t, value and "yes" or "no")
  elseif kind == "nil" then
    put(t, false)
  else
    host.refuse("lab.table", format("rows[%d][%d]", i, j), value, "a string, a number, a boolean, nil")
  end
end

function lab.table(spec)
  local call = "lab.table"
  host.known(call, spec, {"name", "caption", "heads", "rows", "formats", "order", "ensemble"})
  local name = host.read(call, spec, "name", "text") or
               host.miss(call, spec, "name", "the file's name without extension")
  local heads = host.read(call, spec, "heads", "texts")
  if not heads or #heads == 0 then host.miss(call, spec, "heads", "an array of strings") end
  if type(spec.rows) ~= "table" then host.refuse(call, "rows", spec.rows, "an array of rows, each an array") end
  local t = sheet(heads)
  for i = 1, #spec.rows do
    local row = spec.rows[i]
    if type(row) ~= "table" or #row > #heads then
      host.refuse(call, format("rows[%d]", i), row, "an array with at most as many cells as there are heads")
    end
    for j = 1, #heads do put_value(t, row[j], i, j) end
    t.rows = i
  end
  t.name, t.caption = name, host.doubt(call, spec, host.read(call, spec, "caption", "text"))
  return write(call, t, spec)
end

-- ---- of a sweep -------------------------------------------------------------------------------------

local make = {}

function make.errors(r, s, spec)
  local norms = host.norms(r, "r:table", spec)
  local heads = {"problem", "scheme", "steps", "h"}
  for _, norm in ipairs(norms) do heads[#heads + 1] = norm end
  heads[#heads + 1] = "status"
  local steps, h, status, errors = host.numbers(r, "steps"), host.numbers(r), host.texts(r, "status"), {}
  for k, norm in ipairs(norms) do errors[k] = host.numbers(r, "error." .. norm) end
  local t = sheet(heads)
  for k = 1, s.cases do
    local pair = (k - 1) // s.sizes
    put(t, s.problems[pair // #s.schemes + 1])
    put(t, s.schemes[pair % #s.schemes + 1])
    put(t, steps[k] - steps[k] == 0 and format("%.0f", steps[k]))
    put_number(t, "%.4g", h[k])
    for i = 1, #norms do put_number(t, "%.3e", errors[i][k]) end
    put(t, status[k])
  end
  t.rows = s.cases
  return t, format("Errors of sweep %s, case by case.", s.name)
end

function make.orders(r, s, spec)
  local norms = host.norms(r, "r:table", spec)
  local level = host.level("r:table", spec)
  local t = sheet{"problem", "scheme", "norm", "order", "low", "high", "octaves", "fold", "finest", "floor high",
                  "runs", "used", "verdict", "reason"}
  for p = 1, #s.problems do
    for k, scheme in ipairs(s.schemes) do
      for _, norm in ipairs(norms) do
        local o = host.fit(r, p, k, norm, level)
        put(t, o.subject)
        put(t, scheme)
        put(t, norm)
        for _, x in ipairs{o.order, o.low, o.high, o.octaves, o.fold, o.finest, o.floor_high} do
          put_number(t, "%.4g", x)
        end
        put(t, format("%d", o.runs))
        put(t, format("%d", o.used))
        put(t, o.verdict)
        put(t, o.reason)
        t.rows = t.rows + 1
      end
    end
  end
  return t, format("Observed orders of sweep %s with %g %% intervals; over how many octaves of the step, and by " ..
                   "what factor at least, the errors fall; the error at the finest step, and the largest floor " ..
                   "that the errors do not exclude.", s.name, 100 * level)
end

-- The largest of numbers first to last; a NaN among them wins.
local function worst(x, first, last, sign)
  local most = -huge
  for k = first, last do most = most == most and x[k] == x[k] and max(most, sign * x[k]) or 0 / 0 end
  return sign * most
end

local MEASURES = {{"feasibility.nodes_min", -1}, {"energy.largest_increase", 1}, {"energy.balance.largest_step", 1}, {"momentum.largest_drift", 1},
                  {"certificate.complementarity", 1}, {"certificate.stationarity_relative", 1}}
local COSTS = {"work.projector_iterations", "work.seconds"}

function make.summary(r, s)
  local t = sheet{"problem", "scheme", "cases", "failed", "least g", "energy rise", "energy beyond work", "momentum drift", "complementarity",
                  "stationarity", "iterations", "seconds"}
  local status, values = host.texts(r, "status"), {}
  for _, m in ipairs(MEASURES) do values[m[1]] = host.numbers(r, m[1]) end
  for _, path in ipairs(COSTS) do values[path] = host.numbers(r, path) end
  for pair = 0, #s.problems * #s.schemes - 1 do
    local first, last, failed = pair * s.sizes + 1, (pair + 1) * s.sizes, 0
    for k = first, last do failed = failed + (status[k] ~= "ok" and 1 or 0) end
    put(t, s.problems[pair // #s.schemes + 1])
    put(t, s.schemes[pair % #s.schemes + 1])
    put(t, format("%d", s.sizes))
    put(t, format("%d", failed))
    for _, m in ipairs(MEASURES) do put_number(t, "%.3e", worst(values[m[1]], first, last, m[2])) end
    for _, path in ipairs(COSTS) do
      local sum = 0.0
      for k = first, last do sum = sum + values[path][k] end
      put_number(t, "%.4g", sum)
    end
  end
  t.rows = #s.problems * #s.schemes
  return t, format("Sweep %s: the worst of every measure over its runs.", s.name)
end

-- What the methods of results share: their first value, one of kinds, and the keys beside it.
function host.kind(call, spec, kinds)
  if type(spec) ~= "table" then host.known(call, spec, {}) end
  for _, kind in ipairs(kinds) do
    if spec[1] == kind then return kind end
  end
  host.refuse(call, "[1]", spec[1], '"' .. concat(kinds, '", "') .. '"')
end

function host.known_beside(call, spec, keys)
  local named = {}
  for key, value in next, spec do
    if key ~= 1 then named[key] = value end
  end
  host.known(call, named, keys)
end

function host.level(call, spec)
  local level = host.read(call, spec, "level", "positive") or 0.95
  if level >= 1 then host.refuse(call, "level", level, "a number in (0, 1), such as 0.95") end
  return level
end

function host.result_methods.table(r, spec)
  local call = "r:table"
  local s = host.sweep(r)
  local kind = host.kind(call, spec, {"errors", "orders", "summary"})
  host.known_beside(call, spec, {"formats", "name", "caption", "norms", "level", "order"})
  host.complete(r, call)
  local t, caption = make[kind](r, s, spec)
  t.name = host.read(call, spec, "name", "text") or s.name .. "-" .. kind
  t.caption = host.mark(r, host.read(call, spec, "caption", "text") or caption)
  return write(call, t, spec, r)
end
