-- What the claim files share: problems, vectors, sampled boundary points, sampled constants,
-- convergence over levels. Returns one table; the other files receive it as their argument.
local lab = require "impactlab"
local common = {}

-- A thousand roundings of a number of size four: what exact projections may leave in gaps, sums of
-- momenta and energies of problems whose coordinates and velocities are of size one.
common.ROUNDING = 1e-12

-- Gaps below this count as contact: above what projections leave (ROUNDING), below every gap that a
-- sampled configuration has by chance.
common.CONTACT = 1e-9

-- Curvatures by differences over a ten-thousandth of the scale, and radii from points a hundredth of
-- it away, are right to this much.
common.CURVED = 1e-2

-- What is left of a reaction outside the cone of its contacts: gradients of the node and of the last
-- round of the projection onto the true set differ by its tolerance, over the step.
common.NORMAL = 1e-9

-- ---- vectors ------------------------------------------------------------------------------------

function common.dot(a, b)
  local sum = 0
  for k = 1, #a do sum = sum + a[k] * b[k] end
  return sum
end

function common.norm(a) return math.sqrt(common.dot(a, a)) end

-- a + c b
function common.axpy(a, c, b)
  local x = {}
  for k = 1, #a do x[k] = a[k] + c * b[k] end
  return x
end

function common.distance(a, b) return common.norm(common.axpy(a, -1, b)) end

-- A random vector of length one.
function common.direction(d)
  local x = {}
  for k = 1, d do
    x[k] = math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
  end
  local size = common.norm(x)
  for k = 1, d do x[k] = x[k] / size end
  return x
end

-- math.max loses a NaN that comes second; this keeps it.
function common.worst(a, b) return (a ~= a or b ~= b) and 0 / 0 or math.max(a, b) end
function common.least(a, b) return (a ~= a or b ~= b) and 0 / 0 or math.min(a, b) end

-- ---- rows and runs ------------------------------------------------------------------------------

-- The set of a case, made once a worker.
local sets = {}
function common.set(case)
  local key = case.problem
  if sets[key] == nil then
    local Q = lab.set{problem = case.problem.spec}
    sets[key] = {Q = Q, info = Q:info()}
  end
  return sets[key].Q, sets[key].info
end

-- A row of a case: what was measured against its bound.
function common.row(case, row)
  local _, info = common.set(case)
  row.problem = row.problem or info.label
  row.scheme = row.scheme or case.scheme
  return row
end

-- A run of a case. A run that ends badly ends the check: there is nothing to measure.
function common.run(case, args)
  args.problem, args.scheme = case.problem.spec, case.scheme
  local run = lab.run(args)
  if run.status ~= "ok" then
    error(("%s by %s: %s: %s"):format(run.problem, run.scheme, run.status, run.message), 0)
  end
  return run
end

