-- A claim is credited to a theorem only on problems that meet its hypotheses; elsewhere the order
-- is reported, with the hypothesis that fails, as `verify` says it.
local lab = require "impactlab"

local function study(problem, scheme, norm, reference, fields)
  fields = fields or {}
  local r = lab.sweep{name = "credited", problem = problem, scheme = scheme, reference = reference,
                      steps = lab.levels{from = 64, count = fields.count or 4, jitter = 4, seed = 1}}
  return r:run():order{norm = norm, claim = fields.claim}
end

-- Theorem and hypothesis are those that Q:fails gives to `verify`.
local function refused(problem, scheme, norm, source, hypothesis, why)
  local o = study(problem, scheme, norm, "exact")
  lab.check(o.verdict == "REPORTED" and o.reason:find("does not apply", 1, true), tostring(o))
  lab.check(o.claim.source == source and o.reason:find(why, 1, true), tostring(o))
  local reason = lab.set{problem = problem}:fails{hypothesis}
  lab.check(o.reason:find(reason, 1, true), "the reason of verify: " .. reason)
end
refused("vibroimpact", "maury", "u_L1", "Bernicot & Lefebvre-Lepot 2010, Theorem 1.3", "convex",
        "some g_i is not convex in q: its second difference reaches -0.2")
refused({"bouncing_ball", e = 0.8}, "paoli", "q_Linf", "Adly & Thieu 2022, Theorem 4.1", "inelastic",
        "impacts are not inelastic: e = 0.8")
refused({"cradle", e = 0.5}, "moreau_jean", "u_L1", "Monteiro Marques 1993; Mabrouk 1998", "one",
        "4 constraints, not one")

-- Where the hypotheses hold the claim is judged.
local spheres = study({"two_spheres", scenario = "free"}, "maury", "u_L1", "exact", {count = 6})
lab.check(spheres.verdict == "PASS" or spheres.verdict == "INCONCLUSIVE", tostring(spheres))
local one = study({"bouncing_ball", e = 0.5}, "moreau_jean", "u_L1", "exact", {count = 6})
lab.check(one.verdict == "PASS" or one.verdict == "INCONCLUSIVE", tostring(one))

-- The strongest claim that speaks of the problem: order 1/2 for Venel's scheme in order 1.
local board = study("labyrinth", "venel", "q_Linf", "exact")
lab.check(board.verdict ~= "REPORTED" and board.verdict ~= "FAIL" and board.claim.order == 0.5 and
          board.claim.source:find("Bernicot & Venel 2013", 1, true), tostring(board))

-- The same of catching-up, that its steps to the true set are proved to have; behind posts the drift of a
-- crowd jumps, and nothing is proved.
local caught = study("labyrinth", "catching_up", "q_Linf", "exact")
lab.check(caught.verdict ~= "REPORTED" and caught.verdict ~= "FAIL" and caught.claim.order == 0.5 and
          caught.claim.source:find("The order of catching-up", 1, true), tostring(caught))
local posts = study({"crowd", N = 4, room = "posts"}, "venel", "q_Linf", {"self", steps = 2048}, {count = 3})
lab.check(posts.verdict == "REPORTED" and posts.reason:find("not Lipschitz", 1, true), tostring(posts))

-- Springs of a given stiffness do not converge.
local soft = study({"two_spheres", scenario = "free"}, "penalty:stiffness=1e5", "u_L1", "exact")
lab.check(soft.verdict == "REPORTED" and soft.claim == nil, tostring(soft))

-- What cannot be measured is not credited, and not refused either; what is known in closed form is judged.
local many = study({"pile", N = 40, space = 2, T = 0.05}, "maury", "u_L1", {"self", steps = 2048}, {count = 3})
lab.check(many.verdict == "REPORTED" and many.reason:find("not known whether the claim applies", 1, true) and
          many.reason:find("was not measured", 1, true), tostring(many))
local known = study({"impact", N = 60, T = 0.05}, "maury", "u_L1", {"self", steps = 2048}, {count = 3})
lab.check(known.verdict ~= "REPORTED" and not known.reason:find("measured", 1, true), tostring(known))
local open, why = lab.set{problem = {"pile", N = 40, space = 2}}:admits("BL-T1.3")
lab.check(open == nil and why:find("was not measured", 1, true), "neither true nor false")
lab.check(lab.set{problem = {"impact", N = 60}}:admits("BL-T1.3") == true, "in closed form")
lab.check(lab.set{problem = {"pile", N = 40, space = 2}}:admits("V-T3.4") == false, "order 2 is no")

-- A claim of the user's own is his, whatever the problem.
local own = study("vibroimpact", "maury", "u_L1", "exact", {claim = {kind = "converges"}})
lab.check(own.verdict ~= "REPORTED" and not own.reason:find("does not apply", 1, true), tostring(own))

-- Walls that turn at once, and valleys, are not smooth: no theorem speaks of them.
local function turns(t) return t < 1 and -1 or 1 end
for _, p in ipairs{
  lab.problem{name = "tent", order = 2, dimension = 1, horizon = 2, q0 = {0.5}, u0 = {1}, mass = {1},
    constraints = function(t, q) return {{g = q[1] - math.min(t, 2 - t), grad = {1}, dt = turns(t)}} end},
  lab.problem{name = "valley", order = 2, dimension = 2, horizon = 2, q0 = {0.3, 1}, u0 = {0, -1}, mass = {1, 1},
    constraints = function(_, q) return {{g = q[2] - math.abs(q[1]), grad = {q[1] > 0 and -1 or 1, 1}, dt = 0}} end}} do
  local why = lab.set{problem = p}:fails{"smooth"}
  lab.check(why and why:find("jumps by 2", 1, true), tostring(why))
end
lab.check(not lab.set{problem = {"vibroimpact", scenario = "slide"}}:fails{"smooth"}, "gradients that bend at once are smooth enough")

-- The valley's gradient jumps at x = 0, t = 1.31234: the record says so, and of two walls that meet there nothing.
local function through(constraints)
  local p = lab.problem{name = "valley", order = 2, dimension = 2, horizon = 2, q0 = {0.31234, 1}, u0 = {0, -1},
                        mass = {1, 1}, constraints = constraints}
  return lab.run{problem = p, scheme = "maury", steps = 20}.message
end
local one_row = through(function(_, q) return {{g = q[2] - math.abs(q[1]), grad = {q[1] > 0 and -1 or 1, 1}, dt = 0}} end)
local two_rows = through(function(_, q)
  return {{g = q[2] - q[1], grad = {-1, 1}, dt = 0}, {g = q[2] + q[1], grad = {1, 1}, dt = 0}} end)
lab.check(one_row:find("t = 1.31234", 1, true) and one_row:find("jumps", 1, true), one_row)
lab.check(two_rows == "", two_rows)
