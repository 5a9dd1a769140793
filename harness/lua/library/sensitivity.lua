-- sensitivity.lua - numbers whose ensemble (harness/study/ensemble) calls them chaotic are not judged: of
-- checks, and of sweeps with `ensemble = K`, whose coarsest and finest runs are repeated from moved data.
--
--   lab.check(condition, message, {ensemble =, numbers = {...}})
--
-- A check that holds is printed; one that fails is recorded, and printed at the end; the script goes on. A check
-- of chaotic numbers is not judged, and counts as failed.
local lab, host = ...
local type, ipairs, select, raise = type, ipairs, select, error
local format = string.format

local ALLOWED = 'what lab.ensemble returned with vary = "data"'

-- Is the number at path of an ensemble chaotic? Without the path it is final.q that counts.
local function is_chaotic(ensemble, path)
  local numbers = type(ensemble.numbers) == "table" and ensemble.numbers or {}
  local number = path and numbers[path] or numbers["final.q"]
  return type(number) == "table" and number.class == "chaotic"
end

-- ---- sweeps -----------------------------------------------------------------------------------------

local made = setmetatable({}, {__mode = "k"}) -- ensembles of the cases of a sweep or of a result

local function ensemble_of(r, case)
  local list = made[r] or {}
  made[r], list[case] = list, list[case] or host.ensemble_of(r, case)
  return list[case]
end

-- Why a number at path, of two cases of a sweep or of a result, is not judged; nil if it may be. The
-- ensembles are made once for all that ask.
function host.doubt_ends(r, coarse, fine, path)
  if host.sweep(r).ensemble == 0 then return nil end
  for k, case in ipairs{coarse, fine} do
    local ensemble = ensemble_of(r, case)
    if is_chaotic(ensemble, path) then
      return format("chaotic at the %s step, nothing is judged: %s", k == 1 and "coarsest" or "finest",
                    ensemble.reason:sub(1, 180))
    end
  end
end

-- The cases, from first on, with the coarsest and the finest step whose runs went well; nil if there are none.
local function ends_of(r, sizes, first)
  local h, status, coarse, fine = host.numbers(r), host.texts(r, "status"), nil, nil
  for k = first, first + sizes - 1 do
    if status[k] == "ok" then
      coarse = coarse and h[coarse] >= h[k] and coarse or k
      fine = fine and h[fine] <= h[k] and fine or k
    end
  end
  return coarse, fine
end

-- The same of the errors of a problem by a scheme in a norm.
function host.doubt_order(r, problem, scheme, norm)
  local s = host.sweep(r)
  if s.ensemble == 0 then return nil end
  local coarse, fine = ends_of(r, s.sizes, ((problem - 1) * #s.schemes + scheme - 1) * s.sizes + 1)
  return coarse and host.doubt_ends(r, coarse, fine, "error." .. norm)
end

-- ---- captions ---------------------------------------------------------------------------------------

local function append(caption, ...) return (caption and caption .. " " or "") .. format(...) end

-- The caption of a figure or a table of a result, with the cases that are not robust.
function host.mark(r, caption)
  local s, h = host.sweep(r), host.numbers(r)
  if s.ensemble == 0 then return caption end
  for first = 1, s.cases, s.sizes do
    local coarse, fine = ends_of(r, s.sizes, first)
    for _, case in ipairs{coarse, fine} do
      local class, pair = ensemble_of(r, case).class, (first - 1) // s.sizes
      if class and class ~= "robust" then
        caption = append(caption, "Not robust but %s: %s by %s at h = %.3g.", class, s.problems[pair // #s.schemes + 1],
                         s.schemes[pair % #s.schemes + 1], h[case])
      end
    end
  end
  return caption
end

-- The caption of one whose key `ensemble` holds an ensemble, with its class where that is not robust.
function host.doubt(call, spec, caption)
  local ensemble = spec.ensemble
  if ensemble == nil then return caption end
  if type(ensemble) ~= "table" or type(ensemble.class) ~= "string" or type(ensemble.reason) ~= "string" then
    host.refuse(call, "ensemble", ensemble, ALLOWED)
  end
  if ensemble.class == "robust" then return caption end
  return append(caption, "Not robust but %s: %s.", ensemble.class, ensemble.reason)
end

-- ---- checks -----------------------------------------------------------------------------------------

local function doubt_numbers(spec)
  local call = "lab.check"
  host.known(call, spec, {"ensemble", "numbers"})
  local numbers, ensemble = host.read(call, spec, "numbers", "texts") or {}, spec.ensemble
  if type(ensemble) ~= "table" then host.refuse(call, "ensemble", ensemble, ALLOWED) end
  for _, name in ipairs(numbers) do
    if type(ensemble.numbers) ~= "table" or type(ensemble.numbers[name]) ~= "table" then
      host.refuse(call, "numbers", name, "names in the ensemble's numbers")
    end
    if is_chaotic(ensemble, name) then return name .. " is chaotic" end
  end
  return #numbers == 0 and ensemble.class == "chaotic" and "the run is chaotic" or nil
end

function lab.check(...)
  local condition, message, spec = ...
  local kind = type(message)
  if select("#", ...) == 0 then raise("bad argument #1 to 'check' (value expected)", 2) end
  if type(condition) == "string" and select("#", ...) > 1 and kind ~= "string" and kind ~= "number" then
    -- a text is true for Lua: it would hold whatever comes
    host.raise(format("lab.check: the text '%.60s' stands before what is a %s; allowed: the condition first, then its "
      .. "message", condition, kind))
  elseif message ~= nil and kind ~= "string" and kind ~= "number" then
    raise(format("bad argument #2 to 'check' (string expected, got %s)", kind), 2)
  end
  local doubt = spec ~= nil and doubt_numbers(spec)
  message = message or "a check without a message"
  if doubt then message = message .. ": not judged: " .. doubt end
  host.check(condition and not doubt or false, message)
  return condition
end
