-- Discs and balls of any radii, in the plane and in space: the constants of Venel (2011), section 4.2.1, her
-- Remark 4.11, and Lemma 4.2 of Bernicot & Lefebvre-Lepot (2010). Right constants and proofs:
-- scripts/claims/README.md, "Clusters of N balls".
local common = ...
local lab = require "impactlab"

-- ---- two discs ----------------------------------------------------------------------------------

local R = 0.5

local function pair(apart)
  local angle = 2 * math.pi * math.random()
  return {0, 0, apart * math.cos(angle), apart * math.sin(angle)}
end
local function apart_of(q) return math.sqrt((q[3] - q[1]) ^ 2 + (q[4] - q[2]) ^ 2) end
local function gradient(q) return common.disc_rows(q, {R, R})[1].grad end

-- At drawn points of U, where centres are more than r apart: | |G| - sqrt(2) |, |D^2 D| by differences, and
-- second differences of D.
local function of_pairs(case)
  local off, hessian, convex = 0, 0, math.huge
  local function D(q) return apart_of(q) - (case.bent or 0) * apart_of(q) ^ 2 end
  for k = 1, 400 do
    local near = k % 2 == 0 -- where it bends most, and across
    local q = pair(R * (near and 1.0001 or 1 + 3 * math.random()))
    local grad = gradient(q)
    local way = near and {-grad[4], grad[3], grad[4], -grad[3]} or common.direction(4)
    local size, s, far = common.norm(way), 1e-5 * R, 0.3 * R * math.random()
    off = common.worst(off, math.abs(common.norm(grad) - (case.length or math.sqrt(2))))
    hessian = common.worst(hessian, common.distance(gradient(common.axpy(q, s / size, way)), grad) / s)
    convex = common.least(convex, D(common.axpy(q, far, way)) + D(common.axpy(q, -far, way)) - 2 * D(q))
  end
  return off, hessian, convex
end

lab.claim{
  id = "V-4.2-constants", source = "Venel 2011, section 4.2.1",
  statement = "D_ij is convex; on U |G_ij| = sqrt(2) and |D^2 D_ij| <= 2/r; (A0) with c = r/sqrt(2), as an equality",
  cases = {{}},
  controls = {
    {what = "a Hessian bound that is a tenth less", constant = 0.9},
    {what = "a c that is a tenth larger", c = 1.1}, {what = "gradients of length 1", length = 1},
    {what = "a distance that is bent down", bent = 1}},
  check = function(case)
    local off, hessian, convex = of_pairs(case)
    -- from a contact c far: along -G, and any other way
    local nearest, c = math.huge, (case.c or 1) * R / math.sqrt(2)
    for k = 0, 400 do
      local q = pair(2 * R)
      local way = k == 0 and gradient(q) or common.direction(4)
      nearest = common.least(nearest, apart_of(common.axpy(q, -c / common.norm(way), way)))
    end
    local name = "two discs"
    return {
      {problem = name, what = "largest ||G| - sqrt(2)|", measured = off, bound = common.ROUNDING},
      {problem = name, what = "largest |D^2 D| on U", measured = hessian, near = 1.01,
       bound = 2 / R * (case.constant or 1) * (1 + 1e-4)}, -- differences over 1e-5 r
      {problem = name, what = "least second difference of D", measured = convex, sense = ">=",
       bound = -common.ROUNDING},
      {problem = name, what = "least distance of centres over r, c away from a contact", measured = nearest / R,
       sense = ">=", bound = 1 - common.ROUNDING, near = 1.01}}
  end}

-- ---- any radii, any dimension -------------------------------------------------------------------

