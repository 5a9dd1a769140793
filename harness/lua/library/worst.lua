-- worst.lua - the data with the largest error that a search finds:
--
--   lab.worst{problem = function(x) ... end, over = {{low, high}, ...}, scheme =, steps = N or {...},
--             norm = "u_L1", order = 1, horizon =, starts = 16, budget = 400, name =}
--       -> {c =, x = {...}, steps =, points =, failed =, norm =, text =}
--
-- c(x) = the largest error/h^p over the numbers of steps. host.search makes -c small over the unit cube; x is
-- folded back into its box. Nothing is drawn: the same call finds the same. With a name every point is a
-- sweep whose cases are stored: an interrupted search goes on where it was.
local lab, host = ...
local known, read, refuse = host.known, host.read, host.refuse
local type, ipairs, fmod, abs, floor = type, ipairs, math.fmod, math.abs, math.floor
local raise, concat, run = error, table.concat, lab.run

local CALL = "lab.worst"
local NAN = 0 / 0
local DIMENSIONS_MAX, STARTS_MAX = 40, 10000 -- of Sobol's sequences; of points

-- z, anywhere, folded into the unit interval: 0 to 1 and back.
local function fold(z)
  local y = abs(fmod(z, 2))
  return y <= 1 and y or 2 - y
end

local function read_box(spec)
  local box, n = {}, read(CALL, spec, "over", "length")
  if not n then host.miss(CALL, spec, "over", "an array of ranges: {{low, high}, ...}") end
  if n == 0 or n > DIMENSIONS_MAX then refuse(CALL, "#over", n, "1 to 40 ranges") end
  for k = 1, n do
    local what = ("over[%d]"):format(k)
    local range = read(CALL, {[what] = spec.over[k]}, what, "finite") or {}
    if #range ~= 2 or not (range[1] < range[2]) then
      local given = #range == 2 and ("{%s, %s}"):format(range[1], range[2]) or spec.over[k]
      refuse(CALL, what, given, "{low, high}, low below high")
    end
    box[k] = range
  end
  return box
end

local function read_steps(spec)
  local steps = read(CALL, spec, "steps", "finite") or {}
  if #steps == 0 then host.miss(CALL, spec, "steps", "a number of steps, or an array of such") end
  for k, n in ipairs(steps) do
    if not (n >= 1 and n <= 1e9 and n == floor(n)) then refuse(CALL, "steps", n, "integers in [1, 1e9]") end
    steps[k] = floor(n)
  end
  return steps
end

-- The records of a point, one a number of steps.
local function records(s, problem)
  if not s.name then
    local list = {}
    for k, steps in ipairs(s.steps) do
      list[k] = run{problem = problem, scheme = s.scheme, horizon = s.horizon, steps = steps, norms = {"none"}}
    end
    return list
  end
  s.points = s.points + 1
  local sweep = host.new_sweep({name = ("%s-%d"):format(s.name, s.points), problem = problem, schemes = {s.scheme},
                                steps = s.steps, horizon = s.horizon, reference = "exact", norms = {"none"}}, true)
  return sweep:run():records()
end

-- error/h^p of a record, NaN where the run failed.
local function constant(s, r)
  local e = type(r.error) == "table" and r.error[s.norm]
  return type(e) == "number" and e / host.pow(r.h, s.order) or NAN
end

-- -c at z, kept if it is the largest; NaN where no run ends well.
local function look(s, z)
  local x, worst = {}, NAN
  for k, range in ipairs(s.box) do x[k] = range[1] + (range[2] - range[1]) * fold(z[k]) end
  for _, r in ipairs(records(s, s.problem(x))) do
    local c, steps = constant(s, r), r.steps
    if c ~= c then s.failed = s.failed + 1 end
    if c > worst or worst ~= worst then worst = c end
    if c > s.value or s.value ~= s.value and c == c then s.value, s.at, s.x = c, steps, x end
  end
  return -worst
end

function lab.worst(spec)
  known(CALL, spec, {"problem", "over", "scheme", "steps", "norm", "order", "horizon", "starts", "budget", "name"})
  local s = {box = read_box(spec), steps = read_steps(spec), scheme = spec.scheme, horizon = spec.horizon,
             problem = spec.problem, value = NAN, failed = 0, points = 0}
  s.name = read(CALL, spec, "name", "text")
  s.norm = read(CALL, spec, "norm", "choice", "u_L1|q_Linf|final_q|final_u") or "u_L1"
  s.order = read(CALL, spec, "order", "positive") or 1.0
  local budget, starts = read(CALL, spec, "budget", "count", 1) or 400, read(CALL, spec, "starts", "count", 1) or 16
  if starts > STARTS_MAX then refuse(CALL, "starts", starts, "an integer in [1, 10000]") end
  if type(s.problem) ~= "function" then
    refuse(CALL, "problem", s.problem, "a function(x) that returns a problem, as lab.run takes it")
  end
  local points = host.search(#s.box, starts, budget, function(z) return look(s, z) end)
  if s.value ~= s.value then
    raise(("lab.worst: no run at any of %d points has an error: all failed, or the problem has no exact solution")
      :format(points), 2)
  end
  local digits = {}
  for k, x in ipairs(s.x) do digits[k] = ("%.17g"):format(x) end
  local text = ("largest found at %d points: %s = %.17g h^%.6g with %d steps, x = %s")
    :format(points, s.norm, s.value, s.order, s.at, concat(digits, ", "))
  return {c = s.value, x = s.x, steps = s.at, points = points, failed = s.failed, norm = s.norm, text = text}
end
