-- The shape of feasible sets, sampled: boundary points, the constants of the hypotheses, curvature,
-- rolling balls, and how sets move.
local common = ...

-- ---- the boundary -------------------------------------------------------------------------------

-- Points of the boundary of Q(t): from the start, or a centre of the problem's own, a few random
-- constraints are violated on purpose by up to `depth`, and the point is projected back. Few
-- subsets leave one contact, large ones many.
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

-- ---- hypotheses ---------------------------------------------------------------------------------

-- Measured constants of the case's problem (harness/study/hypotheses/constants.h), once a worker.
function common.known(case)
  return common.set(case):constants{scale = case.problem.scale}
end

-- Why the first of these hypotheses (harness/study/hypotheses/hypotheses.h) fails on the case's problem, or
-- nil.
function common.fails(case, names)
  common.known(case)
  return common.set(case):fails(names)
end

-- A check that does not apply where the theorem does not admit the problem, or one of these
-- hypotheses fails, and says which.
function common.where(names, check)
  return function(case)
    local reason
    if type(names) == "string" then
      common.known(case)
      local Q = common.set(case)
      local admitted, why = Q:admits(names)
      reason = not admitted and why
    else
      reason = common.fails(case, names)
    end
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

-- Samples that are too few show nothing: that ends the check.
function common.enough(found, least, what)
  if found < least then
    error(("%d %s found, of %d that a check asks for at least"):format(found, what, least), 0)
  end
end

-- At sampled boundary points: each {radius = estimate, M =, hypo =, alpha =, gamma =, slope =}.
function common.rolls(case, t, count)
  local Q = common.set(case)
  local scale = case.problem.scale
  local points = common.boundary(case, t, count)
  common.enough(#points, count // 2, "boundary points")
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

-- Sampled: sup of d(x, Q(s))/|t - s| over boundary points x of Q(t); how many pairs; sup |d_t g| at
-- them.
function common.hausdorff(case, count)
  local Q, info = common.set(case)
  local T, worst, points, rate = info.horizon, 0, 0, 0
  for _, part in ipairs{0, 0.2, 0.4, 0.6, 0.8, 1} do
    local t = part * T
    for _, x in ipairs(common.boundary(case, t, count)) do
      for _, shift in ipairs{-0.01, 0.01} do
        local s = math.min(math.max(t + shift * T, 0), T)
        local y = s ~= t and (Q:gap(s, x) >= 0 and x or Q:project(s, x))
        if y then
          worst = common.worst(worst, common.distance(x, y) / math.abs(s - t))
          for _, at in ipairs{t, (s + t) / 2, s} do
            for _, row in ipairs(Q:rows(at, x)) do rate = common.worst(rate, math.abs(row.dt)) end
          end
          points = points + 1
        end
      end
    end
  end
  common.enough(points, 6 * count, "pairs of a point and a time")
  return worst, points, rate
end
