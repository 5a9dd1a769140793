-- Orders of a sweep: fields, claims, several limits, what is refused, tables and figures.
local lab = require "impactlab"

local function refused(pattern, f, ...)
  local fine, why = pcall(f, ...)
  lab.check(not fine and tostring(why):find(pattern), "refused: " .. tostring(why))
end

local steps = lab.levels{from = 64, ratio = 2, count = 6, jitter = 8, seed = 3}
local r = lab.sweep{name = "o", problems = {"bouncing_ball", {"sticky", N = 4, seed = 1}},
                    schemes = {"maury", "venel"}, reference = "exact", steps = steps}:run()

-- One order: what the literature claims, and what the caller does.
local o = r:order{problem = "bouncing_ball", scheme = "maury", norm = "u_L1"}
lab.check(o.verdict == "PASS" and o.claim.kind == "converges", "the scheme's own claim is judged")
lab.check(tostring(o):find(o.claim.source, 1, true), "and its source is told")
lab.check(o.low <= o.order and o.order <= o.high and o.low > 0.75 and o.high < 1.15, "first order")
lab.check(o.sure_low <= o.low and o.high <= o.sure_high, "what is refuted lies beyond")
lab.check(o.runs == 48 and o.used == 48 and o.h_max > o.h_min, "runs")
lab.check(math.abs(2 ^ o.octaves * o.h_min / o.h_max - 1) < 1e-12 and o.fold > 4, "octaves and fold")
lab.check(o.floor <= o.floor_high and o.floor_high < o.finest and not o.several_limits, "no floor")
local c = o.curve
lab.check(c.p == o.order and c.b == o.finest and (c.s == 1 or c.s == -1), "the curve")
lab.check(o.claim.factor == 4, "a factor of four unless it is given")
local none = r:order{problem = "bouncing_ball", scheme = "venel", norm = "u_L1"}
lab.check(none.verdict == "REPORTED" and none.claim == nil, "venel claims nothing in order 2")
local function judged(claim)
  return r:order{problem = "bouncing_ball", scheme = "maury", norm = "u_L1", claim = claim}.verdict
end
lab.check(judged{order = 0.9} == "PASS", "a bound unless said")
lab.check(judged{order = 0.5, kind = "sharp"} == "FAIL", "a sharp order is not half")
lab.check(judged{order = 0.5, kind = "bound"} == "PASS", "but at least half")
lab.check(judged{kind = "converges"} == "PASS", "and convergence")

-- An order near rounding is none, and the reason says so; nothing is claimed of it.
local exact = r:order{problem = "sticky", scheme = "maury", norm = "final_q"}
lab.check(exact.order ~= exact.order and exact.verdict == "REPORTED", exact.reason)
lab.check(exact.reason:find("at rounding"), exact.reason)

-- What is not measured, in runs of more than 65536 numbers unless they are told, refutes nothing.
local long = {problem = {"sticky", N = 8, seed = 14}, scheme = "maury", reference = "exact",
              steps = {256, 512, 1024, 2048, 4096, 9000}}
local gaps = lab.sweep(long):run():order{norm = "graph_H"}
lab.check(gaps.verdict == "REPORTED" and gaps.reason:find("1 of 6 runs did not measure this norm"), gaps.reason)
long.norms = {"graph_H"}
long.name = "told"
lab.check(not lab.sweep(long):run():order{norm = "graph_H"}.reason:find("did not measure"), "asked for, it is")

