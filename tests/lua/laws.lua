-- lab.law and r:law: what they say of a law that is known, and what they refuse.
local lab = require "impactlab"

local golden = (math.sqrt(5) - 1) / 2
local steps, h, error_ = {}, {}, {}
for k = 1, 233 do
  steps[k], h[k] = 500 + k, 1 / (500 + k)
  error_[k] = (500 + k) * golden % 1 * h[k] -- c is the phase itself
end
local function uniform(c) return math.max(0, math.min(c, 1)) end

local law = lab.law{h = h, error = error_, events = {golden}, law = uniform}
lab.check(law.n == 233 and law.order == 1 and #law.c == 233 and #law.quantiles == 5, "all fields are there")
lab.check(math.abs(law.mean - 0.5) <= law.discrepancy and law.verdict == "agrees", "a uniform law")
lab.check(lab.law{h = h, error = error_, events = {golden},
                  law = function(c) return uniform(c - 0.05) end}.verdict == "differs", "moved by a twentieth it is another")
-- Errors that do not fall have a law too, of order 0.
local still = {}
for k = 1, 233 do still[k] = error_[k] / h[k] end
local none = lab.law{h = h, error = still, order = 0, events = {golden}, law = uniform}
lab.check(none.order == 0 and none.mean == law.mean and none.verdict == "agrees", "a law of order 0")
local few = {{}, {}}
for k = 1, 55 do few[1][k], few[2][k] = h[k], error_[k] end
local open = lab.law{h = few[1], error = few[2], events = {golden}, law = uniform}
lab.check(open.verdict == "undecided" and open.reason:find("below 1/(80 humps) = 0.00625", 1, true), "55 phases cannot tell")
lab.check(law.allowed == 4 * law.discrepancy and law.reason == nil, "two humps unless the script says another number")
local humps = lab.law{h = h, error = error_, events = {golden}, law = uniform, humps = 5}
lab.check(humps.allowed == 10 * law.discrepancy and humps.verdict == "undecided", "five are allowed more")
local two = lab.law{h = h, error = error_, events = {golden, math.sqrt(2) - 1}, law = uniform}
lab.check(two.verdict == "undecided" and two.allowed == nil and two.distance == law.distance and
            two.reason:find("2 events: their phases fill no square", 1, true), "of two events no verdict")
lab.check(lab.law{h = h, error = error_}.verdict == nil, "without a law no verdict")

local r = lab.sweep{problem = {"cradle", N = 1, gap = golden, speed = 1}, schemes = {"maury", "moreau_jean"}, steps = steps,
                    horizon = 1, reference = "exact"}:run()
local hat = r:law{scheme = "moreau_jean", norm = "u_L1", law = function(c) return uniform(2 * math.sqrt(2) * c) end}
lab.check(hat.verdict == "agrees" and hat.widest_gap <= 2 / 233, "the event is the exact solution's")
lab.check(r:law{scheme = "maury", norm = "u_L1"}.mean > hat.mean, "maury's mean is larger")

local function refused(words, f, ...)
  local ok, message = pcall(f, ...)
  lab.check(not ok and tostring(message):find(words, 1, true) ~= nil, tostring(message))
end
refused("the event at t = 0.5 is locked to the steps", lab.law, {h = h, error = error_, events = {0.5}})
for _, other in ipairs{2 * golden, 3 * golden, (1 + golden) / 2} do
  refused("are locked to each other", lab.law, {h = h, error = error_, events = {golden, other}})
end
refused("humps is 0; allowed: an integer >= 1", lab.law, {h = h, error = error_, events = {golden}, law = uniform, humps = 0})
refused("#error is 1; allowed: 233", lab.law, {h = h, error = {1}})
refused("scheme is 'paoli'; allowed", r.law, r, {scheme = "paoli", norm = "u_L1"})

-- lab.worst: the largest 2 theta (1 - theta)/sqrt 2 and (1 + e) min(theta, 1 - theta)/sqrt 2 are known.
local function row(x) return {"cradle", N = 1, gap = x[1], speed = 1, e = x[2] or 0} end
local worst = lab.worst{problem = row, over = {{0.3, 0.7}}, scheme = "maury", steps = 64, horizon = 1}
lab.check(math.abs(worst.c - 0.5 / math.sqrt(2)) <= 1e-9, worst.text)
local square = lab.worst{problem = row, over = {{0.3, 0.7}}, scheme = "maury", steps = 64, order = 2, horizon = 1}
lab.check(math.abs(square.c - 64 * worst.c) <= 64e-9 and square.text:find(" h^2 with 64 steps", 1, true) ~= nil, square.text)
for _ = 1, 2 do -- by stored cases, and once more: all is found
  local kept = lab.worst{problem = row, over = {{0.3, 0.7}}, scheme = "maury", steps = 64, horizon = 1, name = "kept"}
  lab.check(kept.text == worst.text and kept.points == worst.points, "the search is the same with its points stored")
end
local second = lab.worst{problem = row, over = {{0.3, 0.7}}, scheme = "maury", steps = 64, order = 2, horizon = 1}
lab.check(math.abs(second.c - 64 * worst.c) <= 1e-6, "errors are divided by h^order")
local elastic = lab.worst{problem = row, over = {{0.3, 0.7}, {0, 1}}, scheme = "moreau_jean", steps = {64, 81}, horizon = 1}
lab.check(math.abs(elastic.c - 1 / math.sqrt(2)) <= 1e-6 and elastic.points == 400 and elastic.failed == 0, elastic.text)
local again = lab.run{problem = row(elastic.x), scheme = "moreau_jean", steps = elastic.steps, horizon = 1, norms = {"none"}}
lab.check(again.error.u_L1 / again.h == elastic.c, "the witness runs again, to the bit")
local function search(t)
  return {problem = t.problem or row, over = t.over or {{0.3, 0.7}}, scheme = t.scheme or "maury", steps = t.steps or 8, budget = 5}
end
refused("#over is 0; allowed: 1 to 40 ranges", lab.worst, search{over = {}})
refused("over[1] is '{1.0, 1.0}'; allowed: {low, high}", lab.worst, search{over = {{1, 1}}})
local many = search{}
many.starts = 10001
