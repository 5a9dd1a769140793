-- problem.lua - lab.problem: what a script declares of a problem, checked.
--
--   lab.problem{name =, order = 2, dimension =, horizon =, q0 = {...}, u0 = {...}, mass =, restitution = 0,
--               force = function(t, q) ... end or {...}, force_mean = function(t0, t1, q) ... end,
--               force_breaks = {...}, constraints = function(t, q) return {ROW, ...} end or {ROW, ...},
--               exact = function(t, side) return q, u end, exact_breaks = {...}, version =}
--   ROW: {g =, grad = {...}, dt =}
--
-- mass is a number, d numbers or d arrays of d numbers. A vector is an array of d numbers; for d = 1 a
-- function may return the number itself. The functions must depend on their arguments alone. A force that is
-- numbers is constant; constraints that are numbers are affine, g_i(t,q) = g + dt t + <grad, q>. force_breaks
-- are times at which force may jump: the quadrature of its mean over a step splits there, and would lose
-- digits or fail otherwise. exact is told the side (-1 or 1) from which the limit is wanted at 0, the horizon
-- and exact_breaks, and 0 elsewhere.
local lab, host = ...
local call = "lab.problem"
local known, read, refuse, miss = host.known, host.read, host.refuse, host.miss
local type, next, ipairs, rawget, rawlen, is_integer = type, next, ipairs, rawget, rawlen, math.type

local keys = {"name", "order", "dimension", "horizon", "q0", "u0", "mass", "force", "force_mean", "force_breaks",
              "constraints", "exact", "exact_breaks", "restitution", "version"}

local function count(d) return d == 1 and "1 number" or d .. " numbers" end

-- A value, which messages call `what`, as an array of finite numbers, d of them.
local function vector(what, value, d, allowed)
  local x = read(call, {[what] = value}, what, "finite")
  if #x ~= d then refuse(call, what, value, allowed or count(d)) end
  return x
end

local function read_name(t)
  local name = read(call, t, "name", "text") or "scripted"
  if host.has_problem(name) then refuse(call, "name", name, "a name that no built-in problem has") end
  return name
end

local function read_state(t, p)
  p.q0 = read(call, t, "q0", "finite") or {}
  local d = #p.q0
  if d == 0 then miss(call, t, "q0", "an array of numbers") end
  if (read(call, t, "dimension", "count", 1) or d) ~= d then
    refuse(call, "dimension", t.dimension, "as many as q0 has numbers")
  end
  local u0 = rawget(t, "u0")
  p.u0 = u0 and read(call, t, "u0", "finite")
  if u0 and #p.u0 ~= d then refuse(call, "u0", u0, ("%s, not %d"):format(count(d), #p.u0)) end
  if u0 and p.order == 1 then refuse(call, "u0", u0, "nothing at order 1, whose steps make the velocity") end
  return d
end

-- Into p.mass, and whether it is a full matrix. harness/base/metric.h says which are allowed.
local function read_mass(t, p, d)
  local mass = rawget(t, "mass")
  if mass == nil or type(mass) == "number" then
    p.mass = {}
    for k = 1, d do p.mass[k] = mass or 1 end
    return
  end
  if type(mass) ~= "table" or rawlen(mass) ~= d then
    refuse(call, "mass", mass, "a number, an array of d numbers, or d arrays of d numbers")
  end
  p.dense = type(rawget(mass, 1)) == "table"
  if not p.dense then
    p.mass = vector("mass", mass, d)
    return
  end
  p.mass = {}
  for i = 1, d do
    local what = ("mass[%d]"):format(i)
    for _, x in ipairs(vector(what, rawget(mass, i), d, "an array of as many numbers as q0 has")) do
      p.mass[#p.mass + 1] = x
    end
  end
end

local function read_restitution(t, p)
  local e = read(call, t, "restitution", "number") or 0
  if e < 0 or e > 1 then refuse(call, "restitution", e, "a number in [0, 1]") end
  if e > 0 and p.order == 1 then
    refuse(call, "restitution", e, "0 at order 1, where nothing has a velocity to keep")
  end
  p.restitution = e
end

-- An affine constraint, appended as g, dt, grad.
local function read_row(what, row, d, list)
  local at = call .. " " .. what
  known(at, row, {"g", "grad", "dt"})
  list[#list + 1] = read(at, row, "g", "number") or miss(at, row, "g", "the value at t = 0 and q = 0")
  list[#list + 1] = read(at, row, "dt", "number") or 0
  local grad, vanishes = rawget(row, "grad"), true
  if grad == nil then miss(at, row, "grad", "an array of as many numbers as q0 has") end
  for _, x in ipairs(vector(what .. ".grad", grad, d)) do
    list[#list + 1], vanishes = x, vanishes and x == 0
  end
  if vanishes then refuse(call, what .. ".grad", grad, "a gradient that does not vanish") end
end

local function read_rows(rows, d)
  local named, list = {}, {}
  for key, value in next, rows do
    if is_integer(key) ~= "integer" or key < 1 or key > rawlen(rows) then named[key] = value end
  end
  if named.g then refuse(call, "constraints", rows, "an array of rows, {{g =, grad = {...}, dt =}, ...}") end
  known(call .. " constraints", named, {"1, 2, ..."})
  for i = 1, rawlen(rows) do read_row(("constraints[%d]"):format(i), rawget(rows, i), d, list) end
  return list
end

local function read_functions(t, p, d)
  local allowed = {force = "a function, or as many numbers as q0 has",
                   constraints = "a function, or an array of {g =, grad = {...}, dt =}"}
  for _, key in ipairs{"force", "force_mean", "constraints", "exact"} do
    local value = rawget(t, key)
    local kind = type(value)
    if kind == "function" or value == nil then
      p[key] = value
    elseif key == "force" and (kind == "table" or kind == "number") then
      p.constant = vector("force", value, d)
    elseif key == "constraints" and kind == "table" then
      p.affine = read_rows(value, d)
    else
      refuse(call, key, value, allowed[key] or "a function")
    end
  end
  if p.force_mean and p.order == 1 then
    refuse(call, "force_mean", p.force_mean, "force alone for order 1: it is the drift")
  elseif p.force_mean and p.constant then
    refuse(call, "force_mean", p.force_mean, "force alone where it is numbers: they are its mean")
  end
end

function lab.problem(t)
  known(call, t, keys)
  local p = {name = read_name(t), order = read(call, t, "order", "count", 1) or 2}
  if p.order > 2 then refuse(call, "order", p.order, "1 (sweeping process) or 2 (contact dynamics)") end
  local d = read_state(t, p)
  p.horizon = read(call, t, "horizon", "positive") or miss(call, t, "horizon", "a number > 0")
  read_mass(t, p, d)
  read_restitution(t, p)
  read_functions(t, p, d)
  p.exact_breaks = read(call, t, "exact_breaks", "times")
  p.force_breaks = read(call, t, "force_breaks", "times")
  if p.force_breaks and not p.force then
    refuse(call, "force_breaks", t.force_breaks, "it beside force, whose mean is computed by quadrature")
  end
  return host.problem(p, t)
end
