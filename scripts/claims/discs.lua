-- Venel (2011), section 4.2, and Maury (2006), Remarks 1 and 7: clusters of discs, N of them. Right
-- constants and proofs: scripts/claims/README.md, "Clusters of N balls".
local common = ...
local lab = require "impactlab"

local R = 0.5 -- radius of equal discs

-- ---- prox-regularity ----------------------------------------------------------------------------

-- The largest eigenvalue of the Laplacian of a path with weights a, by bisection: x is above it where
-- all pivots of x - L are positive.
local function laplacian_norm(a)
  local low, high = 0, 0
  for k = 1, #a do high = math.max(high, 4 * a[k]) end
  for _ = 1, 100 do
    local x, pivot, above = (low + high) / 2, 1, true
    for k = 1, #a + 1 do
      local before, after = a[k - 1] or 0, a[k] or 0
      pivot = x - before - after - before * before / pivot
      if not (pivot > 0) then above = false break end
    end
    if above then high = x else low = x end
  end
  return high
end

-- 2 r |sum a_k G_k|/lambda_max: the ball that touches a straight chain along -sum a_k G_k.
local function ball_of(a)
  local size2, before = 0, 0
  for k = 1, #a + 1 do
    local v = (a[k] or 0) - before
    size2, before = size2 + v * v, a[k] or 0
  end
  return 2 * R * math.sqrt(size2) / laplacian_norm(a)
end

local function weights(N, f)
  local a = {}
  for k = 1, N - 1 do a[k] = f(k) end
  return a
end

