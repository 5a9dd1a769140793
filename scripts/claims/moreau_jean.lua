-- Moreau and Jean's scheme with Newton's restitution: what it does, and does not, with several
-- contacts.
local common = ...
local lab = require "impactlab"

local row = {spec = {"cradle", e = 0.5}, scale = 0.2}
local inelastic = {spec = "cradle", scale = 0.2}
local ball = {spec = {"bouncing_ball", e = 0.5}, scale = 1}

local function rising(e)
  return {spec = lab.problem{
    name = "rising floor", order = 2, dimension = 1, horizon = 1, q0 = {0}, u0 = {0}, mass = {1}, restitution = e,
    constraints = function(t, q) return {{g = q[1] - t, grad = {1}, dt = -1}} end}, scale = 1}
end

lab.claim{
  id = "MJ-relative", source = "Moreau 1988; Jean 1999: v = d_t g + grad g . u in the impact law",
  statement = "from a floor of speed 1 a point at rest leaves with 1 + e",
  cases = {{problem = rising(0.5), scheme = "moreau_jean"}},
  controls = {{what = "e = 0", problem = rising(0)}, {what = "e a thousandth off", bend = function(run)
    run.final.u[1] = run.final.u[1] + 1e-3
  end}},
  check = function(case)
    local u = common.run(case, {steps = 8}).final.u[1]
    -- 1 + e and h = 1/8 are exact in binary; each step rounds u
    return common.row(case, {what = "|u - (1 + e)| at the end", measured = math.abs(u - 1.5), bound = 8 * 2.2e-16})
  end}

-- The last velocities of runs with these numbers of steps, those that differ by more than rounding.
local function outcomes(case, counts)
  local list = {}
  for _, N in ipairs(counts) do
    local u = common.run(case, {steps = N}).final.u
    local known = false
    for _, v in ipairs(list) do known = known or common.distance(u, v) <= common.CONTACT end
    if not known then list[#list + 1] = u end
  end
  return list
end

local function fine()
  local counts = {}
  for k = 1, 40 do counts[k] = 4000 + 37 * k end
  return counts
end

lab.claim{
  id = "MJ-limit", cost = {8}, source = "Moreau 1988; Jean 1999; the law u+ = P_C u- - e P_N u-",
  statement = "moreau_jean has a limit as h -> 0, which obeys the impact law, with several contacts and e > 0 too",
  cases = {{problem = row, scheme = "moreau_jean", several = true},
           {problem = inelastic, scheme = "moreau_jean"}, {problem = ball, scheme = "moreau_jean"}},
  controls = {
    {what = "e = 0, where it has a limit", problem = inelastic},
    {what = "one contact, where it has a limit", problem = ball},
    {what = "springs of fixed stiffness 1e5, e = 0", case = 2, scheme = "penalty:stiffness=1e5"}},
  check = function(case)
    if not case.several then return common.converges(case, {"u_L1"}, 32) end
    local found = outcomes(case, fine())
    local texts = {}
    for k, u in ipairs(found) do texts[k] = "(" .. common.list(u, "%.4g"):gsub(" ", ", ") .. ")" end
    local errors = common.errors({fine()}, function(N)
      return common.run(case, {steps = N}).error.u_L1
    end)
    local least = math.huge
    for _, run in ipairs(errors[1]) do least = common.least(least, run.e) end
    return {
      common.row(case, {what = "outcomes of 40 runs of N = 4000 to 5500 that differ, less one",
                        measured = #found - 1, bound = 0,
                        finding = "which contacts are predicted active together depends on N",
                        evidence = table.concat(texts, ", ")}),
      common.row(case, {what = "least u_L1 from the motion that the law gives", measured = least,
                        bound = 0.01,
                        finding = "contact after contact is solved, where the law takes all at once"})}
  end}
