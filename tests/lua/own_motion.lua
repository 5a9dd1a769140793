-- Schemes that leave the motion inside their steps: measured as it is, and refused by name.
local lab = require "impactlab"
local abs = math.abs
local g = 9.81

-- The ball with e = 0, flown exactly; an impact is a break.
local flown = lab.scheme{name = "flown", order = 2, dense = true, certified = false, step = function(s)
  local q, u, h = s.q[1], s.u[1], s.h
  if q <= 1e-12 then return {0}, {0}, {ends = {s.t1}, c = {{{0}, {0}}}} end
  local x = (u + math.sqrt(u * u + 2 * g * q)) / g
  if x >= h then
    return {q + h * u - g * h * h / 2}, {u - g * h}, {ends = {s.t1}, c = {{{q}, {h * u}, {-g * h * h / 2}}}}
  end
  return {0}, {0}, {ends = {s.t0 + x, s.t1}, c = {{{q}, {x * u}, {-g * x * x / 2}}, {{0}, {0}}}}
end}
local ball = {"bouncing_ball", e = 0}
local run = lab.run{problem = ball, scheme = flown, steps = 16, samples = {0.3}}
lab.check(run.status == "ok" and run.error.u_L1 < 1e-14 and run.error.q_Linf < 1e-14, "exact between nodes")
lab.check(abs(run.samples[1].q[1] - (1 - g * 0.3 ^ 2 / 2)) < 1e-15 and abs(run.samples[1].u[1] + g * 0.3) < 1e-14,
          "samples lie on the pieces")

-- A quintic, t^5 - 3 t + 4, without a force: the error against free flight, 4 - 3 t, is t^5.
local free = lab.problem{name = "free", order = 2, horizon = 1, q0 = {4}, u0 = {-3}, force = function() return {0} end,
  constraints = function(t, q) return {{g = q[1] + 10, grad = {1}}} end, exact = function(t) return {4 - 3 * t}, {-3} end}
local quintic = lab.scheme{name = "quintic", order = 2, dense = true, certified = false, step = function(s)
  local a, h, c = s.t0, s.h, {}
  local binomial = {1, 5, 10, 10, 5, 1}
  for k = 0, 5 do c[k + 1] = {binomial[k + 1] * a ^ (5 - k) * h ^ k} end
  c[1][1], c[2][1] = c[1][1] + 4 - 3 * a, c[2][1] - 3 * h
  local t = s.t1
  return {t ^ 5 - 3 * t + 4}, {5 * t ^ 4 - 3}, {ends = {t}, c = {c}}
end}
run = lab.run{problem = free, scheme = quintic, steps = 7}
lab.check(run.status == "ok" and abs(run.error.u_L1 - 1) < 1e-13 and abs(run.error.q_Linf - 1) < 1e-13,
          ("a quintic: %.17g %.17g"):format(run.error.u_L1, run.error.q_Linf))

-- A dense run is a reference: of fesd with 2 stages, of order 3, by that of 3 stages, of order 5.
local function errors(reference)
  return lab.sweep{problem = "two_balls", horizon = 0.4, schemes = {"fesd:s=2"}, steps = {16, 32},
                   reference = reference}:run():records()
end
local exact = errors("exact")
for k, record in ipairs(errors{"self", steps = 64, scheme = "fesd:s=3"}) do
  lab.check(abs(record.error.u_L1 - exact[k].error.u_L1) < 1e-2 * exact[k].error.u_L1 + 1e-13, "a reference by fesd")
end

-- What is wrong with a motion is said by name.
local bad = {
  {"a jump at the start", function(s) return s.q, s.u, {ends = {s.t1}, c = {{{0}, {1}}}} end, "jumps by -1"},
  {"a jump between pieces", function(s)
     return s.q, s.u, {ends = {s.t0 + s.h / 2, s.t1}, c = {{s.q, {0}}, {s.q + {1}, {-1}}}}
   end, "jumps by 1 in coordinate 1 where piece 2 begins"},
  {"backwards", function(s) return s.q, s.u, {ends = {s.t0 - 1, s.t1}, c = {{s.q, {0}}, {s.q, {0}}}} end, "goes from t = 0 to -1"},
  {"out of the step", function(s) return s.q, s.u, {ends = {s.t1 + 1}, c = {{s.q, {0}}}} end, "the last one"},
  {"NaN", function(s) return s.q, s.u, {ends = {s.t1}, c = {{s.q, {0 / 0}}}} end, "not finite in piece 1"},
  {"an end that is NaN", function(s) return s.q, s.u, {ends = {0 / 0}, c = {{s.q, {0}}}} end, "ascending times"},
  {"none", function(s) return s.q, s.u end, "step gave no motion"},
  {"a constant", function(s) return s.q, s.u, {ends = {s.t1}, c = {{s.q}}} end, "motion.c[1] of 1; allowed: 2 to 8"},
  {"no pieces", function(s) return s.q, s.u, {ends = {s.t1}, c = {}} end, "motion.c of 0"},
  {"no ends", function(s) return s.q, s.u, {c = {}} end, "motion.ends of 0"}}
for k, one in ipairs(bad) do
  local scheme = lab.scheme{name = "bad_" .. k, dense = true, certified = false, step = one[2]}
  local failed = lab.run{problem = ball, scheme = scheme, steps = 16}
  lab.check(failed.status ~= "ok" and failed.message:find(one[3], 1, true), one[1] .. ": " .. failed.message)
end
local plain = lab.scheme{name = "plain", certified = false, step = bad[1][2]}
lab.check(lab.run{problem = ball, scheme = plain, steps = 16}.message:find("with dense = true", 1, true), "not declared")
lab.check(not pcall(lab.scheme, {name = "sure", dense = true, step = bad[1][2]}), "nothing certifies a motion")
