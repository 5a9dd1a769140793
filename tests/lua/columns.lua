-- Columns of 2 to 6 bodies whose masses differ by up to 1e10 rest, and each contact bears the weight above it.
local lab = require "impactlab"

local function column(m)
  local n, q0, u0 = #m, {}, {}
  for i = 1, n do q0[i], u0[i] = i, 0 end
  return lab.problem{name = "column", order = 2, dimension = n, horizon = 1, q0 = q0, u0 = u0, mass = m,
    force = function()
      local f = {}
      for i = 1, n do f[i] = -m[i] end
      return f
    end,
    constraints = function(_, q)
      local rows = {}
      for i = 1, n do
        local grad = {}
        for j = 1, n do grad[j] = j == i and 1 or j == i - 1 and -1 or 0 end
        rows[i] = {g = q[i] - (i > 1 and q[i - 1] or 0) - 1, grad = grad, dt = 0}
      end
      return rows
    end}
end

-- Rest to 1e-8; contact i bears the weight of bodies i to n in every step, to as many digits.
local function farthest_force(r, m, h)
  local off, count = 0, 0
  for _, contact in ipairs(r.trajectory:contacts()) do
    local weight = 0
    for i = contact.id + 1, #m do weight = weight + m[i] end
    off, count = math.max(off, math.abs(contact.impulse / (h * weight) - 1)), count + 1
  end
  return count == #m * r.steps and off or math.huge
end

local SMALL = 1e-8
for n = 2, 6 do
  local worst, off, fine = 0, 0, true
  for _, ratio in ipairs{1e2, 1e4, 1e6, 1e8, 1e10} do
    for _, kind in ipairs{"up", "down", "turns"} do
      local m = {}
      for i = 1, n do
        local power = kind == "turns" and (i % 2) or (i - 1) / (n - 1)
        m[i] = ratio ^ (kind == "down" and 1 - power or power)
      end
      local r = lab.run{problem = column(m), scheme = "maury", steps = 16, trajectory = true}
      fine = fine and r.status == "ok"
      for _, u in ipairs(r.final.u) do worst = math.max(worst, math.abs(u)) end
      off = math.max(off, farthest_force(r, m, r.h))
    end
  end
  lab.check(fine and worst <= SMALL and off <= SMALL, ("%d bodies: speeds to %.2g, forces to %.2g"):format(n, worst, off))
end

-- Discs in a wedge: three, one of them heavy.
for _, m in ipairs{{1, 1, 1e8}, {1, 1e8, 1}, {1, 1e4, 1e8}, {1, 1, 1e10}} do
  local r = lab.run{problem = {"crystal", rows = 2, masses = m}, scheme = "maury", steps = 16}
  local worst = 0
  for _, u in ipairs(r.final.u) do worst = math.max(worst, math.abs(u)) end
  lab.check(r.status == "ok" and worst <= SMALL, ("a wedge with %g on top: %s, %.2g"):format(m[3], r.status, worst))
end