-- Balls of drawn radii round the origin, and a straight chain of them.
local function drawn(N, space, ratio)
  local q, radii, chain, at = {}, {}, {}, 0
  for i = 1, N do
    radii[i] = 0.3 * (1 + (ratio - 1) * ((i * 7) % N) / (N - 1))
    at = at + (i > 1 and radii[i - 1] + radii[i] or 0)
    local turn, far = 2 * math.pi * i / N, 0.3 * ratio / math.sin(math.pi / N) * 1.01 -- a ring, just wide enough
    local start = {far * math.cos(turn), far * math.sin(turn), 0.5 * far * (i % 3 - 1)}
    for c = 1, space do
      q[#q + 1], chain[#chain + 1] = start[c], c == 1 and at or 0
    end
  end
  return {N = N, space = space, chain = chain, problem = common.later(0.3, function()
    return common.balls(("%d_balls_in_R%d_of_radii_1_to_%g"):format(N, space, ratio), q, radii, space)
  end)}
end

-- The mean of |<e, n>| over directions n is 2/pi in the plane, 1/2 in space.
local TURN = {1, math.pi / 2, 2}

lab.claim{
  id = "BL-L4.2", source = "Bernicot & Lefebvre-Lepot 2010, Lemma 4.2",
  statement = "mu_ij <= a |F|, a depending on N and the radii; right: a = sqrt(floor(N^2/4)/N), whatever the radii " ..
              "and the dimension",
  cases = {drawn(4, 3, 1), drawn(6, 3, 1.6), drawn(7, 2, 2.2), drawn(8, 3, 3)},
  controls = {
    {what = "a constant that is a tenth less, where it is attained", constant = 0.9},
    {what = "less than half of the gamma of a row", case = 2, gamma = 0.4}},
  check = function(case)
    local Q = common.set(case)
    local share, gamma, list, most = 0, 1, {case.chain}, 0
    for _ = 1, 20 do list[#list + 1] = common.cluster(case) end
    for _, q in ipairs(list) do
      local near = Q:independence(0, q, 1e-7)
      share, most = common.worst(share, common.largest_share(Q, q, 1e-7)), math.max(most, near.rows)
      gamma = common.worst(gamma, 1 / near.inverse)
    end
    local bound = (case.gamma or TURN[case.space]) * common.best_gamma(case.N)
    return {
      common.row(case, {what = "largest mu/|F|", measured = share, near = 1.01,
                        bound = common.best_share(case.N) * (1 + common.CONTACT),
                        evidence = ("a chain and %d clusters, up to %d contacts"):format(#list - 1, most)}),
      common.row(case, {what = "gamma of (A6') against pi/2 (plane) or 2 (space) times sqrt((N^3 - N)/6)", near = 2.5,
                        measured = gamma, bound = bound})}
  end}

-- ---- radii that grow ----------------------------------------------------------------------------

lab.claim{
  id = "V-R4.11", source = "Venel 2011, Remark 4.11",
  statement = "radii r(t) >= r > 0: Proposition 4.2 holds with I_rho, rho < r, by another gamma; right: for every rho, " ..
              "by (1 + rho/(2 r)) sqrt((N^3 - N)/6)",
  cases = {{key = "people", problem = {spec = {"crowd", N = 6, room = "open", growth = 0.05, T = 4}, scale = 0.25},
            scheme = "venel", r = 0.25, growth = 0.05},
           {key = "people", problem = {spec = {"crowd", N = 9, room = "open", growth = -0.02, T = 4}, scale = 0.25},
            scheme = "venel", r = 0.17, growth = -0.02, first = 0.25}},
  controls = {
    {what = "a gamma of less than half", constant = 0.4},
    {what = "springs of fixed stiffness 1e3", scheme = "penalty:stiffness=1e3"}},
  check = function(case)
    local Q, info = common.set(case)
    local N, rho, worst, most = info.dimension // 2, 0.9 * case.r, 1, 0
    local run = common.run(case, {steps = 80, trajectory = true})
    local nodes = common.nodes(run)
    for n = 1, #nodes.t, 8 do
      local r = (case.first or case.r) + case.growth * nodes.t[n]
      for _, q in ipairs{nodes.q[n], common.chain(N, r), common.chain(N, r + rho / 2)} do
        local near = Q:independence(nodes.t[n], q, rho)
        worst, most = common.worst(worst, 1 / near.inverse), math.max(most, near.rows)
      end
    end
    return {
      common.row(case, {what = "largest gamma over I_rho, rho = 0.9 r", measured = worst, near = 2,
                        bound = (1 + rho / (2 * case.r)) * common.best_gamma(N),
                        evidence = ("up to %d constraints"):format(most)}),
      common.row(case, {what = "min g at nodes", measured = run.feasibility.nodes_min, sense = ">=",
                        bound = -common.ROUNDING})}
  end}
