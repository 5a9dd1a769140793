-- ensemble.lua - the same run many times: seeds, moved data, refused starts, and who judges.
local lab = require "impactlab"

-- over seeds: the members are the runs of lab.run, in their order
local crowd = {problem = {"crowd", N = 6}, scheme = "venel", steps = 20, horizon = 1, norms = {"none"}}
local function with(t, more)
  local out = {}
  for k, v in pairs(t) do out[k] = v end
  for k, v in pairs(more) do out[k] = v end
  return out
end
local seeds = lab.ensemble(with(crowd, {runs = 4, vary = "seed", seed = 7, trajectory = true,
  of = function(run)
    local x = run.trajectory:q(1)
    return {x = x[#x], huge = math.huge, seed = run.seed, list = {1, 2, 3}, no = false}
  end}))
local same = true
for k = 1, 4 do
  local run = lab.run(with(crowd, {seed = 6 + k}))
  same = same and run.final.q[1] == seeds.of[k].x and run.final.q[1] == seeds.records[k].final.q[1] and
    seeds.of[k].seed == 6 + k and seeds.seeds[k] == 6 + k
end
lab.check(same, "members over seeds are the runs with those seeds")
lab.check(seeds.of[1].huge == math.huge and seeds.of[1].list[3] == 3 and seeds.of[1].no == false,
          "infinities and arrays cross")
lab.check(seeds.failed == 0 and seeds.refused == 0 and seeds.runs == 4, "none failed")

-- q' = a (q - 1) from 1: condition exp(aT) of the scheme's own map, rate log(1 + ah)/h
local function unstable(a, horizon)
  return lab.problem{name = "unstable", order = 1, horizon = horizon, q0 = {1},
                     force = function(_, q) return {a * (q[1] - 1)} end}
end
for _, a in ipairs{3, 4} do
  local h = 0.004
  local e = lab.ensemble{problem = unstable(a, 6), scheme = "venel", h = h, runs = 4}
  local rate = math.log(1 + a * h) / h
  lab.check(e.class ~= "robust", "what grows is not robust, even where last places round away")
  lab.check(math.abs(e.growth_rate / rate - 1) < 0.01, "its rate is found")
  local condition = math.exp(6 * rate)
  local measured = e.numbers["final.q"].condition -- s = 1; moved by 1/2 to 1 of E, force by as much
  lab.check(measured <= 1.1 * condition and measured >= 0.4 * condition, "and its condition")
end
-- x -> 4 x (1 - x): exponent log 2
local map = lab.problem{name = "map", order = 1, horizon = 200, q0 = {0.3},
                        force = function(_, q) return {3.999 * q[1] * (1 - q[1]) - q[1]} end}
local e = lab.ensemble{problem = map, scheme = "venel", steps = 120, h = 1, runs = 12}
lab.check(e.class == "chaotic" and e.numbers["final.q"].class == "chaotic", "a chaotic map")
lab.check(math.abs(e.growth_rate - math.log(2)) < 0.15, "its exponent, over thirty turns")
lab.check(e.time_digits_lost > 30 and e.time_digits_lost < 80, "50 bits go in some 50 turns")

-- starts that are refused: rows would pull them too far
local function picky(all)
  return lab.problem{name = "picky", order = 1, horizon = 1, q0 = {1},
                     constraints = function(_, q)
                       local fine = q[1] == 1 or (not all and q[1] > 1)
                       return {{g = q[1] - (fine and 0 or 2), grad = {1}}} -- it jumps
                     end}
end
local half = lab.ensemble{problem = picky(false), scheme = "venel", steps = 2, runs = 12}
lab.check(half.refused > 0 and half.refused < 12 and half.reason:find("starts are refused") ~= nil,
          "some are refused, and counted")
local ok, why = pcall(lab.ensemble, {problem = picky(true), scheme = "venel", steps = 2, runs = 5})
lab.check(not ok and why:find("all 5 starts") ~= nil, "all are refused: one message")

-- bad input
for _, bad in ipairs{{runs = 1}, {runs = 2.5}, {}, {runs = 3, perturb = 0}, {runs = 3, perturb = -1},
                     {runs = 3, perturb = 0 / 0}, {runs = 3, vary = "seed"}, {runs = 3, of = 1}} do
  ok, why = pcall(lab.ensemble, with({problem = "two_spheres", scheme = "maury", steps = 4}, bad))
  lab.check(not ok and why:find("lab.ensemble") ~= nil, "refused: " .. tostring(why))
end
ok, why = pcall(lab.ensemble, with(crowd, {runs = 2, vary = "seed", of = function() return print end}))
lab.check(not ok and why:find("cannot cross") ~= nil, "functions do not cross")
ok, why = pcall(lab.ensemble, with(crowd, {runs = 2, vary = "seed", of = function() error("mine") end}))
lab.check(not ok and why:find("mine") ~= nil, "errors do")

-- who judges
local r = lab.sweep{name = "maps", problem = map, scheme = "venel", hs = {1, 0.999, 0.998, 0.997},
                    horizon = 120, reference = "none", ensemble = 3, norms = {"none"}}:run()
lab.check(r:order{norm = "q_Linf"}.verdict == "INCONCLUSIVE", "an order of a chaotic number")
lab.check(r:order{norm = "q_Linf"}.reason:find("^chaotic") ~= nil, "and why")
r = lab.sweep{name = "spheres", problem = "two_spheres", scheme = "maury", ensemble = 2,
              steps = lab.levels{from = 128, count = 8, jitter = 32}, reference = "exact", norms = {"none"}}:run()
lab.check(r:order{norm = "u_L1"}.verdict == "PASS", "one of a robust number")

-- who says so: captions
lab.figure{name = "marked", caption = "A map.", ensemble = e,
           series = {{x = {1, 2}, y = {1, 2}}}}
r:table{"errors", name = "robust-errors"}

-- Maury's example: between two steps of one octave q jumps somewhere; bisection keeps the half that
-- jumps farther. A run there is no better than a coin, one beside it keeps its digits.
local function at(c)
  return {problem = "nonuniqueness", scheme = "maury", h = c * 2.0^-9, norms = {"none"}}
end
local function q(c) return lab.run(at(c)).final.q[1] end
local low, high = 1.8, 1.9
local qlow, qhigh = q(low), q(high)
while true do
  local c = (low + high) / 2
  if c <= low or c >= high then break end
  local qc = q(c)
  if math.abs(qc - qlow) > math.abs(qhigh - qc) then high, qhigh = c, qc else low, qlow = c, qc end
end
lab.check(math.abs(qhigh - qlow) > 1e-10, "neighbouring steps, a million last places apart")
e = lab.ensemble(with(at(low), {runs = 20}))
lab.check(e.class ~= "robust" and e.number ~= nil, "a border: " .. e.reason)
lab.check(e.digits_left < 6 and e.digits[2].t ~= nil, "most digits go, and when")
e = lab.ensemble(with(at(1.0), {runs = 20}))
lab.check(e.class == "robust" and e.time_digits_lost == nil, "solution A or B keeps its digits")
