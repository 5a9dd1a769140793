-- limits.lua - do the runs of a sweep tend to one limit or to several (harness/study/limits/limits.h)?
--
--   sweep:limits{norm = "u_L1" | "q_Linf", problem =, scheme =}     also of its result
--       -> {verdict =, evidence =, clusters = {{members = {...}, medoid =, distances = {A =, ...}, levels =, radius =,
--           tail =, separation =}, ...}, runs = {...}, norm =, problem =, horizon =, cut =, limits =, failed =}
--   limits:border{c = {c0, c1}, m = m or {...}, tol = 1e-13, by = "flow" | "level", finest =, problem =, scheme =}
--       -> {{m =, low =, high =, from =, to =, by =, runs =, distances = {A =, ...}, final =}, ...}
--   limits:borders{c = {1, 2}, m = m, phases = 64, most = 8192, and the same}
--       -> {{low =, ...}, ..., counts = {...}, settled =, phases =, undecided =, by =}
--   limits:figure{"map"}         cluster against c and m
--   limits:figure{"distances"}   the tree of single linkage and the matrix of distances
--   limits:figure{"tails"}       tail diameters against h, of all runs and of each cluster
--       all of them: name =, title =, caption =, key =, order =
--
-- By "flow", the default where the problem offers its motion, a limit is the orbit that the motion leads the run
-- to (harness/study/limits/switching.h); by "level" it is the cluster whose medoid is nearest, in the norm and on
-- the interval of the limits.
local _, host = ...
local ipairs, pairs, type, format, setmetatable = ipairs, pairs, type, string.format, setmetatable
local max, min, huge, log, floor, ceil, sort = math.max, math.min, math.huge, math.log, math.floor, math.ceil, table.sort

local methods = {}
local made = setmetatable({}, {__mode = "k"}) -- of limits: what host.limits gave, and the sweep as r
-- ---- limits -----------------------------------------------------------------------------------------

-- The distances to the exact solutions that the field error of a record knows, {A =, ...}.
local function distances_of(error, norm)
  local list = {}
  for name, distance in pairs(type(error) == "table" and error.distances or {}) do list[name] = distance[norm] end
  return list
end

