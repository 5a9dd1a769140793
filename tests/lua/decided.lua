-- Sweeps that take as many step counts as their verdicts need, and find them again.
local lab = require "impactlab"

local function study(budget)
  return lab.sweep{name = "decided", problem = "bouncing_ball", schemes = {"maury", "paoli"}, reference = "exact",
    steps = lab.levels{from = 64, count = 2, jitter = 3, until_decided = budget}}:run()
end

-- Two octaves of three decide nothing; more step counts, and an octave more, do.
local r = study{runs = 2000}
local o = r:order{scheme = "maury", norm = "u_L1"}
lab.check(o.verdict == "PASS" and o.rounds > 1 and o.runs > 6, tostring(o))
local again = study{runs = 2000}
lab.check(again.ran == 0 and again.cases == r.cases, "the same rounds, all of them stored")

-- The budget ends it, in runs or in what the records say of their time.
local poor = study{runs = 12}
lab.check(poor.cases == 12 and poor:order{scheme = "maury", norm = "u_L1"}.rounds == 1, "no more than the budget")
lab.check(study{seconds = 1e-9}.cases == 12, "in seconds, too")

-- The levels are shared by all looks: one of six has a wider interval than one alone.
local h, e = {}, {}
for _, run in ipairs(r:records()) do
  if run.scheme == "maury" then h[#h + 1], e[#e + 1] = run.h, run.error.u_L1 end
end
local alone, shared = lab.order{h = h, error = e}, lab.order{h = h, error = e, rounds = 6}
lab.check(shared.low < alone.low and shared.low == o.low, "Bonferroni")

local function refused(pattern, budget)
  local fine, why = pcall(lab.levels, {from = 64, until_decided = budget})
  lab.check(not fine and tostring(why):find(pattern), tostring(why))
end
refused("until_decided is 3; allowed: a table", 3)
refused("until_decided is without a budget", {norms = {"u_L1"}})
refused("until_decided.runs is %-1; allowed: a number > 0", {runs = -1})
refused("unknown key 'until_decided.time'; known: runs", {time = 1})
