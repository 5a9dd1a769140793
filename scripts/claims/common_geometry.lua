-- The shape of feasible sets, sampled: boundary points, the constants of the hypotheses, curvature,
-- rolling balls, and how sets move.
local common = ...

-- ---- the boundary -------------------------------------------------------------------------------

-- Points of the boundary of Q(t): from the start, or a centre of the problem's own, a few random constraints are violated on purpose by up
-- to `depth`, and the point is projected back. Few subsets leave one contact, large ones many.
function common.boundary(case, t, count)
  local Q, info = common.set(case)
  local scale = case.problem.scale
  local points = {}
  for _ = 1, 10 * count do
    if #points == count then break end
    local centre = case.problem.centre and case.problem.centre(t) or info.q0
    local target = common.axpy(centre, 0.5 * scale * math.random(), common.direction(#centre))
    local rows = Q:rows(t, target)
    for _ = 1, math.random(1, math.min(4, #rows)) do
      local row = rows[math.random(#rows)]
      local size2 = common.dot(row.grad, row.grad)
      local step = -(math.max(row.g, 0) + 0.3 * scale * math.random()) / size2
      target = common.axpy(target, step, row.grad)
    end
    local q = Q:gap(t, target) < 0 and Q:project(t, target)
    if q and math.abs(Q:gap(t, q)) <= common.CONTACT then points[#points + 1] = q end
  end
  return points
end

-- The constants of the hypotheses, sampled over times and boundary points and pairs of points near
-- them. Sampling can only underestimate what is a supremum and overestimate an infimum.
function common.constants(case, count)
  local Q, info = common.set(case)
  local scale, T = case.problem.scale, info.horizon
  local c = {alpha = math.huge, beta = 0, rate = 0, M = 0, Mt = 0, Mtt = 0, hypo = -math.huge,
             convex = math.huge, slope = math.huge, inverse = math.huge, angle = -math.huge,
             points = 0, contacts = 0, rho = 0.02 * scale}
  local function compare(row, other, step, by)
    local difference = common.axpy(other.grad, -1, row.grad)
    local far = common.norm(by)
    c.M = common.worst(c.M, common.norm(difference) / far)
    c.hypo = common.worst(c.hypo, common.dot(difference, by) / (far * far))
    c.convex = common.least(c.convex, (other.g - row.g - common.dot(row.grad, by)) / (far * far))
  end
  for _, part in ipairs{0, 0.3, 0.6, 1} do
    local t = part * T
    for _, q in ipairs(common.boundary(case, t, count)) do
      local by = common.axpy({table.unpack(q)}, -1, q)
      by = common.axpy(by, scale * (0.01 + 0.2 * math.random()), common.direction(#q))
      local dt = T * 1e-3 * (t < T and 1 or -1)
      local here, there = Q:rows(t, q), Q:rows(t, common.axpy(q, 1, by))
      local later = Q:rows(t + dt, q)
      for i, row in ipairs(here) do
        local size = common.norm(row.grad)
        c.alpha, c.beta = common.least(c.alpha, size), common.worst(c.beta, size)
        c.rate = common.worst(c.rate, math.abs(row.dt))
        compare(row, there[i], 1, by)
        c.Mt = common.worst(c.Mt, common.distance(row.grad, later[i].grad) / math.abs(dt))
        c.Mtt = common.worst(c.Mtt, math.abs(later[i].dt - row.dt) / math.abs(dt))
      end
      local near = Q:independence(t, q, c.rho)
      local active = Q:independence(t, q, common.CONTACT)
      c.slope, c.inverse = common.least(c.slope, near.slope), common.least(c.inverse, near.inverse)
      c.angle = common.worst(c.angle, active.angle)
      c.contacts = math.max(c.contacts, active.rows)
      c.points = c.points + 1
    end
  end
  return c
end

-- ---- hypotheses ---------------------------------------------------------------------------------

common.POINTS = 12 -- boundary points a time

-- Sampled constants of the case's problem, once a worker. The random numbers before and after do not
-- depend on whether another check of the same worker has sampled them already.
local known = {}
function common.known(case)
  local key = case.problem
  if known[key] == nil then
    math.randomseed(1)
    known[key] = common.constants(case, common.POINTS)
  end
  math.randomseed(2)
  return known[key]
end

-- A second difference of numbers of size one over steps of a hundredth: rounding stays below this.
local BENT = 1e-9

local hypotheses = {
  fixed = function(c)
    if c.rate > 0 then return ("the constraints move: |d_t g| reaches %.3g"):format(c.rate) end
  end,
  convex = function(c)
    if not (c.convex >= -BENT) then
      return ("some g_i is not convex in q: its second difference reaches %.3g"):format(c.convex)
    end
  end,
  independent = function(c)
    if not (c.slope > BENT) then
      return ("no direction raises all constraints that are nearly active (delta = %.2g)"):format(c.slope)
    end
  end,
  acute = function(c)
    if c.angle > BENT then
      return ("active gradients lean the same way (cosine %.3g): A4 fails"):format(c.angle)
    end
  end,
  inelastic = function(_, info)
    if info.restitution > 0 then return "the impacts are elastic" end
  end,
  first = function(_, info) if info.order ~= 1 then return "order 2" end end}

-- Why the hypotheses of that name fail on the case's problem, or nil.
function common.fails(case, names)
  local _, info = common.set(case)
  local c = common.known(case)
  for _, name in ipairs(names) do
    local reason = hypotheses[name](c, info)
    if reason then return reason end
  end
end

-- A check that does not apply where one of these hypotheses fails, and says which.
function common.where(names, check)
  return function(case)
    local reason = common.fails(case, names)
    if reason then return common.row(case, {not_applicable = reason}) end
    return check(case)
  end
end

-- ---- the shape of Q(t) --------------------------------------------------------------------------

-- The norm of the Hessian of constraint id at (t,q) and its Rayleigh quotient there, by power
-- iteration on differences of gradients over a ten-thousandth of the scale.
local function curvature(case, t, q, row)
  local Q = common.set(case)
  local step = 1e-4 * case.problem.scale
  local v, size, quotient = common.direction(#q), 0, 0
  for _ = 1, 12 do
    local other
    for _, there in ipairs(Q:rows(t, common.axpy(q, step, v))) do
      if there.id == row.id then other = there end
    end
    local w = common.axpy(other.grad, -1, row.grad)
    for k = 1, #w do w[k] = w[k] / step end
    size, quotient = common.norm(w), common.dot(v, w)
    if size <= 1e-7 then return 0, 0 end -- rounding over the step: an affine constraint
    for k = 1, #w do v[k] = w[k] / size end
  end
  return size, quotient
end

local function active_rows(Q, t, q)
  return Q:rows(t, q, common.CONTACT)
end

-- The largest ball that touches Q(t) at x from outside along the normal v, as far as the points y
-- of Q(t) tell: |y - x|^2 / (2 <v, y - x>).
local function rolling(x, v, y)
  local w = common.axpy(y, -1, x)
  local into = common.dot(v, w)
  local far2 = common.dot(w, w)
  -- nearer than this, <v, y - x> is the rounding of a projection
  return into > 1e-10 and far2 / (2 * into) or math.huge
end

-- A random normal of Q(t) at x, of length one, pointing out of Q.
local function outward(rows)
  local v
  local one = math.random(#rows)
  for i, row in ipairs(rows) do
    local weight = (i == one and 1 or 0) + (#rows > 1 and math.random() or 0)
    v = v and common.axpy(v, -weight, row.grad) or common.axpy(row.grad, -1 - weight, row.grad)
  end
  local size = common.norm(v)
  for k = 1, #v do v[k] = v[k] / size end
  return v
end

-- At sampled boundary points: each {radius = estimate, M =, hypo =, alpha =, gamma =, slope =}.
function common.rolls(case, t, count)
  local Q = common.set(case)
  local scale = case.problem.scale
  local points = common.boundary(case, t, count)
  local list = {}
  for _, x in ipairs(points) do
    local rows = active_rows(Q, t, x)
    local found = {radius = math.huge, M = 0, hypo = 0, alpha = math.huge}
    for _, row in ipairs(rows) do
      local M, quotient = curvature(case, t, x, row)
      found.M, found.hypo = common.worst(found.M, M), common.worst(found.hypo, quotient)
      found.alpha = common.least(found.alpha, common.norm(row.grad))
    end
    local near = Q:independence(t, x, common.CONTACT)
    found.gamma, found.slope = 1 / near.inverse, near.slope
    for _, far in ipairs{0.01, 0.05, 0.3, 1, 3} do
      for _ = 1, 4 do
        local target = common.axpy(x, far * scale, common.direction(#x))
        local y = Q:gap(t, target) >= 0 and target or Q:project(t, target, x)
        local v = outward(rows)
        if y and Q:gap(t, y) >= -common.ROUNDING then
          found.radius = common.least(found.radius, rolling(x, v, y))
        end
      end
    end
    for _, y in ipairs(points) do
      found.radius = common.least(found.radius, rolling(x, outward(rows), y))
    end
    list[#list + 1] = found
  end
  return list
end

-- Sampled: sup of d(x, Q(s))/|t - s| over boundary points x of Q(t).
function common.hausdorff(case, count)
  local Q, info = common.set(case)
  local T, worst, points = info.horizon, 0, 0
  for _, part in ipairs{0, 0.2, 0.4, 0.6, 0.8, 1} do
    local t = part * T
    for _, x in ipairs(common.boundary(case, t, count)) do
      for _, shift in ipairs{-0.01, 0.01} do
        local s = math.min(math.max(t + shift * T, 0), T)
        local y = s ~= t and (Q:gap(s, x) >= 0 and x or Q:project(s, x))
        if y then
          worst = common.worst(worst, common.distance(x, y) / math.abs(s - t))
          points = points + 1
        end
      end
    end
  end
  return worst, points
end