-- The nodes of a run: arrays t, q[n], u[n] (vectors), h, contacts by step.
function common.nodes(run)
  local trajectory = run.trajectory
  local nodes = {t = trajectory:t(), q = {}, u = {}, contacts = {}, h = run.h}
  for n = 1, #nodes.t do nodes.q[n], nodes.u[n], nodes.contacts[n] = {}, {}, {} end
  for k = 1, trajectory:dimension() do
    local q, u = trajectory:q(k), trajectory:u(k)
    for n = 1, #nodes.t do nodes.q[n][k], nodes.u[n][k] = q[n], u[n] end
  end
  for _, contact in ipairs(trajectory:contacts()) do
    local list = nodes.contacts[contact.step + 1]
    list[#list + 1] = contact
  end
  return nodes
end

-- A row that says whether runs with these numbers of steps stay admissible: at nodes ("nodes_min"),
-- or with the steps searched inside ("between_min").
function common.admissible(case, counts, field, what)
  local least = math.huge
  for _, N in ipairs(counts) do
    least = common.least(least, common.run(case, {steps = N}).feasibility[field])
  end
  return common.row(case, {what = what, measured = least, sense = ">=", bound = -common.ROUNDING})
end

-- ---- convergence --------------------------------------------------------------------------------

-- Step counts of `count` levels, each twice as fine as the one before; inside a level they differ, so
-- that the place of an impact within its step does.
function common.levels(from, count)
  local levels = {}
  for k = 0, count - 1 do
    levels[k + 1] = {}
    for j, factor in ipairs{1, 1.13, 1.31, 1.57, 1.83} do
      levels[k + 1][j] = math.floor(from * 2 ^ k * factor + 0.5)
    end
  end
  return levels
end

-- The largest value of measure(N) in every level.
function common.maxima(levels, measure)
  local maxima = {}
  for k, counts in ipairs(levels) do
    local most = -math.huge
    for _, N in ipairs(counts) do most = common.worst(most, measure(N)) end
    maxima[k] = most
  end
  return maxima
end

-- By what factor errors fell from the first level to the last; 0 where they are rounding.
function common.fall(maxima)
  local last = maxima[#maxima]
  return last <= common.ROUNDING and 0 or last / maxima[1]
end

-- Theorems without a rate promise only that errors vanish. Over four doublings of N (16 times) they
-- must fall to less than a third: any power h^p with p > 0.4 does, a limit that is missed does not.
common.LEVELS = 5
common.FALL = 1 / 3

function common.list(numbers, format)
  local texts = {}
  for k, x in ipairs(numbers) do texts[k] = (format or "%.2e"):format(x) end
  return table.concat(texts, " ")
end

-- A row that says whether an error vanishes with h.
function common.vanishes(case, what, maxima)
  return common.row(case, {
    what = what .. ", finest over coarsest level", measured = common.fall(maxima),
    bound = common.FALL, evidence = "levels: " .. common.list(maxima)})
end

-- Errors of runs against the nearest known solution, in several norms; one row a norm.
function common.converges(case, norms, from)
  local levels = common.levels(from or 32, common.LEVELS)
  local runs, rows = {}, {}
  for _, counts in ipairs(levels) do
    for _, N in ipairs(counts) do runs[N] = common.run(case, {steps = N}) end
  end
  for _, norm in ipairs(norms) do
    local maxima = common.maxima(levels, function(N) return runs[N].error[norm] or 0 / 0 end)
    rows[#rows + 1] = common.vanishes(case, norm, maxima)
  end
  return rows
end

-- ---- multipliers --------------------------------------------------------------------------------

-- M (u_n - u_{n-1}) - h f at the step that ends at node n. Force means of these problems are values.
local function reaction(case, nodes, n)
  local Q, info = common.set(case)
  local f = Q:force(nodes.t[n - 1], nodes.q[n - 1])
  local w = {}
  for k = 1, #f do
    local change = info.order == 1 and nodes.u[n][k] * nodes.h or
                   info.masses[k] * (nodes.u[n][k] - nodes.u[n - 1][k])
    w[k] = change - nodes.h * f[k]
  end
  return w
end
common.reaction = reaction

-- |M (u_n - u_{n-1})| + h |f|
local function variation(case, nodes, n)
  local Q, info = common.set(case)
  local change = common.axpy(nodes.u[n], -1, nodes.u[n - 1])
  for k = 1, #change do change[k] = info.masses[k] * change[k] end
  return common.norm(change) + nodes.h * common.norm(Q:force(nodes.t[n - 1], nodes.q[n - 1]))
end

-- Over the steps with contact of a run: the least delta of the constraints that push (with all that
-- are as near), the largest h sum lambda over |M du - h f|/delta, the largest gamma, and the totals of
-- h lambda and |M du| + h |f|. Gradients are those that the scheme uses: at (t_n, q_{n-1}) where it
-- linearises, at (t_n, q_n) where it projects onto the true set.
function common.multipliers(case, N)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  local back = case.scheme == "paoli" and 0 or 1
  local found = {slope = math.huge, ratio = 0, steps = 0, gamma = 1, impulse = 0, cause = 0,
                 alpha = math.huge, nodes = nodes}
  for n = 2, #nodes.t do
    local sum, reach = 0, 0
    local q = nodes.q[n - back]
    if #nodes.contacts[n] > 0 then
      local rows = {}
      for _, row in ipairs(Q:rows(nodes.t[n], q)) do rows[row.id] = row end
      for _, contact in ipairs(nodes.contacts[n]) do
        local row = rows[contact.id]
        sum, reach = sum + contact.impulse, math.max(reach, row.g)
        found.alpha = common.least(found.alpha, common.norm(row.grad))
      end
      local near = Q:independence(nodes.t[n], q, reach + common.CONTACT)
      local size = common.norm(reaction(case, nodes, n))
      found.steps = found.steps + 1
      found.slope = common.least(found.slope, near.slope)
      found.gamma = common.worst(found.gamma, 1 / near.inverse)
      found.ratio = common.worst(found.ratio, sum * near.slope / (size + common.ROUNDING))
      found.impulse = found.impulse + sum
    end
    found.cause = found.cause + variation(case, nodes, n)
  end
  return found
end

-- Integrals of test functions against the contact measure, between levels: weak-* convergence as far
-- as finitely many functions can see.
local function moments(case, N)
  local _, info = common.set(case)
  local T = info.horizon
  local run = common.run(case, {steps = N, trajectory = true})
  local x = {0, 0, 0, 0}
  for _, contact in ipairs(run.trajectory:contacts()) do
    local t = contact.step * run.h / T
    x[1], x[2] = x[1] + contact.impulse, x[2] + contact.impulse * t
    x[3] = x[3] + contact.impulse * t * t
    x[4] = x[4] + contact.impulse * math.cos(3 * t)
  end
  return x
end

function common.multipliers_settle(case)
  local first = common.run(case, {steps = 32}).error
  if first and first.flat_lambda then
    local maxima = common.maxima(common.levels(32, common.LEVELS), function(N)
      return common.run(case, {steps = N}).error.flat_lambda or 0 / 0
    end)
    return common.vanishes(case, "flat distance of lambda_h from lambda", maxima)
  end
  local finest = moments(case, 20011)
  local maxima = common.maxima(common.levels(32, common.LEVELS), function(N)
    return common.distance(moments(case, N), finest)
  end)
  return common.vanishes(case, "int phi d(lambda_h - lambda_fine), phi = 1, t, t^2, cos 3t", maxima)
end

-- ---- the impact law -----------------------------------------------------------------------------

-- The impacts of the exact solution: t, q, u-, u+.
local function impacts(case)
  local exact = lab.exact{problem = case.problem.spec, points = 1}
  local list = {}
  local function at(curves, n)
    local x = {}
    for k = 1, #curves do x[k] = curves[k][n] end
    return x
  end
  for n = 2, exact and #exact.t or 0 do
    local before, after = at(exact.u, n - 1), at(exact.u, n)
    if exact.t[n] == exact.t[n - 1] and common.distance(before, after) > common.CONTACT then
      list[#list + 1] = {t = exact.t[n], q = at(exact.q, n), before = before, after = after}
    end
  end
  return list
end

-- u_h at t.
local function velocity_at(nodes, t)
  for n = 2, #nodes.t do
    if nodes.t[n] >= t then return nodes.u[n] end
  end
  return nodes.u[#nodes.u]
end

-- |u_h(t* + delta) - P_C u_h(t* - delta)| at the exact impacts t*, delta = sqrt(h T)/4: many steps,
-- and yet vanishing.
function common.impact_law(case)
  local reason = common.fails(case, {"inelastic"})
  local list = impacts(case)
  if not reason and #list == 0 then reason = "no exact solution with an impact is known" end
  if reason then return common.row(case, {not_applicable = reason}) end
  local Q, info = common.set(case)
  local maxima = common.maxima(common.levels(64, common.LEVELS + 1), function(N)
    local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
    local delta, worst = 0.25 * math.sqrt(nodes.h * info.horizon), 0
    for _, impact in ipairs(list) do
      local before, after = velocity_at(nodes, impact.t - delta), velocity_at(nodes, impact.t + delta)
      local projected = Q:velocity(impact.t, impact.q, before, common.CONTACT)
      worst = common.worst(worst, common.distance(after, projected))
    end
    return worst
  end)
  return common.vanishes(case, ("|u_h(t+) - P_C u_h(t-)| at %d impacts"):format(#list), maxima)
end

-- ---- bounded in h -------------------------------------------------------------------------------

-- 16 times finer, a bounded quantity grows by less than a quarter: h^(-p) with p > 0.08 does not.
common.FLAT = 1.25

-- What grows ever more slowly may still be bounded: the second quadrupling adds less than this of
-- what the first did. (A logarithm adds as much again, a power of 1/h more.)
local SLOWS = 0.8

-- sup |u_h|, or the total variation, at fine steps over that at steps 16 times as large.
function common.bounded(case, field)
  local levels = common.levels(96, common.LEVELS)
  local maxima = common.maxima({levels[1], levels[3], levels[5]}, function(N)
    if field == "variation" then return common.run(case, {steps = N}).total_variation end
    local most = 0
    local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
    for n = 1, #nodes.t do most = common.worst(most, common.norm(nodes.u[n])) end
    return most
  end)
  local row = common.row(case, {
    what = (field == "variation" and "Var u_h" or "sup |u_h|") .. ", 16 times finer over coarse",
    measured = maxima[3] / maxima[1], bound = common.FLAT, evidence = common.list(maxima, "%.4g")})
  if row.measured > common.FLAT and maxima[3] - maxima[2] <= SLOWS * (maxima[2] - maxima[1]) then
    row.inconclusive = "it still grows, ever more slowly: the steps do not yet resolve the contacts"
  end
  return row
end

-- Contact acts where there is contact: the part of the impulse on constraints with g > c h, with
-- c = sup (|grad g| |u_h|) for linearised steps, where g(t_n, q_{n-1}) = -h <grad g, u_n>.
function common.carried(case, N)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  local back = case.scheme == "paoli" and 0 or 1
  local astray, total = 0, 0
  for n = 2, #nodes.t do
    local rows = {}
    for _, row in ipairs(#nodes.contacts[n] > 0 and Q:rows(nodes.t[n], nodes.q[n - back]) or {}) do
      rows[row.id] = row
    end
    for _, contact in ipairs(nodes.contacts[n]) do
      local row = rows[contact.id]
      local reach = nodes.h * common.norm(row.grad) * common.norm(nodes.u[n]) + common.CONTACT
      total = total + contact.impulse
      if not (row.g <= reach) then astray = astray + contact.impulse end
    end
  end
  return astray, total
end

return common
