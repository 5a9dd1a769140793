-- limits.lua - what the verdict of sweep:limits was made from, as pictures.
--
--   limits:figure{"map"}         cluster against c and m
--   limits:figure{"distances"}   the tree of single linkage and the matrix of distances
--   limits:figure{"tails"}       tail diameters against h, of all runs and of each cluster
--   all of them: name =, title =, caption =, key =, order =
local _, host = ...
local ipairs, format, max, min, huge, log = ipairs, string.format, math.max, math.min, math.huge, math.log

local CALL = "limits:figure"
local MATRIX_MAX = 72 -- rows that can be told apart

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
  local nearest = tree.nearest[cluster]
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
    local size = host.tail(limits, cluster, m)
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

function host.limits.figure(limits, spec)
  local tree = host.tree(limits)
  host.known_beside(CALL, spec, {"name", "title", "caption", "key", "order"})
  local kind = host.kind(CALL, spec, {"map", "distances", "tails"})
  local panels = DRAW[kind](limits, tree)
  panels[1].title, panels[1].key = spec.title, spec.key or panels[1].key
  local caption = format("%s %s, %d runs, distances in %s on [0, %g]: %s.", CAPTIONS[kind], limits.problem,
                         #tree.leaves, limits.norm, limits.horizon, limits.evidence)
  return host.figure(CALL, {name = spec.name or format("%s-limits-%s", tree.sweep, kind), columns = 1,
                            height = #panels == 2 and 19 or nil, order = spec.order,
                            caption = spec.caption or caption, panels = panels})
end
