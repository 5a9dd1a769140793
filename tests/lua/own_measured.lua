-- References and norms of the script's own, against what is known in closed form or computed by the
-- program itself.
local lab = require "impactlab"
local FITTED = 1e-6 -- a line that is iterated to
local SAME = 1e-12 -- seventeen digits in a file, sums in another order

-- A run in a file is the reference that the same run is in memory.
local problem = {"two_spheres", scenario = "pressed"}
for _, name in ipairs{"fine.csv", "fine.h5"} do
  lab.run{problem = problem, scheme = "maury", steps = 2048, trajectory = name}
end
local function errors(reference)
  local r = lab.sweep{problem = problem, scheme = "paoli", steps = {50, 70}, reference = reference}:run()
  return r:records()[1].error
end
local self = errors{"self", steps = 2048, scheme = "maury"}
for _, name in ipairs{"fine.csv", "fine.h5"} do
  local e = errors{file = name}
  for _, norm in ipairs{"u_L1", "q_Linf", "final_q", "final_u", "graph_H"} do
    lab.check(math.abs(e[norm] - self[norm]) <= SAME * (1 + self[norm]), name .. ": " .. norm)
  end
  lab.check(e.reference == "file: " .. name and e.flat_lambda == nil, name .. ": named, no contacts")
end

-- The exact solution as a function: errors by quadrature, where the built-in one has closed forms.
local g, t1 = 9.81, math.sqrt(2 / 9.81)
local QUADRATURE = 1e-10
local function fall(t, side)
  if t < t1 or t == t1 and side < 0 then return {1 - g * t * t / 2}, {-g * t} end
  return {0}, {0}
end
local a = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 100}.error
local b = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 100,
                  reference = {of = fall, breaks = {t1}, name = "fall"}}.error
lab.check(math.abs(a.u_L1 - b.u_L1) <= QUADRATURE and math.abs(a.q_Linf - b.q_Linf) <= QUADRATURE,
          "a function as reference")
lab.check(b.reference == "fall" and b.origin == "a function", "its name")
local broken = lab.run{problem = "bouncing_ball", scheme = "maury", steps = 100,
  reference = {name = "broken", of = function(t) if t > 1 then error("boom") end return 0, 0 end}}
lab.check(broken.status == "script_error" and broken.message:find("reference 'broken'.*boom") and
          broken.error.u_L1 == nil, "a reference that fails")

-- A norm that is one of the program's: the distance at the end. Then one of which the value is known.
local final = {name = "mine", of = function(run, reference)
  local T = run:t()[#run]
  local q, p = run:at(T, -1), reference:at(T, -1)
  return math.abs(q[1] - p[1])
end}
local constant = {name = "constant", of = function(run) return #run end}
for _, reference in ipairs{"exact", "event_driven", {"self", steps = 3000}, {of = fall, breaks = {t1}}} do
  local r = lab.sweep{problem = "bouncing_ball", schemes = {"maury", "paoli"}, reference = reference,
                      horizon = 0.4, -- in flight
                      steps = lab.levels{from = 50, count = 3, jitter = 3}}:run()
  local mine, theirs = r:order{scheme = "maury", norm = final}, r:order{scheme = "maury", norm = "final_q"}
  local same = true
  for _, record in ipairs(r:records()) do
    same = same and math.abs(record.error.mine - record.error.final_q) <= SAME
  end
  lab.check(same, "a norm of one's own is the program's")
  lab.check(mine.norm == "mine" and theirs.norm == "final_q", "orders of both")
  lab.check(math.abs(mine.order - theirs.order) <= FITTED, "an order of it")
  local own = r:records()[1].error.reference_error
  lab.check((own ~= nil) == (type(reference) == "table" and reference[1] == "self"), "a reference's own error")
  lab.check(own == nil or own.mine > 0 and math.abs(own.mine - own.final_q) <= SAME, "and in this norm")
  local orders = r:orders{schemes = {"maury"}, norms = {"u_L1", constant}}
  lab.check(#orders == 2 and r:records()[1].error.constant == r:records()[1].steps + 1, "a second one")
  lab.check(r:table{"errors", norms = {final, "u_L1"}} and r:table{"orders", norms = {final}},
            "tables of it")
end

-- Figures: several norms, slopes, a parameter.
local r = lab.sweep{name = "many", problem = "bouncing_ball", schemes = {"maury", "paoli"},
                    steps = {64, 128, 256, 512}}:run()
lab.check(r:figure{"convergence", norms = {"u_L1", final}, slopes = {1}}:find("many%-convergence%-u_L1%-mine"),
          "a panel for each norm")
local n = lab.sweep{name = "across", problems = {{"sticky", N = 8}, {"sticky", N = 4}, {"sticky", N = 6}},
                    scheme = "maury", steps = {50}}:run()
lab.check(n:figure{"parameter", x = "parameters.N", field = "contacts.impulse_total"} ~= nil, "a parameter")
lab.check(n:figure{"parameter", name = "given", x = {3, 1, 2}, xlabel = "number",
                   field = "contacts.impulse_total"}:find("given"), "numbers of one's own")
