-- exact.lua - what is known of a problem without running it.
--
--   lab.set{problem =, horizon =}     its feasible set as geometry (harness/lua/set.c has the methods)
--   lab.exact{problem =, name = "A", points = 400, horizon =}
--       -> {name =, origin =, breaks = {...}, t = {...}, q = {{...}, ...}, u = {{...}, ...}}
--   lab.force{problem =, t = {...}, q = {...}, horizon =} -> {{...}, ...}
--   lab.bodies{problem =, t = 0, horizon =} -> {space =, n =, radii = {...}, masses = {...}, q = {...}, u = {...},
--       walls = {{name =, normal = {...}, offset =}, ...}}
--
-- q[i], u[i] and force[i] are coordinate i along t. Every break of an exact solution stands twice in t, with
-- the limits from both sides, so that a line through the points jumps where the solution does.
local lab, host = ...
local known, read, refuse = host.known, host.read, host.refuse
local ipairs, floor, concat = ipairs, math.floor, table.concat

function lab.set(spec)
  known("lab.set", spec, {"problem", "horizon"})
  return host.set("lab.set", spec)
end

-- Which of the known solutions is asked for: the first unless it is named.
local function choose(call, spec, solutions)
  local name, names = read(call, spec, "name", "text"), {}
  for k, solution in ipairs(solutions) do
    if not name or solution.name == name then return k end
    names[k] = solution.name
  end
  return #names > 0 and refuse(call, "name", name, concat(names, ", ")) or nil
end

local function columns(d)
  local list = {}
  for i = 1, d do list[i] = {} end
  return list
end

-- Points between the breaks, to each piece its share by length.
local function sample(Q, k, breaks, points)
  local d = Q:info().dimension
  local c = {t = {}, q = columns(d), u = columns(d)}
  local function add(t, side)
    local q, u = host.evaluate(Q, k, t, side)
    local n = #c.t + 1
    c.t[n] = t
    for i = 1, d do c.q[i][n], c.u[i][n] = q[i], u[i] end
  end
  for i = 1, #breaks - 1 do
    local a, b = breaks[i], breaks[i + 1]
    local n = floor((b - a) / breaks[#breaks] * points)
    add(a, 1)
    for j = 1, n do add(a + (b - a) * j / (n + 1), 0) end
    add(b, -1)
  end
  return c
end

function lab.exact(spec)
  local call = "lab.exact"
  known(call, spec, {"problem", "name", "points", "horizon"})
  local Q = host.set(call, spec)
  local solutions, why = host.solutions(Q)
  local k, points = choose(call, spec, solutions), read(call, spec, "points", "count", 1) or 400
  if not k then return nil, why end
  local found = sample(Q, k, solutions[k].breaks, points)
  found.name, found.origin, found.breaks = solutions[k].name, solutions[k].origin, solutions[k].breaks
  return found
end

function lab.force(spec)
  local call = "lab.force"
  known(call, spec, {"problem", "t", "q", "horizon"})
  local Q = host.set(call, spec)
  local info = Q:info()
  local t, q = read(call, spec, "t", "finite"), read(call, spec, "q", "finite")
  if not t then host.miss(call, spec, "t", "an array of times") end
  if q and #q ~= info.dimension then refuse(call, "q", spec.q, ("%d numbers"):format(info.dimension)) end
  local force = columns(info.dimension)
  for k, time in ipairs(t) do
    for i, f in ipairs(host.force(Q, time, q or info.q0)) do force[i][k] = f end
  end
  return force
end

function lab.bodies(spec)
  known("lab.bodies", spec, {"problem", "t", "horizon"})
  return host.bodies(host.set("lab.bodies", spec), read("lab.bodies", spec, "t", "number") or 0)
end