-- A feasible point next to the chain: disc k moves sideways by s u_k, u_k = (-1)^k binomial(N-1, k-1)
-- (scaled), and neighbours stay in contact. Returns |y - x|^2/(2 <v, y - x>/|v|), and the least gap. What
-- the chain gets shorter by moves all N discs: it is small beside s where s^2 N^(3/2) is.
local function from_bent_chain(N, radius)
  local u, c, s = {}, 0, 0.1 * N ^ -0.75 -- logarithms of binomials
  for k = 1, N do
    u[k] = c
    c = c + math.log((N - k) / k)
  end
  local top = u[(N + 1) // 2]
  for k = 1, N do u[k] = (k % 2 == 0 and 1 or -1) * s * R * math.exp(u[k] - top) end
  local x, into, y, along, middle = common.chain(N, R), 0, {}, 0, 0
  for k = 1, N do
    y[2 * k - 1], y[2 * k] = along, u[k]
    middle = middle + along / N
    if k < N then
      local rise = u[k + 1] - u[k]
      local step = math.sqrt(4 * R * R - rise * rise)
      along, into = along + step, into + k * (N - k) * rise * rise / (2 * R + step)
    end
  end
  for k = 1, N do y[2 * k - 1] = y[2 * k - 1] - middle end
  local far = common.distance(x, y)
  return far * far * math.sqrt((N * N * N - N) / 3) / (2 * into), common.least_gap(y, radius or R)
end

-- The same of feasible points drawn about the chain: discs displaced at random, and all distances
-- stretched until none overlap. v_k = 2 k - N - 1 along the chain.
local function from_drawn(N, count)
  local x, least = common.chain(N, R), math.huge
  for _ = 1, count do
    local y = common.axpy(x, 0.5 * R * math.random(), common.direction(2 * N))
    local stretch = 2 * R / (common.least_gap(y, R) + 2 * R)
    local into = 0
    for k = 1, 2 * N do y[k] = stretch * y[k] end
    -- v = -sum a_k G_k points towards the middle of the chain
    for k = 1, N do into = into - (2 * k - N - 1) * (y[2 * k - 1] - x[2 * k - 1]) end
    local far = common.distance(x, y)
    if into > 0 then
      least = math.min(least, far * far * math.sqrt((N * N * N - N) / 3) / (2 * into))
    end
  end
  return least
end

local chains = {}
for k, N in ipairs{2, 3, 5, 10, 20, 200} do chains[k] = {N = N} end

lab.claim{
  id = "M-R1", source = "Maury 2006, Remark 1",
  statement = "the set of N equal discs is prox-regular by a constant of the radius alone: of two discs, sqrt(2) r",
  cases = chains,
  controls = {
    {what = "two discs, for which it is true, taken for three", mistaken = true},
    {what = "a radius that is a tenth larger", case = 3, constant = 1.1},
    {what = "1.1 r/sqrt(N), long chain", case = 6, constant = 1.1},
    {what = "discs a ten-thousandth larger", case = 2, radius = R * 1.0001},
    {what = "weights of another normal, a_k = 1", case = 4, even = true}},
  check = function(case)
    local N = case.N
    local name = ("a straight chain of %d discs"):format(N)
    local closed = common.chain_radius(N, R)
    local bent, gap = from_bent_chain(N, case.radius)
    local least = math.min(bent, from_drawn(N, N > 100 and 10 or 200))
    local a = weights(N, function(k) return case.even and 1 or k * (N - k) end)
    local tent = ball_of(weights(N, function(k) return math.min(k, N - k) end))
    local c = case.constant or 1
    local rows = {
      {problem = name, what = "least gap of the bent chain", measured = gap, sense = ">=",
       bound = -common.ROUNDING},
      {problem = name, what = "least |y - x|^2/(2 <v, y - x>), v = -sum k (N - k) G_k, |v| = 1", near = 1.01,
       measured = least, sense = ">=", bound = c * closed * (1 - common.ROUNDING),
       evidence = ("2 r sqrt((N + 1)/(3 N (N - 1))): %.4g r"):format(closed / R)},
      {problem = name, what = "|lambda_max/(N (N - 1)) - 1|",
       measured = math.abs(laplacian_norm(a) / (N * (N - 1)) - 1), bound = common.ROUNDING},
      {problem = name, what = "2 r |v|/lambda_max of v = -sum min(k, N - k) G_k over r/sqrt(N)",
       measured = tent * math.sqrt(N) / R, sense = ">=", bound = c * (1 - common.ROUNDING), near = 2.1}}
    if N > 2 or case.mistaken then
      rows[5] = {problem = name, what = "radius from a feasible point over sqrt(2) r",
                 measured = bent / (math.sqrt(2) * R), sense = ">=", bound = 1 - common.ROUNDING,
                 finding = "the best constant is at most r/sqrt(N) for long chains, and at least (2/pi) r/sqrt(N)"}
    end
    return rows
  end}

local discs = {}
for k, N in ipairs{3, 5, 7} do discs[k] = {key = "discs", N = N, problem = common.ring_of(N, R)} end

-- And twelve, of which the chain alone is looked at.
local more = {table.unpack(discs)}
more[4] = {key = "discs", N = 12, alone = true, problem = common.ring_of(12, R)}

-- Three discs, two of which can neither overlap nor part: their gradients are opposite.
local held = {scale = 0.5, spec = lab.problem{
  name = "held_discs", order = 1, horizon = 1, q0 = {0, 0, 1, 0, 0.5, 2},
  force = function() return common.repeated(6, 0) end,
  constraints = function(_, x)
    local rows = common.disc_rows(x, common.repeated(3, 0.5))
    local back = {g = -rows[1].g, grad = common.axpy(rows[1].grad, -2, rows[1].grad)}
    rows[#rows + 1] = back
    return rows
  end}}

-- gamma of Proposition 4.2 for N equal discs.
local function printed_gamma(N)
  return 3 * math.sqrt(2) * N * (3 / math.sin(2 * math.pi / N)) ^ N
end

-- Clusters: the chain, and drawn ones.
local function clusters(case, count)
  local list = {common.chain(case.N, R)}
  for _ = 1, case.alone and 0 or count do list[#list + 1] = common.cluster(case) end
  return list
end

lab.claim{
  id = "V-P4.2", source = "Venel 2011, Proposition 4.2 and Remark 4.4",
  statement = "N equal discs: inverse triangle inequality with gamma = 3 sqrt(2) N (3/sin(2 pi/N))^N",
  cases = more,
  controls = {
    {what = "two discs that cannot part: opposite gradients", problem = held},
    {what = "a best gamma that is a tenth less", case = 2, constant = 0.9}},
  check = function(case)
    local Q = common.set(case)
    local worst, most, list = 1, 0, clusters(case, 40)
    for _, q in ipairs(list) do
      local near = Q:independence(0, q, 1e-7)
      worst, most = common.worst(worst, 1 / near.inverse), math.max(most, near.rows)
    end
    local evidence = ("the chain and %d clusters, up to %d contacts"):format(#list - 1, most)
    return {
      common.row(case, {what = "largest gamma of a cluster", measured = worst, bound = printed_gamma(case.N),
                        near = 10, evidence = evidence}),
      common.row(case, {what = "the same against the best gamma, sqrt((N^3 - N)/6)", measured = worst,
                        bound = common.best_gamma(case.N) * (1 + common.CONTACT), near = 1.01})}
  end}

lab.claim{
  id = "V-P4.5", cost = {3, 9, 35}, source = "Venel 2011, Proposition 4.5",
  statement = "the set of N equal discs is prox-regular with radius (r/6N) (sin(2 pi/N)/3)^N",
  cases = discs,
  controls = {
    {what = "discs 5000 times smaller than the bound has them", problem = common.ring_of(3, 1e-4)},
    {what = "three times (2/pi) r/sqrt(N)", case = 3, constant = 3}},
  check = function(case)
    local N, least = case.N, from_bent_chain(case.N)
    for _, found in ipairs(common.rolls(case, 0, 20)) do least = common.least(least, found.radius) end
    return {
      common.row(case, {what = "least radius of a ball rolled outside, round the chain too", measured = least,
                        sense = ">=", near = 10, bound = R / (6 * N) * (math.sin(2 * math.pi / N) / 3) ^ N}),
      common.row(case, {what = "the same against (2/pi) r/sqrt(N)", measured = least, sense = ">=", near = 3,
                        bound = 2 / math.pi * R / math.sqrt(N)})}
  end}

lab.claim{
  id = "V-P4.7", source = "Venel 2011, Proposition 4.7",
  statement = "N equal discs: multipliers that balance F are at most |F| (3/sin(2 pi/N))^N",
  cases = more,
  controls = {
    {what = "two discs that cannot part: opposite gradients", problem = held},
    {what = "a best constant that is a tenth less", case = 3, constant = 0.9}},
  check = function(case)
    local Q, most, list = common.set(case), 0, clusters(case, 15)
    for _, q in ipairs(list) do most = common.worst(most, common.largest_share(Q, q, 1e-7)) end
    return {
      common.row(case, {what = "largest lambda/|F|", measured = most, near = 10,
                        bound = (3 / math.sin(2 * math.pi / case.N)) ^ case.N,
                        evidence = ("the chain and %d clusters"):format(#list - 1)}),
      common.row(case, {what = "the same against the best constant, sqrt(floor(N^2/4)/N)", near = 1.01,
                        measured = most, bound = common.best_share(case.N) * (1 + common.CONTACT)})}
  end}
-- ---- contacts and neighbours ---------------------------------------------------------------------

-- n discs of radius a round one of radius b, equally spaced: the least gap between neighbours.
local function ring_gap(n, a, b) return 2 * (a + b) * math.sin(math.pi / n) - 2 * a end

-- The angle at which neighbours of radii r and s that touch each other are seen from the middle of a
-- disc of radius b that both touch.
local function seen(r, s, b)
  return math.acos(((b + r) * (b + r) + (b + s) * (b + s) - (r + s) * (r + s)) / (2 * (b + r) * (b + s)))
end

-- The most neighbours of a disc of radius b in drawn rings of discs of radii 1 to b, small ones
-- mostly, each against the one before.
local function drawn_neighbours(b)
  local most = 0
  for _ = 1, 400 do
    local first, last, angle, count = nil, nil, 0, 0
    for _ = 1, 60 do
      local x = math.random()
      local r = 1 + (b - 1) * x * x * x * x * math.random()
      local more = last and seen(last, r, b) or 0
      local closes = first and seen(r, first, b) or 0
      if angle + more + closes <= 2 * math.pi + common.CONTACT then
        first, last, angle, count = first or r, r, angle + more, count + 1
      end
    end
    most = math.max(most, count)
  end
  return most
end

lab.claim{
  id = "V-R4.10", cost = {2, 3, 10, 39}, source = "Venel 2011, Remark 4.10",
  statement = "a disc has at most pi/arcsin(r_min/(r_max + r_min)) neighbours, and multipliers then " ..
              "obey lambda <= |F| b^N",
  cases = {{ratio = 1}, {ratio = 1.5}, {ratio = 3}, {ratio = 7.3}},
  controls = {
    {what = "one neighbour more", more = 1}, {what = "one neighbour less", case = 4, more = -1},
    {what = "one neighbour less, drawn", case = 1, more = -1},
    {what = "a b that is a tenth of what it is", case = 1, less = 1 / 10}},
  check = function(case)
    local b = case.ratio -- of the disc in the middle; the others have radius 1
    local n = math.pi / math.asin(1 / (1 + b))
    local fit = math.floor(n + 1e-9) + (case.more or 0) -- equal discs have exactly six
    local where = {problem = ("ring of %d discs, radii 1 and %g"):format(fit, b)}
    local function row(x) for k, v in pairs(where) do x[k] = v end return x end
    local rows = {
      row{what = "least gap in a ring of that many", measured = ring_gap(fit, 1, b), sense = ">=",
          bound = -common.ROUNDING},
      row{what = "gap in a ring of one more", measured = ring_gap(fit + 1, 1, b), bound = 0},
      row{what = "most neighbours in 400 drawn rings of radii in between",
          measured = drawn_neighbours(b), bound = fit, near = 1.5}}
    if ring_gap(fit, 1, b) < -common.ROUNDING then return rows end
    -- a full ring as a cluster: its multipliers balance F with sum lambda <= |F|/delta
    local q, N = {0, 0}, fit + 1
    for k = 1, fit do
      q[2 * k + 1] = (1 + b) * math.cos(2 * math.pi * k / fit)
      q[2 * k + 2] = (1 + b) * math.sin(2 * math.pi * k / fit)
    end
    local radii = common.repeated(N, 1)
    radii[1] = b
    local Q = lab.set{problem = lab.problem{ -- of the pairs that touch, or might
      name = "ring", horizon = 1, q0 = q, constraints = function(_, x)
        local rows = {}
        for k = 2, N do
          rows[#rows + 1] = common.disc_row(x, radii, 1, k)
          rows[#rows + 1] = common.disc_row(x, radii, k, k < N and k + 1 or 2)
        end
        return rows
      end}}
    local delta = Q:independence(0, q, common.CONTACT).slope
    local b_of_paper = (case.less or 1) * 2 * math.sqrt(n) /
      math.min(math.sin(math.pi / (n + 1)), math.sin(2 * math.pi / N))
    rows[4] =
      row{what = "largest lambda/|F|, at most 1/delta", measured = 1 / delta, bound = b_of_paper ^ N,
          near = 10}
    return rows
  end}

-- n places of the triangular lattice, one hexagonal ring after the other: as many contacts as n discs can
-- have (Harborth 1974), floor(3 n - sqrt(12 n - 3)).
local function spiral(n)
  local q, x, y = {0, 0}, 0, 0
  local ways = {{-0.5, 1}, {-1, 0}, {-0.5, -1}, {0.5, -1}, {1, 0}, {0.5, 1}}
  local ring = 0
  while #q < 2 * n do
    ring, x = ring + 1, x + 1
    for _, way in ipairs(ways) do
      for _ = 1, ring do
        x, y = x + way[1], y + way[2]
        q[#q + 1], q[#q + 2] = x, math.sqrt(0.75) * y
      end
    end
  end
  return {table.unpack(q, 1, 2 * n)}
end

-- Contacts of discs of radius 1/2, and the rank of their gradients by elimination.
local function contacts_of(q)
  local rows = {}
  for _, row in ipairs(common.disc_rows(q, common.repeated(#q // 2, 0.5))) do
    if math.abs(row.g) <= common.CONTACT then rows[#rows + 1] = {table.unpack(row.grad)} end
  end
  local count, rank = #rows, 0
  for column = 1, #q do
    local pivot
    for i = rank + 1, count do
      if math.abs(rows[i][column]) > (pivot and math.abs(rows[pivot][column]) or 1e-9) then pivot = i end
    end
    if pivot then
      rank = rank + 1
      rows[rank], rows[pivot] = rows[pivot], rows[rank]
      for i = rank + 1, count do
        rows[i] = common.axpy(rows[i], -rows[i][column] / rows[rank][column], rows[rank])
      end
    end
  end
  return count, rank
end

local function harborth(N) return math.floor(3 * N - math.sqrt(12 * N - 3)) end

lab.claim{
  id = "V-R4.3", source = "Venel 2011, Remark 4.3; Harborth 1974",
  statement = "from N = 6 on, N equal discs can have more than 2 N contacts, so that gradients depend on each other",
  cases = {{N = 6}, {N = 7}, {N = 13}, {N = 14}, {N = 60}},
  controls = {
    {what = "fourteen discs, which have 29, taken for thirteen", case = 3, N = 14, mistaken = true},
    {what = "lattice and formula a disc apart", other = 7},
    {what = "seven discs taken for independent ones", case = 1, N = 7, independent = true}},
  check = function(case)
    local N = case.N
    local count, rank = contacts_of(spiral(case.other or N))
    local name = ("%d discs of the triangular lattice"):format(N)
    local evidence = ("%d contacts, rank %d, 2 N = %d"):format(count, rank, 2 * N)
    local rows = {
      {problem = name, what = "|contacts - floor(3 N - sqrt(12 N - 3))|", measured = math.abs(count - harborth(N)),
       bound = 0, evidence = evidence},
      {problem = name, what = "contacts - 2 N", measured = count - 2 * N, sense = ">=", bound = 1}}
    if N < 14 or case.mistaken then
      rows[2].finding = "no N discs have more than 2 N contacts before N = 14"
    end
    if N == 6 or case.independent then
      rows[3] = {problem = name, what = "gradients that depend on others", measured = count - rank, bound = 0}
    else
      rows[3] = {problem = name, what = "gradients that depend on others", measured = count - rank, sense = ">=",
                 bound = count - (2 * N - 3), near = 1.01}
    end
    return rows
  end}

lab.claim{
  id = "V-L4.8", source = "Venel 2011, Lemma 4.8 and cases 2(a), 2(b) of the proof of Proposition 4.7",
  statement = "three neighbours of an extreme disc: the multipliers' kernel is (sin(phi - theta), sin theta, sin phi), " ..
              "with these signs; two neighbours: sin theta >= sin(2 pi/N)",
  cases = {{N = 4}, {N = 5}, {N = 6}, {N = 7}, {N = 12}, {N = 40}},
  controls = {
    {what = "the middle neighbour seen the other way", case = 5, flip = -1},
    {what = "angles that a fifth of a radian widens", case = 5, wider = 0.2},
    {what = "N = 3, where it is true, taken for a smaller one", case = 1, N = 3},
    {what = "twice the sine", case = 4, constant = 2}},
  check = function(case)
    local N, wider = case.N, case.wider or 0
    local c = case.constant or 1
    local sine, name = math.sin(2 * math.pi / N), ("an extreme disc of %d"):format(N)
    local least = math.huge
    for k = 0, 1000 do
      local theta = 2 * math.pi / N + (2 * math.pi / 3 - 2 * math.pi / N) * k / 1000
      least = common.least(least, math.sin(theta))
    end
    local rows = {{problem = name, what = "two neighbours: least sin theta - sin(2 pi/N)", measured = least - sine,
                   sense = ">=", bound = -common.ROUNDING},
                  {problem = name, what = "the same against min(sin(2 pi/N), sqrt(3)/2)", measured = least, sense = ">=",
                   bound = c * math.min(sine, math.sqrt(0.75)) - common.ROUNDING, near = 1.01}}
    if N == 4 or N == 5 or case.constant == nil and N < 4 then
      rows[1].finding = "theta <= 2 pi/3, whose sine is less than sin(2 pi/4) and sin(2 pi/5)"
    end
    if N < 6 then return rows end
    local off, first, second, third = 0, -1, 1, -1
    for _ = 1, 400 do
      local theta = 2 * math.pi / N + (math.pi / 3 + wider - 2 * math.pi / N) * math.random()
      -- phi: the middle neighbour is at least pi/3 away from the others, at 0 and theta - pi
      local phi = theta - 2 * math.pi / 3 - wider + (math.pi / 3 - theta + 2 * wider) * math.random()
      local k = {math.sin(phi - theta), math.sin(theta), math.sin(phi)}
      local flip = case.flip or 1
      local x = -k[1] - flip * k[2] * math.cos(phi) + k[3] * math.cos(theta)
      local y = -flip * k[2] * math.sin(phi) + k[3] * math.sin(theta)
      off = common.worst(off, math.sqrt(x * x + y * y))
      first, second = common.worst(first, k[1]), common.least(second, k[2])
      third = common.worst(third, k[3])
    end
    for _, row in ipairs{
      {what = "three neighbours: largest |sum k_j e_ji|", measured = off, bound = common.ROUNDING},
      {what = "largest sin(phi - theta) + sin(2 pi/N)", measured = first + c * sine, bound = common.ROUNDING},
      {what = "the same against -sqrt(3)/2", measured = first, bound = -math.sqrt(0.75) + common.ROUNDING},
      {what = "least sin theta", measured = second, sense = ">=", bound = c * sine - common.ROUNDING},
      {what = "largest sin phi", measured = third, bound = -math.sqrt(0.75) + common.ROUNDING}} do
      row.problem = name
      rows[#rows + 1] = row
    end
    return rows
  end}

lab.claim{
  id = "M-R7", source = "Maury 2006, Remark 7",
  statement = "equal discs: each is close to six others at most, so that kappa N/2 = 3 N rows will do",
  cases = {{N = 7}, {N = 60}, {N = 400}},
  controls = {
    {what = "a reach of 0.31 r, in which a seventh has room", reach = 0.31},
    {what = "five neighbours in place of six", case = 3, constant = 5 / 6}},
  check = function(case)
    local q, near = spiral(case.N), 0
    for i = 1, #q, 2 do
      for j = i + 2, #q, 2 do
        local far = math.sqrt((q[j] - q[i]) ^ 2 + (q[j + 1] - q[i + 1]) ^ 2)
        if far <= 1 + common.CONTACT then near = near + 1 end
      end
    end
    local name = ("%d discs of the triangular lattice"):format(case.N)
    return {
      {problem = name, what = "contacts", measured = near, bound = 3 * case.N * (case.constant or 1),
       near = 2},
      {problem = name, what = "reach of one of seven that are equally near, over r", sense = ">=", near = 1.02,
       measured = 1 / math.sin(math.pi / 7) - 2, bound = case.reach or 0.30,
       evidence = "a step in which two discs may approach by more, as in section 6.3, needs more rows"}}
  end}
