-- Adly & Thieu (2022): the position scheme on sets with Lipschitz gradients. Their f_i are -g_i.
local common = ...
local lab = require "impactlab"

local PAOLI = {"paoli"}
local VIBROIMPACT = {"slide", "corner", "graze"}
local ALL = {"slide", "corner", "graze", "free", "pressed", "ball", "sticky", "growing", "cradle",
             "wedge"}

-- mu of A2 asks for a direction that raises all constraints, active or not; gamma of A1(ii) is how
-- much the gradients of g may gain along a difference.
local function slater(case, count)
  local Q, info = common.set(case)
  local mu = math.huge
  for _, part in ipairs{0, 0.5, 1} do
    local t = part * info.horizon
    for _, q in ipairs(common.boundary(case, t, count)) do
      mu = common.least(mu, Q:independence(t, q, math.huge).slope)
    end
  end
  return mu
end

lab.claim{
  id = "A1-A4", source = "Adly & Thieu 2022, assumptions A1-A4 and section 5",
  statement = "the hypotheses, sampled: mu of A2, gamma and L of A1, and A4 as Lemma 4.10 uses it, " ..
              "<grad g_j, grad g_k> <= 0 where both are active",
  cases = common.cases{"corner", "free", "sticky", "growing", "cradle", "impact", "pile", "flower",
                       "wedge"},
  check = function(case)
    local c = common.known(case)
    local mu = slater(case, 10)
    local text = ("|grad g| %.3g to %.3g, Lipschitz %.3g, gamma %.3g, mu %.3g, cosine of active " ..
                  "gradients %.3g"):format(c.alpha, c.beta, c.M, c.hypo, mu, c.angle)
    local row = common.row(case, {what = "mu of A2, over all constraints", measured = mu, sense = ">=",
                                  bound = common.CONTACT, evidence = text})
    if not (mu > common.CONTACT) then
      row.not_applicable = "no direction raises all constraints at once, active or not: A2 fails as " ..
                           "it is written"
    end
    local angle = common.row(case, {what = "largest cosine of active gradients (A4)",
                                    measured = c.angle, bound = common.CONTACT})
    local reason = common.fails(case, {"acute"})
    angle.not_applicable = reason and reason .. "; Theorem 4.1 does not promise the impact law here"
    if c.contacts < 2 then angle.not_applicable = "never two constraints are active at once" end
    return {row, angle}
  end}

lab.claim{
  id = "AT-example", source = "Adly & Thieu 2022, section 5",
  statement = "the example has mu = 1, gamma = 1/2, d_t f_i = d_y f_i = -1, |grad f_i| <= sqrt(5)/2",
  cases = common.cases{"corner"},
  check = function(case)
    local Q = common.set(case)
    local corner = {2, -1}
    local rows = Q:rows(0, corner)
    local hypo, lipschitz, rate = 0, 0, 0
    for _ = 1, 400 do
      local a = {8 * math.random() - 2, 0}
      local b = {a[1] + math.random() - 0.5, 0}
      local ra, rb = Q:rows(0, a), Q:rows(0, b)
      for i = 1, 2 do
        local by, far = common.axpy(rb[i].grad, -1, ra[i].grad), b[1] - a[1]
        hypo = common.worst(hypo, by[1] / far)
        lipschitz = common.worst(lipschitz, common.norm(by) / math.abs(far))
        rate = common.worst(rate, math.max(math.abs(ra[i].dt - 1), math.abs(ra[i].grad[2] - 1)))
      end
    end
    return {
      common.row(case, {what = "|d_t g - 1|, |d_y g - 1|", measured = rate, bound = 0}),
      common.row(case, {what = "mu at the corner", measured = Q:independence(0, corner, 1).slope,
                        sense = ">=", bound = 1 - common.ROUNDING}),
      common.row(case, {what = "gamma of A1(ii)", measured = hypo, bound = 0.5 + common.ROUNDING}),
      common.row(case, {what = "Lipschitz rank of the gradients", measured = lipschitz,
                        bound = 0.5 + common.ROUNDING, evidence = "the paper has sqrt(5)/2: 1/2 will do"}),
      common.row(case, {
        what = "|grad g_i| where both are active", measured = common.norm(rows[1].grad),
        bound = math.sqrt(5) / 2,
        finding = "at the corner (2,-1) both gradients have length sqrt(2) > sqrt(5)/2",
        evidence = "with the formulas that the listed properties lead to, sqrt(5)/2 holds for |x| <= 1"})}
  end}