-- All of them.
local all = r:orders{}
lab.check(#all == 2 * 2 * 2, "problems x schemes x norms")
lab.check(all[1].problem == "bouncing_ball" and all[1].scheme == "maury" and all[1].norm == "u_L1" and
          all[8].scheme == "venel" and all[8].norm == "q_Linf", "in the sweep's order")
lab.check(select(2, tostring(all):gsub("\n", "\n")) == 7, "a line each")
local some = r:orders{problems = "sticky", schemes = {"venel"}, norms = "u_L1", level = 0.9}
lab.check(#some == 1 and some[1].problem == "sticky(N=4, seed=1)" and some[1].level == 0.9, "some")

-- Steps that tend to two solutions have no order; with an order claimed that is a failure.
local twofold = lab.sweep{problem = "nonuniqueness", scheme = "maury", reference = "exact",
                          steps = lab.dyadic{from = 6, to = 13}}:run()
local two = twofold:order{norm = "u_L1"}
lab.check(two.several_limits and two.order ~= two.order and two.verdict == "INCONCLUSIVE", two.reason)

-- The projector's tolerance is named where it stops the errors, and refutes nothing.
local loose = lab.sweep{name = "loose", problem = {"sticky", N = 4, seed = 1}, scheme = "maury",
                        reference = "exact", projector = "uzawa", tol = 1e-5,
                        steps = lab.levels{from = 16, count = 12, jitter = 4, seed = 2}}:run()
local stopped = loose:order{norm = "q_Linf", claim = {kind = "converges"}}
lab.check(stopped.reason:find("the projector's tolerance"), tostring(stopped))
lab.check(stopped.verdict ~= "FAIL", tostring(stopped))

-- Any numbers. What r:order says of a sweep, lab.order says of its steps and errors.
local h, e = {}, {}
for _, run in ipairs(r:records()) do
  if run.label == "bouncing_ball" and run.scheme == "maury" then
    h[#h + 1], e[#e + 1] = run.h, run.error.u_L1
  end
end
local same = lab.order{h = h, error = e, claim = {kind = "converges", source = "me"}, title = "mine"}
lab.check(same.order == o.order and same.low == o.low and same.high == o.high and
          same.verdict == o.verdict and same.floor_high == o.floor_high, "the same numbers")
lab.check(tostring(same):find("^mine: falls like") and tostring(same):find("(me)", 1, true), "a title and a source")

-- A constant error is no convergence, whatever is claimed; without a claim it is reported.
local flat = {}
for k = 1, #h do flat[k] = 0.511 end
for _, claim in ipairs{{kind = "converges"}, {order = 1}, {order = 1, kind = "sharp"}} do
  local constant = lab.order{h = h, error = flat, claim = claim}
  lab.check(constant.verdict == "FAIL" and constant.reason ~= "", tostring(constant))
  lab.check(constant.floor_high >= 0.511 * (1 - 1e-6), "its floor")
end
lab.check(lab.order{h = h, error = flat}.verdict == "REPORTED", "nothing is claimed")
local other = lab.order{h = h, error = flat, claim = {order = 1, inapplicable = "e is 0.8"}}
lab.check(other.verdict == "REPORTED" and other.reason:find("e is 0.8", 1, true), other.reason)
local far = lab.order{h = h, error = e, claim = {kind = "converges", factor = 1e6}}
lab.check(far.verdict == "INCONCLUSIVE" and far.reason:find("factor of 1e+06", 1, true), far.reason)
refused("#error is 2; allowed: 3, the length of h", lab.order, {h = {1, 2, 3}, error = {1, 2}})
refused("h%[2%] is 0; allowed: a finite number > 0", lab.order, {h = {1, 0, 3}, error = {1, 2, 3}})

refused("claim is 1", r.order, r, {problem = "sticky", scheme = "maury", claim = 1})
refused("claim.kind is 'exact'; allowed: converges, bound, sharp", r.order, r,
        {problem = "sticky", scheme = "maury", claim = {order = 1, kind = "exact"}})
refused("norms is 'u_L2'", r.orders, r, {norms = {"u_L2"}})
refused("schemes is 'mori'", r.orders, r, {schemes = {"mori"}})
refused("cost", r.figure, r, {"convergence", cost = "steps"})
refused("cost is 'money'; allowed: steps, iterations, projections, seconds", r.figure, r,
        {"work_precision", cost = "money"})

lab.check(r:table{"orders"}:find("o%-orders.txt"), "a table of orders")
lab.check(r:figure{"work_precision", norm = "u_L1"}:find("o%-work_precision%-u_L1.png"), "a diagram")
lab.check(r:figure{"work_precision", cost = "seconds"}:find("u_L1%-seconds.png"), "of seconds too")