-- The cases of one problem, by one scheme or by all.
local function cases_of(r, call, spec)
  local s, cases = host.sweep(r), {}
  local problem = host.find(r, call, spec, "problem")[1]
  local scheme = spec.scheme ~= nil and host.find(r, call, spec, "scheme")[1]
  for k = 1, #s.schemes do
    local first = ((problem - 1) * #s.schemes + k - 1) * s.sizes
    for i = first + 1, (not scheme or scheme == k) and first + s.sizes or first do cases[#cases + 1] = i end
  end
  return cases, s.problems[problem]
end

-- Why the ends of the runs are chaotic and near to a limit by chance alone; nil if they are not.
local function doubt(r, runs)
  local coarse, fine = runs[1], runs[1]
  for _, run in ipairs(runs) do
    coarse, fine = run.h > coarse.h and run or coarse, run.h < fine.h and run or fine
  end
  return host.doubt_ends(r, coarse.case, fine.case)
end

local function cluster_of(t, k, norm)
  local found = t.clusters[k]
  local cluster = {members = {}, medoid = t.runs[found.medoid], distances = distances_of(t.errors[found.medoid], norm)}
  for key, value in pairs(found) do cluster[key] = cluster[key] or value end
  cluster.label = nil
  for _, run in ipairs(t.runs) do
    if run.cluster == k then cluster.members[#cluster.members + 1] = run end
  end
  return cluster
end

local function text_of(limits)
  return format("%s on %s by %d runs in %s: %s", limits.verdict, limits.problem, #limits.runs, limits.norm,
                limits.evidence)
end

local function limits_of(r, spec)
  local call = "sweep:limits"
  spec = spec or {}
  host.known(call, spec, {"norm", "problem", "scheme"})
  local norm = host.read(call, spec, "norm", "choice", "u_L1|q_Linf") or "u_L1"
  local cases, problem = cases_of(r, call, spec)
  local t = host.limits(r, cases, norm)
  local limits = {verdict = t.verdict, evidence = t.evidence, limits = t.limits, norm = norm, problem = problem,
                  horizon = t.horizon, cut = t.cut, failed = t.failed, runs = t.runs, clusters = {}}
  for i, run in ipairs(t.runs) do run.distances = distances_of(t.errors[i], norm) end
  for k = 1, #t.clusters do limits.clusters[k] = cluster_of(t, k, norm) end
  local why = doubt(r, t.runs)
  if why then limits.verdict, limits.limits, limits.evidence = "inconclusive", 0, why end
  t.r, made[limits] = r, t
  setmetatable(limits, {__index = methods, __tostring = text_of, __metatable = "impactlab"})
  host.journal("limits", limits.verdict, text_of(limits))
  return limits
end

host.result_methods.limits, host.sweep_methods.limits = limits_of, limits_of

local function made_of(limits, call)
  return made[limits] or host.raise(call .. ": it is a method of what sweep:limits returned")
end

-- ---- borders ----------------------------------------------------------------------------------------

-- Which cluster a label of the flow stands for; of another problem's orbits none is known.
local function cluster_by_label(t, spec, label)
  for k, cluster in ipairs(t.clusters) do
    if spec.problem == nil and cluster.label == label then return k end
  end
end

local function border(call, limits, spec, keys)
  local t = made_of(limits, call)
  host.known(call, spec, keys)
  local about = {case = t.runs[1].case, norm = limits.norm, horizon = limits.horizon, medoids = {}, steps = {}}
  for k, cluster in ipairs(limits.clusters) do
    about.medoids[k], about.steps[k] = cluster.medoid.case, cluster.medoid.h
  end
  local points = host.border(call, t.r, spec, about)
  for _, point in ipairs(points) do
    if points.by == "flow" then
      point.from, point.to = cluster_by_label(t, spec, point.from), cluster_by_label(t, spec, point.to)
    end
    point.by, point.distances, point.error = points.by, distances_of(point.error, limits.norm), nil
  end
  return points
end

function methods.border(limits, spec)
  local points = border("limits:border", limits, spec, {"c", "m", "tol", "by", "finest", "problem", "scheme"})
  points.by = nil
  return points
end

function methods.borders(limits, spec)
  local points = border("limits:borders", limits, spec,
                        {"c", "m", "tol", "by", "finest", "problem", "scheme", "phases", "most"})
  for k, count in ipairs(points.counts) do points.counts[k] = floor(count) end
  return points
end

-- ---- figures ----------------------------------------------------------------------------------------

local MATRIX_MAX = 72 -- rows of the matrix that is drawn

-- Blue, orange, green, ...: the first two differ most in grey.
local COLORS = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"}
local GREY, BLACK = "#9a9a9a", "#000000"

local CAPTIONS = {
  map = "Which cluster the run with h = c 2^-m belongs to.",
  distances = "The tree of single linkage, and the distances of the runs in its order, dark for near.",
  tails = "Of the runs with steps up to h: the diameter of all, and the radius that holds nine tenths of each "
    .. "cluster. It decays where they tend to one limit."}

-- A series of a cluster; 0 stands for the runs that are in none.
local function series(tree, cluster, style)
  local error = cluster > 0 and tree.errors[tree.clusters[cluster].medoid]
  local nearest = type(error) == "table" and error.reference
  local label = cluster == 0 and "no cluster" or format("cluster %d", cluster)
  if nearest then label = label .. ", nearest to " .. nearest end
  local color = cluster == 0 and GREY or COLORS[(cluster - 1) % #COLORS + 1]
  return {label = label, style = style, color = color, x = {}, y = {}}
end

local function add(s, x, y) s.x[#s.x + 1], s.y[#s.y + 1] = x, y end

-- ---- map --------------------------------------------------------------------------------------------

local function map(limits, tree)
  local list = {}
  for cluster = 0, #limits.clusters do
    local s = series(tree, cluster, "points")
    for _, run in ipairs(limits.runs) do
      if (run.cluster or 0) == cluster then add(s, run.c, run.m) end
    end
    if #s.x > 0 then list[#list + 1] = s end
  end
  return {{key = "outside", xlabel = "c  (h = c 2⁻ᵐ)", ylabel = "m", series = list}}
end

-- ---- tails ------------------------------------------------------------------------------------------

-- The largest distance among runs at level m and finer.
local function diameter(limits, tree, m)
  local most, n = 0, #limits.runs
  for i, run in ipairs(limits.runs) do
    for j = 1, run.m >= m and i - 1 or 0 do
      if limits.runs[j].m >= m then most = max(most, tree.D[(i - 1) * n + j]) end
    end
  end
  return most
end

-- The radius about the medoid of a cluster that holds nine tenths of its linked runs at level m and finer.
local function radius(limits, tree, cluster, m)
  local list, row = {}, (tree.clusters[cluster].medoid - 1) * #limits.runs
  for i, run in ipairs(limits.runs) do
    if run.cluster == cluster and run.linked and run.m >= m then list[#list + 1] = tree.D[row + i] end
  end
  sort(list)
  return list[ceil(0.9 * #list)] or 0
end

-- Against the largest h of each level: the diameter of all runs from there on, or the radius of a cluster's.
local function tail(limits, tree, cluster)
  local s, low, high = series(tree, cluster, "linespoints"), huge, -huge
  if cluster == 0 then s.label, s.color = "diameter of all runs", BLACK end
  for _, run in ipairs(limits.runs) do low, high = min(low, run.m), max(high, run.m) end
  for m = low, high do
    local most = 0
    for _, run in ipairs(limits.runs) do
      if run.m == m and (cluster == 0 or run.cluster == cluster) then most = max(most, run.h) end
    end
    local size = cluster == 0 and diameter(limits, tree, m) or radius(limits, tree, cluster, m)
    if most > 0 and size > 0 then add(s, most, size) end
  end
  return s
end

local function tails(limits, tree)
  local list = {}
  for cluster = 0, #limits.clusters do list[cluster + 1] = tail(limits, tree, cluster) end
  return {{key = "outside", xlabel = "h", ylabel = "size of the tail, " .. limits.norm, logx = true, logy = true,
           series = list}}
end

-- ---- distances --------------------------------------------------------------------------------------

-- The tree over the places 0.5, 1.5, ... of the leaves: each join a bracket, broken by what is no number.
local function brackets(tree, floor)
  local s, place, height = {style = "lines", color = "#404040", width = 1, x = {}, y = {}}, {}, {}
  for i, leaf in ipairs(tree.leaves) do place[leaf], height[i] = i - 0.5, floor end
  for k, join in ipairs(tree.joins) do
    local a, b, top, whole = join.a, join.b, max(join.height, floor), #tree.leaves + k
    add(s, place[a], height[a])
    add(s, place[a], top)
    add(s, place[b], top)
    add(s, place[b], height[b])
    add(s, 0 / 0, 0 / 0)
    place[whole], height[whole] = 0.5 * (place[a] + place[b]), top
  end
  return s
end

-- The leaves of a cluster, at the foot of the tree.
local function leaves(limits, tree, cluster, floor)
  local s = series(tree, cluster, "points")
  for i, leaf in ipairs(tree.leaves) do
    if (limits.runs[leaf].cluster or 0) == cluster then add(s, i - 0.5, floor) end
  end
  return s
end

-- log10 of the distances of pairs of leaves, every stride-th.
local function matrix(tree, floor, stride)
  local s, n = {style = "discs", width = 0.01, x = {}, y = {}, radius = {}, value = {}}, #tree.leaves
  for i = 1, n, stride do
    for j = 1, n, stride do
      add(s, j - 1 + 0.5 * stride, i - 1 + 0.5 * stride)
      s.radius[#s.x] = 0.5 * stride
      s.value[#s.x] = log(max(tree.D[(tree.leaves[i] - 1) * n + tree.leaves[j]], floor), 10)
    end
  end
  return s
end

local function distances(limits, tree)
  local n, least = #tree.leaves, huge
  for _, d in ipairs(tree.D) do least = d > 0 and min(least, d) or least end
  local floor = least < huge and least or 1e-16
  local list = {brackets(tree, floor)}
  for cluster = 0, #limits.clusters do
    local s = leaves(limits, tree, cluster, floor)
    if #s.x > 0 then list[#list + 1] = s end
  end
  local label = "run, in the order of the tree"
  return {{key = "outside", xlabel = label, ylabel = "distance, " .. limits.norm, logy = true, xrange = {0, n},
           series = list},
          {key = "off", xlabel = label, ylabel = label, colorlabel = "log10 of the distance", equal = true,
           series = {matrix(tree, floor, (n + MATRIX_MAX - 1) // MATRIX_MAX)}}}
end

-- ---- the figure -------------------------------------------------------------------------------------

local DRAW = {map = map, distances = distances, tails = tails}

function methods.figure(limits, spec)
  local CALL = "limits:figure"
  local tree = made_of(limits, CALL)
  host.known_beside(CALL, spec, {"name", "title", "caption", "key", "order"})
  local kind = host.kind(CALL, spec, {"map", "distances", "tails"})
  local panels = DRAW[kind](limits, tree)
  panels[1].title, panels[1].key = spec.title, spec.key or panels[1].key
  local caption = format("%s %s, %d runs, distances in %s on [0, %g]: %s.", CAPTIONS[kind], limits.problem,
                         #tree.leaves, limits.norm, limits.horizon, limits.evidence)
  return host.figure(CALL, {name = spec.name or format("%s-limits-%s", host.sweep(tree.r).name, kind), columns = 1,
                            height = #panels == 2 and 19 or nil, order = spec.order,
                            caption = spec.caption or caption, panels = panels})
end
