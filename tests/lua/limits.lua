-- Limits of a sweep: Maury's two subsequences, a chart that repeats, a border, one limit, none.
local lab = require "impactlab"

local function limits_of(problem, c, m)
  return lab.sweep{problem = problem, scheme = "maury",
                   steps = lab.phases{c = c, m = m}}:limits{norm = "u_L1"}
end

-- h = c 2^-m, for each m all c, exactly.
local p = lab.phases{c = {1, 1.5}, m = {3, 4}}
lab.check(#p == 4 and p[1] == 0.125 and p[2] == 0.1875 and p[3] == 0.0625 and p[4] == 0.09375, "h")
lab.check(p.c[2] == 1.5 and p.m[2] == 3 and p.m[3] == 4, "c and m of each h")

-- Maury, section 6.1: even exponents to A, odd ones to B, and nothing else.
local L = limits_of("nonuniqueness", {1}, {3, 4, 5, 6, 7, 8, 9, 10})
lab.check(L.verdict == "several limits" and #L.clusters == 2, "dyadic steps have two limits")
lab.check(#L.clusters[1].members == 4 and #L.clusters[2].members == 4, "four levels each")
for _, cluster in ipairs(L.clusters) do
  local parity = cluster.medoid.m % 2
  for _, run in ipairs(cluster.members) do
    lab.check(run.m % 2 == parity, "one parity a cluster")
  end
  local near, far = cluster.distances.A, cluster.distances.B
  if parity == 1 then near, far = far, near end
  -- u_L1 errors are about 4 h; A and B are 1.09 apart
  lab.check(near <= 10 * cluster.medoid.h and far >= 1 and cluster.distances.C >= 0.5,
            "even exponents lead to A, odd ones to B")
  lab.check(cluster.separation >= 1 and cluster.tail <= 0.6 * cluster.radius, "apart, and shrinking")
end

-- Phases of all kinds: the same chart again from the store, and anew.
local function chart()
  return limits_of("nonuniqueness", {1, 1.15, 1.3, 1.45, 1.6, 1.75, 1.9}, {5, 6, 7, 8, 9})
end
local first, second = chart(), chart()
local same = #first.runs == #second.runs and first.evidence == second.evidence
for k, run in ipairs(first.runs) do
  same = same and run.cluster == second.runs[k].cluster and run.h == second.runs[k].h and
         run.distances.A == second.runs[k].distances.A
end
lab.check(same and #first.runs == 35, "the chart repeats")
lab.check(first.verdict == "several limits" and #first.clusters == 2, "seven phases have two limits")

-- Between two phases that lead to different limits lies one that leads to neither: to C.
local border = L:border{c = {1.2, 1.23}, m = {6, 9}}
lab.check(#border == 2, "one border a level")
for _, b in ipairs(border) do
  lab.check(b.from ~= b.to and b.low >= 1.2 and b.high <= 1.23 and b.high - b.low <= 1e-12,
            "the border is found")
  lab.check(b.distances.C <= 0.1 and b.distances.A >= 0.4 and b.distances.B >= 0.4,
            "the run on the border is near C alone")
end
lab.check(border[2].distances.C <= 0.5 * border[1].distances.C, "and nearer with smaller steps")

-- By the exact motion a border is the same at every level; 1.8345732138923583 was found in rational
-- arithmetic (tests/study/test_switching.c). By the nearest medoid it wavers.
local known = 1.8345732138923583
for _, b in ipairs(L:border{c = {1.83, 1.84}, m = {6, 7, 8, 9}}) do
  lab.check(b.by == "flow" and b.low <= known and known <= b.high and b.high - b.low <= 1e-12,
            "an interval that holds the border")
end
local level = L:border{c = {1.83, 1.84}, m = {8, 9}, by = "level"}
lab.check(level[1].by == "level" and level[1].low > known + 1e-5 and math.abs(level[2].low - known) < 1e-5,
          "by level a border belongs to its level")
local all = L:borders{c = {1.2, 1.3}, m = 8, phases = 16}
lab.check(all.settled and #all == 3 and all[1].low < 1.2120313148305046 and all[1].high > 1.212031314830504 and
          all[2].from == all[1].to and all.undecided == 0, "three borders in [1.2, 1.3)")

-- Orbits of the motion: A and B close in rational numbers, C repels.
local orbits = lab.orbits{problem = "nonuniqueness", starts = 50}
lab.check(#orbits == 2 and orbits.wandering == 0 and orbits[1].period == 1 and not orbits[1].attracts and
          not orbits[1].rational, "C repels")
lab.check(orbits[2].period == 2 and orbits[2].starts == 50 and orbits[2].multiplier == 0 and
          table.concat(orbits[2].rational[2], " ") == "3/80 -1/5", "A and B attract, and close exactly")
local states = lab.motion{problem = "nonuniqueness", states = {0, 0, 3 / 80, -1 / 5}, periods = 3}
lab.check(math.abs(states[1] - 3 / 80) <= 1e-15 and math.abs(states[2] + 1 / 5) <= 1e-15 and states[3] == 0 and
          states[4] == 0, "three octaves exchange A and B")

-- One limit: no fewer, no more.
local one = limits_of({"nonuniqueness", alpha = 1.2}, {1, 1.3, 1.6}, {5, 6, 7, 8, 9})
lab.check(one.verdict == "one limit" and #one.clusters == 1 and #one.clusters[1].members == 15,
          "alpha = 1.2: one limit")
lab.check(one.clusters[1].distances.C <= 10 * one.clusters[1].medoid.h, "it is C")
local ball = lab.sweep{problem = {"bouncing_ball"}, scheme = "maury", steps = {32, 64, 128, 256, 512}}
lab.check(ball:limits{norm = "q_Linf"}.verdict == "one limit", "a ball has one limit")
lab.check(ball:limits{}.evidence:find("by clusters of runs alone") and not L.evidence:find("alone"),
          "without an exact motion the evidence says so")
lab.check(ball:run():limits().verdict == "one limit", "also asked of the result")

-- Exact arithmetic.
local run = lab.run{problem = "nonuniqueness", scheme = "venel", steps = 1024, exact_arithmetic = true}
lab.check(run.exact.final.q[1] == "0" and run.exact.final.u[1] == "0" and run.exact.final.t == "4",
          "h = 2^-8 ends at rest on the wall")
run = lab.run{problem = {"nonuniqueness", alpha = 1.8}, scheme = "maury", h = "1/3",
              exact_arithmetic = true}
lab.check(run.exact.h == "1/3" and run.exact.difference.largest_q <= 1e-14, "h is a third")
lab.check(type(tostring(L)) == "string", "limits print")
L:figure{"map"}
L:figure{"distances"}
L:figure{"tails"}