lab.claim{
  id = "AT-P3.1", source = "Adly & Thieu 2022, Proposition 3.1",
  statement = "Q(t) is prox-regular with radius min(rho, mu/gamma)",
  cases = common.cases{"slide", "free", "growing"},
  check = function(case)
    local mu = slater(case, 10)
    local gamma, least = 0, math.huge
    for _, found in ipairs(common.rolls(case, 0, 40)) do
      gamma = common.worst(gamma, found.hypo)
      least = common.least(least, found.radius)
    end
    local row = common.row(case, {
      what = "least radius of a ball rolled outside", measured = least, sense = ">=",
      bound = (1 - common.CURVED) * mu / gamma,
      evidence = ("mu %.4g, gamma %.4g"):format(mu, gamma)})
    if not (mu > common.CONTACT) then row.not_applicable = "A2 fails: mu = 0" end
    return row
  end}

lab.claim{
  id = "AT-P3.2", source = "Adly & Thieu 2022, Proposition 3.2",
  statement = "t -> Q(t) is Lipschitz with constant L/mu",
  cases = common.cases{"slide", "growing", "shaken"},
  check = function(case)
    local c = common.known(case)
    local mu = slater(case, 10)
    local worst, points = common.hausdorff(case, 15)
    return common.row(case, {
      what = "largest d(x, Q(s))/|t - s|", measured = worst, bound = c.rate / mu + common.CONTACT,
      evidence = ("%d pairs; |d_t g| <= %.3g, mu %.3g"):format(points, c.rate, mu)})
  end}

lab.claim{
  id = "AT-L4.2", source = "Adly & Thieu 2022, Lemma 4.2",
  statement = "P_{n-1} - P_n + h G_n lies in the normal cone of C(t_{n+1}) at Q_{n+1}",
  cases = common.cases(ALL, PAOLI),
  check = function(case)
    local Q, info = common.set(case)
    local worst, certified = 0, 0
    for _, N in ipairs{25, 130} do
      local run = common.run(case, {steps = N, trajectory = true})
      local nodes = common.nodes(run)
      certified = common.worst(certified, run.certificate.stationarity_relative)
      for n = 2, #nodes.t do
        -- the part of w outside the cone is its projection onto the tangent cone (Moreau); in the
        -- metric of M for M^{-1} w
        local w = common.reaction(case, nodes, n)
        for k = 1, #w do w[k] = -w[k] / info.masses[k] end
        local rest = Q:tangent(nodes.t[n], nodes.q[n], w, common.CONTACT)
        worst = common.worst(worst, common.norm(rest))
      end
    end
    return {
      common.row(case, {what = "distance from the cone", measured = worst,
                        bound = common.NORMAL}),
      common.row(case, {what = "stationarity of the record, relative", measured = certified,
                        bound = common.ROUNDING})}
  end}

lab.claim{
  id = "AT-P4.2", source = "Adly & Thieu 2022, Proposition 4.2",
  statement = "the discrete velocities are bounded uniformly in h",
  cases = common.cases(ALL, PAOLI),
  check = function(case) return common.bounded(case, "sup") end}

lab.claim{
  id = "AT-P4.3", source = "Adly & Thieu 2022, Proposition 4.3",
  statement = "their variation is bounded uniformly in h",
  cases = common.cases(ALL, PAOLI),
  check = function(case) return common.bounded(case, "variation") end}

lab.claim{
  id = "AT-P4.4", source = "Adly & Thieu 2022, scheme (4) and Proposition 4.4",
  statement = "positions at nodes are admissible",
  cases = common.cases(ALL, PAOLI),
  check = function(case)
    return common.admissible(case, {9, 33, 150}, "nodes_min", "min g at nodes")
  end}

lab.claim{
  id = "AT-L4.5", source = "Adly & Thieu 2022, Lemma 4.5",
  statement = "sum lambda_i^n <= (1/mu) (Var p_N + int F)",
  cases = common.cases(ALL, PAOLI),
  check = function(case)
    local found = common.multipliers(case, 120)
    return common.row(case, {
      what = "h sum lambda over its bound", measured = found.impulse * found.slope / found.cause,
      bound = 1 + common.ROUNDING, evidence = ("delta of the active ones %.3g, %d steps with contact"):format(
        found.slope, found.steps)})
  end}

lab.claim{
  id = "AT-P4.5", source = "Adly & Thieu 2022, Proposition 4.5",
  statement = "the limit obeys u+ = P_T u-",
  cases = common.cases({"slide", "corner", "free", "pressed", "sticky3", "growing", "cradle", "wedge"},
                       PAOLI),
  check = common.where({"independent", "acute"}, common.impact_law)}

lab.claim{
  id = "AT-T4.1", source = "Adly & Thieu 2022, Theorem 4.1",
  statement = "q_N converges uniformly to a solution (along a subsequence)",
  cases = common.cases({"slide", "corner", "graze", "free", "pressed", "ball", "sticky", "growing",
                        "cradle", "wedge"}, PAOLI),
  check = common.where({"independent", "acute", "inelastic"}, function(case)
    return common.converges(case, {"q_Linf", "u_L1"})
  end)}
