-- sweep.lua - lab.sweep: problems x schemes x sizes, and further axes, declared.
--
--   lab.sweep{problem = | problems = {...}, scheme = | schemes = {...}, steps = {...} | hs = {...},
--             projectors = {...}, tols = {...}, seeds = {...}, ensemble =, name =,
--             reference = "exact" | "event_driven" | "none" | {"self", steps =, scheme =} | {file =} |
--                         {of =, breaks =, name =, version =},
--             and what lab.run takes beside trajectory}
--
-- Everything is checked before anything runs: here the axes, in harness/lua/sweep/sweep.c names, parameters,
-- whether each scheme means something on each problem, whether the exact solution that is asked for exists.
-- Without reference the errors are those against the exact solution where one is known, and absent elsewhere.
local _, host = ...
local call = "lab.sweep"
local known, read, refuse, miss = host.known, host.read, host.refuse, host.miss
local next, type, ipairs, rawget, rawlen, floor = next, type, ipairs, rawget, rawlen, math.floor
local getmetatable, find = getmetatable, string.find

local keys = {"problem", "problems", "scheme", "schemes", "steps", "hs", "projectors", "tols", "seeds", "reference",
              "name", "ensemble"}
for _, key in ipairs(host.sweep_options()) do keys[#keys + 1] = key end

-- Which of two keys is given: what a sweep has one of is `one`, several are `many`.
local function either(t, one, many)
  local single, several = rawget(t, one), rawget(t, many)
  if several == nil and single == nil then miss(call, t, one, "one, or its plural an array") end
  if several ~= nil and single ~= nil then refuse(call, one, single, "nothing where its plural is given") end
  return several ~= nil and many or one
end

-- Numbers of an axis, each once, nil for none: a second run of the same would count twice in every fit.
local function axis(t, key, fits, allowed)
  local x, at = read(call, t, key, "finite"), {}
  for k, value in ipairs(x or {}) do
    local what = key .. "[" .. k .. "]"
    if not fits(value) then refuse(call, what, value, allowed) end
    if at[value] then refuse(call, what, value, "each once; it is number " .. at[value] .. " already") end
    at[value] = k
  end
  return x and x[1] and x
end

local function is_positive(x) return x > 0 end
local function is_count(x) return x >= 1 and x == floor(x) and x < 2 ^ 53 end
local function is_seed(x) return x >= 0 and x == floor(x) and x < 2 ^ 53 end

-- steps = {counts}, or hs = {step sizes}; lab.phases, which are step sizes, as either.
local function read_sizes(t, p)
  local key = rawget(t, "steps") ~= nil and "steps" or "hs"
  local sizes = rawget(t, key)
  local phases = type(sizes) == "table" and getmetatable(sizes) == host.phases
  if key == "steps" and rawget(t, "hs") ~= nil then refuse(call, "hs", t.hs, "nothing beside steps") end
  if key == "steps" and not phases then
    p.steps = axis(t, "steps", is_count, "an integer >= 1")
  else
    p.hs = axis(t, key, is_positive, "a number > 0")
  end
  if #(p.steps or p.hs or {}) == 0 then
    miss(call, t, "steps", "an array of step counts, or instead of it hs, of step sizes")
  end
  if phases and #sizes.c == #sizes and #sizes.m == #sizes then -- a script may have cut it
    p.phase_c, p.phase_m = sizes.c, sizes.m
  end
end

local function read_axes(t, p)
  local projectors = read(call, t, "projectors", "texts")
  p.projectors = projectors and projectors[1] and projectors
  p.tols = axis(t, "tols", is_positive, "a number > 0")
  p.seeds = axis(t, "seeds", is_seed, "an integer >= 0")
  for one, many in next, {projector = "projectors", tol = "tols", seed = "seeds"} do
    if p[many] and rawget(t, one) ~= nil then refuse(call, one, t[one], "nothing beside " .. many) end
  end
end

local WORDS = {exact = true, event_driven = true, none = true}

-- Into p.reference: a word, "self", "own"; nil without one.
local function read_reference(t, p)
  local reference = rawget(t, "reference")
  if reference == nil or WORDS[reference] then
    p.reference = reference
  elseif type(reference) == "table" and rawlen(reference) == 0 then
    p.reference = "own"
  elseif type(reference) == "table" then
    local at = call .. " reference"
    host.known_beside(at, reference, {"steps", "scheme"})
    if reference[1] ~= "self" then refuse(call, "reference.[1]", reference[1], '"self"') end
    p.reference_steps = read(at, reference, "steps", "count", 1) or
                        miss(at, reference, "steps", "the number of steps of the reference")
    p.reference = "self"
  else
    refuse(call, "reference", reference, '"exact", "event_driven", "none", {"self", steps = N, scheme = "name"}, ' ..
                                         '{file = "x.csv"}, {of = function}')
  end
end

-- A sweep of what t says; lab.sweep (levels.lua) calls it. quiet: what it found and ran is not told; lenient: nor
-- what failed, which is no failure of the script.
function host.new_sweep(t, quiet, lenient)
  known(call, t, keys)
  local p = {problem = either(t, "problem", "problems"), scheme = either(t, "scheme", "schemes"),
             quiet = quiet, lenient = lenient, ensemble = read(call, t, "ensemble", "count", 2),
             name = read(call, t, "name", "text")}
  if p.problem == "problems" and (type(t.problems) ~= "table" or rawlen(t.problems) == 0) then
    refuse(call, "problems", t.problems, "an array of problems, one at least")
  end
  if p.name and not find(p.name, "^[A-Za-z0-9_][A-Za-z0-9._-]*$") then
    refuse(call, "name", p.name, "letters, digits and ._-, a letter, digit or _ first")
  end
  read_sizes(t, p)
  read_axes(t, p)
  read_reference(t, p)
  return host.declare_sweep(t, p)
end
