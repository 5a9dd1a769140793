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
local few = {{}, {}}
for k = 1, 55 do few[1][k], few[2][k] = h[k], error_[k] end
lab.check(lab.law{h = few[1], error = few[2], events = {golden}, law = uniform}.verdict == "undecided",
          "55 phases cannot tell")
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
refused("1 step sizes; allowed: 50 or more", lab.law, {h = {1}, error = {1}})
refused("#error is 1; allowed: 233", lab.law, {h = h, error = {1}})
refused("the event at t = 0.5 is locked to the steps", lab.law, {h = h, error = error_, events = {0.5}})
refused("is 7; allowed: a share", lab.law, {h = h, error = error_, events = {golden}, law = function() return 7 end})
refused("a function(c)", lab.law, {h = h, error = error_, events = {golden}, law = 7})
refused("events is missing", lab.law, {h = h, error = error_, law = uniform})
refused("did you mean 'events'", lab.law, {h = h, error = error_, evens = {1}})
refused("order is -1", lab.law, {h = h, error = error_, order = -1})
refused("scheme is 'paoli'; allowed", r.law, r, {scheme = "paoli", norm = "u_L1"})
