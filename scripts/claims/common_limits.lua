-- Limits: errors that vanish with h, quantities that stay bounded, laws that hold in the limit; and
-- what controls do to nodes.
local common = ...
local lab = require "impactlab"

-- ---- convergence --------------------------------------------------------------------------------

-- Errors of runs against the nearest known solution, in several norms; one row a norm.
function common.converges(case, norms, from)
  local known, rows = {}, {}
  local function error_of(N)
    known[N] = known[N] or common.run(case, {steps = N}).error
    return known[N]
  end
  for k, norm in ipairs(norms) do
    rows[k] = common.vanishing(case, norm, from or 16, function(N) return error_of(N)[norm] or 0 / 0 end)
  end
  return rows
end

-- Errors of positions at nodes against a solution that was written in Lua, which is asked nowhere
-- else.
function common.node_errors(case)
  return common.vanishing(case, "largest |q_h - q| at a node", 16, function(N)
    local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
    local most = 0
    for n = 1, #nodes.t do
      most = common.worst(most, common.distance(nodes.q[n], (case.problem.exact(nodes.t[n], 1))))
    end
    return most
  end)
end

-- Positions at thirty times, by a run of N steps.
local function positions(case, N)
  local _, info = common.set(case)
  local times = {}
  for k = 1, 30 do times[k] = info.horizon * k / 30 end
  return common.run(case, {steps = N, samples = times, record = "final"}).samples
end

local function farthest(a, b)
  local most = 0
  for k, sample in ipairs(a) do most = common.worst(most, common.distance(sample.q, b[k].q)) end
  return most
end

-- Do runs settle, to whatever limit: mean distances between a run of N and five of about 2 N steps.
function common.settles(case, from)
  local levels = common.levels(from, common.LEVELS + 1)
  local known = {}
  local function at(N)
    known[N] = known[N] or positions(case, N)
    return known[N]
  end
  return common.vanishing(case, "|q_h - q_(h/2)|", from, function(N, k)
    local sum = 0
    for _, next in ipairs(levels[k + 1]) do sum = sum + farthest(at(N), at(next)) end
    return sum / #levels[k + 1]
  end)
end

