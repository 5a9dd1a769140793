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

-- Curvatures by differences over a ten-thousandth of the scale, and radii from points a hundredth
-- of it away, are right to this much.
common.CURVED = 1e-2

-- What is left of a reaction outside the cone of its contacts: gradients of the node and of the
-- last round of the projection onto the true set differ by its tolerance, over the step.
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

-- Controls put these into a case; none of them is there in a check that stands:
--   scheme, problem   another scheme or problem altogether
--   constant = c      bounds are multiplied by c: a constant that is off
--   mass = c          the first body's mass, c times what it is, where the claim weighs it
--   bend = f(run)     falsifies a record; bend_nodes = f(nodes) its nodes, velocities, contacts
-- and a few that single checks read, which say so.

-- The set of a case, made once a worker.
local sets = {}
function common.set(case)
  local key = case.problem
  if sets[key] == nil then
    local Q = lab.set{problem = case.problem.spec}
    sets[key] = {Q = Q, info = Q:info()}
  end
  local Q, info = sets[key].Q, sets[key].info
  if case.mass then
    info = setmetatable({masses = {table.unpack(info.masses)}}, {__index = info})
    for k = 1, math.max(info.space, 1) do info.masses[k] = case.mass * info.masses[k] end
  end
  return Q, info
end

-- A row of a case: what was measured against its bound.
function common.row(case, row)
  local _, info = common.set(case)
  row.problem = row.problem or info.label
  row.scheme = row.scheme or case.scheme
  row.bound = row.bound and row.bound * (case.constant or 1)
  return row
end

-- A run of a case, without the norms that need the whole run unless args names some. A run that ends badly
-- ends the check: there is nothing to measure.
function common.run(case, args)
  args.problem, args.scheme = case.problem.spec, case.scheme
  args.norms = args.norms or {"none"}
  local run = lab.run(args)
  if run.status ~= "ok" then
    error(("%s by %s: %s: %s"):format(run.problem, run.scheme, run.status, run.message), 0)
  end
  if case.bend then case.bend(run) end
  run.bend_nodes = case.bend_nodes
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
  if run.bend_nodes then run.bend_nodes(nodes) end
  return nodes
end

-- A row that says whether runs with these numbers of steps stay admissible: at nodes ("nodes_min"),
-- or with the steps searched inside ("between_min").
function common.admissible(case, counts, field, what)
  local least = math.huge
  for _, N in ipairs(counts) do
    least = common.least(least, common.run(case, {steps = N}).feasibility[field])
  end
  if case.late then -- a control: nodes of another problem, judged by this one
    local Q = common.set(case)
    local other = setmetatable({problem = {spec = case.problem.late}}, {__index = case})
    local nodes = common.nodes(common.run(other, {steps = counts[#counts], trajectory = true}))
    for n = 1, #nodes.t do least = common.least(least, Q:gap(nodes.t[n], nodes.q[n])) end
  end
  return common.row(case, {what = what, measured = least, sense = ">=", bound = -common.ROUNDING})
end

-- ---- multipliers --------------------------------------------------------------------------------

-- M (u_n - u_{n-1}) - h f at the step that ends at node n. Force means of these problems are
-- values.
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
-- are as near), the largest h sum lambda over |M du - h f|/delta, the largest gamma, and the totals
-- of h lambda and |M du| + h |f|. Gradients are those that the scheme uses: at (t_n, q_{n-1}) where
-- it linearises, at (t_n, q_n) where it projects onto the true set.
function common.multipliers(case, N)
  local Q = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true}))
  local back = case.scheme == "paoli" and 0 or 1
  local found = {slope = math.huge, residual = 0, size = 0, steps = 0, gamma = 1, impulse = 0, cause = 0,
                 alpha = math.huge, nodes = nodes}
  for n = 2, #nodes.t do
    local sum, reach = 0, 0
    local q = nodes.q[n - back]
    if #nodes.contacts[n] > 0 then
      local rows = {}
      for _, row in ipairs(Q:rows(nodes.t[n], q)) do rows[row.id] = row end
      local rest = reaction(case, nodes, n)
      local size = common.norm(rest)
      for _, contact in ipairs(nodes.contacts[n]) do
        local row = rows[contact.id]
        rest = common.axpy(rest, -contact.impulse, row.grad)
        sum, reach = sum + contact.impulse, math.max(reach, row.g)
        found.alpha = common.least(found.alpha, common.norm(row.grad))
      end
      local near = Q:independence(nodes.t[n], q, reach + common.CONTACT)
      found.steps = found.steps + 1
      found.slope = common.least(found.slope, near.slope)
      found.gamma = common.worst(found.gamma, 1 / near.inverse)
      found.residual = common.worst(found.residual, common.norm(rest))
      found.size = common.worst(found.size, size)
      found.impulse = found.impulse + sum
    end
    found.cause = found.cause + variation(case, nodes, n)
  end
  return found
end

-- Integrals of test functions against the contact measure, between levels: weak-* convergence as
-- far as finitely many functions can see.
local function moments(case, N)
  local _, info = common.set(case)
  local T = info.horizon
  local run = common.run(case, {steps = N, trajectory = true, record = "final"})
  local x = {0, 0, 0, 0}
  for n, contacts in ipairs(common.nodes(run).contacts) do
    for _, contact in ipairs(contacts) do
      local t = (n - 1) * run.h / T
      x[1], x[2] = x[1] + contact.impulse, x[2] + contact.impulse * t
      x[3] = x[3] + contact.impulse * t * t
      x[4] = x[4] + contact.impulse * t * t * t
    end
  end
  return x
end

function common.multipliers_settle(case)
  local flat = {"flat_lambda"}
  local first = common.run(case, {steps = 32, norms = flat}).error
  if first and first.flat_lambda then
    return common.vanishing(case, "flat distance of lambda_h from lambda", 16, function(N)
      return common.run(case, {steps = N, norms = flat}).error.flat_lambda or 0 / 0
    end)
  end
  local other = setmetatable({scheme = case.scheme == "paoli" and "maury" or "paoli"},
                             {__index = case})
  local finest = moments(other, 200003) -- a hundred times as many steps as the finest run has
  local what = ("int phi d(lambda_h - lambda of %s), phi = 1, t, t^2, t^3"):format(other.scheme)
  return common.vanishing(case, what, 16, function(N) return common.distance(moments(case, N), finest) end)
end

return common
