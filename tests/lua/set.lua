-- lab.set: the feasible set as geometry.
local lab = require "impactlab"
local function near(a, b, tolerance) return math.abs(a - b) <= (tolerance or 1e-12) end

local slot = lab.set{problem = lab.problem{
  name = "slot", horizon = 1, q0 = {0, 0}, mass = {1, 3},
  constraints = function(_, q)
    return {{g = q[1] + 1, grad = {1, 0}}, {g = 1 - q[1], grad = {-1, 0}}}
  end}}
local info = slot:info()
lab.check(info.dimension == 2 and info.constraints == 2 and info.label == "slot", "info")
lab.check(info.masses[2] == 3 and info.alpha == 1, "masses and the least of them")
lab.check(near(slot:gap(0, {0.25, 7}), 0.75), "gap")
lab.check(#slot:rows(0, {0.25, 0}) == 2 and #slot:rows(0, {0.25, 0}, 1) == 1, "rows within slack")
lab.check(slot:independence(0, {0, 0}, 2).slope == 0, "opposite gradients have no common direction")
lab.check(near(slot:independence(0, {1, 0}).slope, 1), "one alone has")
local x = slot:project(0, {3, 2})
lab.check(near(x[1], 1) and near(x[2], 2), "projection")

local disc = lab.set{problem = lab.problem{
  name = "disc", order = 1, horizon = 1, q0 = {2, 0},
  constraints = function(t, q)
    local r = math.sqrt(q[1] * q[1] + q[2] * q[2])
    return {{g = r - 1 - t, grad = {q[1] / r, q[2] / r}, dt = -1}}
  end}}
x = disc:project(0.5, {0.6, 0.8})
lab.check(near(x[1], 0.9) and near(x[2], 1.2), "onto the circle, straight outwards")
x = disc:linearised(0, {1, 0}, {0.3, 5})
lab.check(near(x[1], 1) and near(x[2], 5), "onto the half-plane of its linearisation")
x = disc:velocity(0, {1, 0}, {-2, 3}, 1e-9)
lab.check(near(x[1], 1) and near(x[2], 3), "a growing disc pushes at its own speed")
x = disc:tangent(0, {1, 0}, {-2, 3}, 1e-9)
lab.check(near(x[1], 0) and near(x[2], 3), "the tangent cone does not know it")

local ok, why = pcall(slot.gap, slot, 0, {1})
lab.check(not ok and why:find("argument 2 as an array of 1; allowed: 2 numbers", 1, true), why)
ok, why = pcall(lab.set, {problem = "stiky"})
lab.check(not ok and why:find("did you mean 'sticky'", 1, true), why)
ok, why = pcall(lab.set, {})
lab.check(not ok and why:find("lab.set: problem is missing", 1, true), why)
