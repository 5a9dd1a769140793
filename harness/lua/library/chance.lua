-- chance.lua - what many runs say about all of them (harness/study/ensemble/chance.h has the statistics).
--
--   lab.share{values = {true, false, ...} | hits =, runs =, level = 0.95}
--       -> {share =, low =, high =, hits =, n =, level =}
--   lab.median{values = {...}, level = 0.95}
--   lab.quantile{values = {...}, p = 0.5, level = 0.95}
--       -> {value =, low =, high =, coverage =, endless =, n =, p =, level =}
--   lab.band{members = {{...}, ...}, from = 0.1, to = 0.9}
--       -> {median = {...}, low = {...}, high = {...}, n =, from =, to =}
--
-- math.huge stands for what did not end.
local lab, host = ...
local known, read, refuse = host.known, host.read, host.refuse
local type, ipairs = type, ipairs

-- How many values, and how many of them are true.
local function count_true(values)
  if type(values) ~= "table" then refuse("lab.share", "values", values, "an array of true and false") end
  local hits = 0
  for k, value in ipairs(values) do
    if type(value) ~= "boolean" then refuse("lab.share", ("values[%d]"):format(k), value, "true, false") end
    hits = hits + (value and 1 or 0)
  end
  return hits, #values
end

function lab.share(spec)
  local call, hits, runs = "lab.share", 0, 0
  known(call, spec, {"values", "hits", "runs", "level"})
  if spec.values ~= nil then
    hits, runs = count_true(spec.values)
  else
    hits, runs = read(call, spec, "hits", "count", 0) or 0, read(call, spec, "runs", "count", 1) or 0
  end
  return host.share(call, hits, runs, read(call, spec, "level", "share") or 0.95)
end

local function quantile(call, spec, p)
  local values = read(call, spec, "values", "numbers")
  if not values then
    host.miss(call, spec, "values", "an array of numbers, math.huge for what did not end")
  end
  return host.quantile(call, values, p, read(call, spec, "level", "share") or 0.95)
end

function lab.median(spec)
  known("lab.median", spec, {"values", "level"})
  return quantile("lab.median", spec, 0.5)
end

function lab.quantile(spec)
  known("lab.quantile", spec, {"values", "p", "level"})
  return quantile("lab.quantile", spec, read("lab.quantile", spec, "p", "share") or 0.5)
end

-- The numbers of all members at each place.
local function read_columns(members)
  local call, columns = "lab.band", nil
  if type(members) ~= "table" or #members == 0 then
    refuse(call, "members", members, "an array of arrays of numbers, one a run")
  end
  for k, member in ipairs(members) do
    local what = ("members[%d]"):format(k)
    local row = read(call, {[what] = member}, what, "numbers")
    if not columns then
      columns = {}
      for j = 1, #row do columns[j] = {} end
    elseif #row ~= #columns then
      refuse(call, what, member, ("as many numbers as the first has: %d, not %d"):format(#columns, #row))
    end
    for j, x in ipairs(row) do columns[j][k] = x end
  end
  return columns
end

function lab.band(spec)
  local call = "lab.band"
  known(call, spec, {"members", "from", "to"})
  local from, to = read(call, spec, "from", "share") or 0.1, read(call, spec, "to", "share") or 0.9
  if not (from < to) then refuse(call, "to", to, "a number above from") end
  local band = {median = {}, low = {}, high = {}, from = from, to = to}
  for j, column in ipairs(read_columns(spec.members)) do
    band.median[j] = host.quantile(call, column, 0.5, 0.5).value
    band.low[j] = host.quantile(call, column, from, 0.5).value
    band.high[j] = host.quantile(call, column, to, 0.5).value
  end
  band.n = #spec.members
  return band
end