-- Distance of runs to a fine one by another scheme, of ten times as many steps as the finest of them.
function common.agrees(case, scheme, N, from)
  local other = setmetatable({scheme = scheme}, {__index = case})
  local fine = positions(other, N)
  return common.vanishing(case, ("|q_h - q of %s, N = %d|"):format(scheme, N), from, function(n)
    return farthest(positions(case, n), fine)
  end)
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
  local what = ("|u_h(t+) - P_C u_h(t-)| at %d impacts"):format(#list)
  return common.vanishing(case, what, 32, function(N)
    local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
    local delta, worst = 0.25 * math.sqrt(nodes.h * info.horizon), 0
    for _, impact in ipairs(list) do
      local before, after = velocity_at(nodes, impact.t - delta), velocity_at(nodes, impact.t + delta)
      local projected = Q:velocity(impact.t, impact.q, before, common.CONTACT)
      worst = common.worst(worst, common.distance(after, projected))
    end
    return worst
  end)
end

-- ---- bounded in h -------------------------------------------------------------------------------

-- 16 times finer, a bounded quantity grows by less than a quarter over the least before: h^(-p) with
-- p > 0.08 does not.
common.FLAT = 1.25

-- What grows by less than that may still grow for ever: the second half of the levels adds less
-- than this of what the first did (a logarithm adds as much again, a power of 1/h more), or less
-- than STILL of all.
local SLOWS = 0.8
local STILL = 0.01

-- Growth from the least of the levels on, and whether it slows: what shrinks first and grows then does
-- not.
function common.growth(case, name, most)
  local least = math.huge
  for k = 1, #most - 1 do least = common.least(least, most[k]) end
  local later, sooner = most[5] - most[3], most[3] - most[1]
  local rows = {common.row(case, {
    what = name .. ", the finest of five levels over the least of the others", measured = most[5] / least,
    bound = common.FLAT, evidence = common.list(most, "%.4g")})}
  if not (later <= STILL * most[5]) then
    rows[2] = common.row(case, {what = name .. ": growth of the last two octaves over that before",
                                measured = later / math.max(sooner, 0), bound = SLOWS})
    if rows[1].measured > common.FLAT and rows[2].measured <= SLOWS then
      rows[1].inconclusive = "it still grows, ever more slowly: the steps do not yet resolve the contacts"
    end
  end
  return rows
end

-- sup |u_h|, or the total variation, over five levels.
function common.bounded(case, field)
  local most = {}
  for k, counts in ipairs(common.levels(96, 5)) do
    most[k] = 0
    for _, N in ipairs{counts[1], counts[3], counts[5]} do
      local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
      local variation, sup = 0, 0
      for n = 1, #nodes.t do
        sup = common.worst(sup, common.norm(nodes.u[n]))
        variation = variation + (n > 1 and common.distance(nodes.u[n], nodes.u[n - 1]) or 0)
      end
      most[k] = common.worst(most[k], field == "variation" and variation or sup)
    end
  end
  return common.growth(case, field == "variation" and "Var u_h" or "sup |u_h|", most)
end

-- ---- support ------------------------------------------------------------------------------------

-- Contact acts where there is contact: the share of the impulse on constraints that end its step
-- with g > c h, at each of four levels. A step that solves its linearised constraint leaves g =
-- O(h^2), so that c may be small: a tenth of what the gap changes in a step at the speed of the
-- start.
local function astray(case, N)
  local Q, info = common.set(case)
  local nodes = common.nodes(common.run(case, {steps = N, trajectory = true, record = "final"}))
  local speed, far, total = common.norm(info.u0), 0, 0
  for n = 2, #nodes.t do
    speed = math.max(speed, common.norm(nodes.u[n]))
  end
  for n = 2, #nodes.t do
    local rows = {}
    for _, row in ipairs(#nodes.contacts[n] > 0 and Q:rows(nodes.t[n], nodes.q[n]) or {}) do
      rows[row.id] = row
    end
    for _, contact in ipairs(nodes.contacts[n]) do
      local row = rows[contact.id]
      total = total + contact.impulse
      if not (row.g <= 0.1 * nodes.h * common.norm(row.grad) * speed) then
        far = far + contact.impulse
      end
    end
  end
  return far / total
end

function common.carried(case)
  local shares = {}
  for k, N in ipairs{75, 150, 300, 600} do shares[k] = astray(case, N) end
  return common.row(case, {
    what = "share of the impulse where g > h |grad g| sup |u|/10, two finest of four levels",
    measured = common.worst(shares[3], shares[4]), bound = 0, evidence = common.list(shares)})
end

-- ---- what controls do to nodes ------------------------------------------------------------------

-- Every impulse c times what it is: the velocities after it are off by what it did too much.
function common.impulses(c)
  return function(nodes)
    local off, before = nil, nodes.u[1]
    for n = 2, #nodes.t do
      local now = nodes.u[n]
      if #nodes.contacts[n] > 0 then
        local change = common.axpy(now, -1, before)
        off = off and common.axpy(off, c - 1, change) or common.axpy(change, c - 2, change)
      end
      before, nodes.u[n] = now, off and common.axpy(now, 1, off) or now
      for _, contact in ipairs(nodes.contacts[n]) do contact.impulse = c * contact.impulse end
    end
  end
end

-- Multipliers c times what they are, and the velocities as they were.
function common.louder(c)
  return function(nodes)
    for n = 1, #nodes.t do
      for _, contact in ipairs(nodes.contacts[n]) do contact.impulse = c * contact.impulse end
    end
  end
end

-- Velocities that grow like h^(-1/4).
function common.swell(nodes)
  local factor = 1 / math.sqrt(math.sqrt(nodes.h))
  for n = 1, #nodes.t do nodes.u[n] = common.axpy(nodes.u[n], factor - 1, nodes.u[n]) end
end

-- Velocities that grow like log 1/h, by counting halvings.
function common.creep(nodes)
  local halvings, h = 0, nodes.h
  while h < 1 do halvings, h = halvings + 1, 2 * h end
  local factor = 0.25 * (halvings + 1 - (h - 1))
  for n = 1, #nodes.t do nodes.u[n] = common.axpy(nodes.u[n], factor - 1, nodes.u[n]) end
end

-- Velocities that shrink with h down to h = T/256, and then grow like h^(-1/2).
function common.dip(nodes)
  local N = #nodes.t - 1
  local factor = N < 150 and 3 or 1.7 * math.sqrt(N / 384)
  for n = 1, #nodes.t do nodes.u[n] = common.axpy(nodes.u[n], factor - 1, nodes.u[n]) end
end

-- Velocities c times what they are.
function common.faster(c)
  return function(nodes)
    for n = 2, #nodes.t do nodes.u[n] = common.axpy(nodes.u[n], c - 1, nodes.u[n]) end
  end
end

-- Contacts that act a part of the run too early.
function common.early(part)
  return function(nodes)
    local count, shifted = #nodes.t, {}
    local by = math.floor(part * count)
    for n = 1, count do shifted[n] = nodes.contacts[n + by] or {} end
    nodes.contacts = shifted
  end
end
