-- Clusters of discs and balls: the straight chain, where most bounds are attained, drawn clusters, and
-- the constants of every N in closed form (scripts/claims/README.md, "Clusters of N balls").
local common = ...
local lab = require "impactlab"

-- The best constants for N balls: gamma of the inverse triangle inequality, of equal ones; lambda_ij/|F|.
function common.best_gamma(N) return math.sqrt((N * N * N - N) / 6) end
function common.best_share(N) return math.sqrt((N // 2) * ((N + 1) // 2) / N) end

-- The radius of the ball that touches a straight chain of N discs of radius r along -sum k (N - k) G_k.
function common.chain_radius(N, r) return 2 * r * math.sqrt((N + 1) / (3 * N * (N - 1))) end

-- Centres of a straight chain round the origin.
function common.chain(N, r)
  local q = {}
  for k = 1, N do q[2 * k - 1], q[2 * k] = (2 * k - N - 1) * r, 0 end
  return q
end

-- The least distance of two of these centres, less 2 r.
function common.least_gap(q, r)
  local least = math.huge
  for i = 1, #q - 1, 2 do
    for j = i + 2, #q - 1, 2 do
      local x, y = q[j] - q[i], q[j + 1] - q[i + 1]
      least = math.min(least, x * x + y * y)
    end
  end
  return math.sqrt(least) - 2 * r
end

-- A problem that is declared, and so checked, where a check first asks for it.
function common.later(scale, make)
  return setmetatable({scale = scale}, {__index = function(problem, key)
    if key == "spec" then problem.spec = make() end
    return rawget(problem, key)
  end})
end

-- N balls of these radii (or of one) in R^space with centres q, at rest; force f(q) or none.
function common.balls(name, q, radii, space, force)
  local d = #q
  return lab.problem{
    name = name, order = 1, horizon = 1, q0 = q,
    force = force or function() return common.repeated(d, 0) end,
    constraints = function(_, x)
      local rows, N = {}, d // space
      for i = 1, N do
        for j = i + 1, N do
          local e, far, grad = {}, 0, common.repeated(d, 0)
          for c = 1, space do
            e[c] = x[space * (j - 1) + c] - x[space * (i - 1) + c]
            far = far + e[c] * e[c]
          end
          far = math.sqrt(far)
          for c = 1, space do
            grad[space * (i - 1) + c], grad[space * (j - 1) + c] = -e[c] / far, e[c] / far
          end
          local sum = radii[i] and radii[i] + radii[j] or 2 * radii.all
          rows[#rows + 1] = {g = far - sum, grad = grad, dt = 0}
        end
      end
      return rows
    end}
end

-- N discs of radius r round the origin, for sampling clusters.
function common.ring_of(N, r)
  local q = {}
  for k = 1, N do
    q[2 * k - 1] = 0.6 * r * N * math.cos(2 * math.pi * k / N)
    q[2 * k] = 0.6 * r * N * math.sin(2 * math.pi * k / N)
  end
  if N == 7 then q = common.flower(1.02) end
  return common.later(r, function() return common.balls(("%d_discs"):format(N), q, {all = r}, 2) end)
end

-- A cluster: all balls drawn to the middle from a random start, by projecting their collapse onto Q.
function common.cluster(case)
  local Q, info = common.set(case)
  local start = common.axpy(info.q0, 0.2 * math.random(), common.direction(#info.q0))
  local target = common.axpy(start, -0.6 * (0.5 + 0.5 * math.random()), start)
  local q = Q:project(0, target, start)
  return q and math.abs(Q:gap(0, q)) <= common.CONTACT and q or nil
end

-- The largest lambda_i/|F| of multipliers that balance F at q: 1/|b_i|, b_i what is left of grad g_i when
-- the cone of all -grad g_k is taken away, the projection onto {v : <grad g_k, v> >= 0}.
function common.largest_share(Q, q, slack)
  local most = 0
  for _, row in ipairs(Q:rows(0, q, slack)) do
    most = common.worst(most, 1 / common.norm(Q:tangent(0, q, row.grad, slack)))
  end
  return most
end
