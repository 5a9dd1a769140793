-- A wall in pieces is that wall: nobody turns back at a seam, from whichever side of rounding it is come to.
local lab = require "impactlab"

local function one(walls, x, steps)
  return lab.run{problem = {"crowd", room = "open", N = 1, side = 8, exit = {8, 0, 8, 1}, walls = walls, q0 = {x, 2.25}},
                 scheme = "venel", h = 0.05, steps = steps}
end
local seam = {8, 1, 8, 8, 1, 2, 6, 2}
for _, x in ipairs{1 - 2.0 ^ -53, 1, 1.0000000000000002, 1.00000001, 6 - 2.0 ^ -50, 6, 6 + 2.0 ^ -50} do
  local r = one(seam, x, 1)
  lab.check(r.status == "ok" and r.final.u[1] > 0.9, ("from %.17g to the right: %.17g"):format(x, r.final.u[1]))
end

local pieces = {8, 1, 8, 8}
for k = 0, 5 do
  for _, z in ipairs{1 + 5 * k / 6, 2, 1 + 5 * (k + 1) / 6, 2} do pieces[#pieces + 1] = z end
end
local whole, parts = one(seam, 0.5, 140), one(pieces, 0.5, 140)
for k = 1, 2 do
  lab.check(math.abs(whole.final.q[k] - parts.final.q[k]) <= 1e-12, ("six pieces: %.3g"):format(whole.final.q[k] - parts.final.q[k]))
end

-- An exit that is given opens the wall that it lies on, and the door in the middle is shut: who stands before the door
-- goes round to the exit, straight, and through it.
for _, e in ipairs{{0, 5, 0, 3}, {8, 1, 8, 3}, {3, 0, 5, 0}} do
  local r = lab.run{problem = {"crowd", N = 1, side = 8, exit = e, q0 = {4, 4}}, scheme = "venel", h = 0.05, steps = 150}
  local q = r.final.q
  lab.check(r.status == "ok" and (q[1] < 0 or q[1] > 8 or q[2] < 0), ("out by (%g, %g): %g, %g"):format(e[1], e[2], q[1], q[2]))
end
