-- notice.lua - runs that failed, each kind told once in a script.
--
-- A kind is a status and a message but for the numbers in it: the times and residuals of a hundred cases
-- differ where the failure is one and the same.
local _, host = ...
local ipairs, format, gsub, sub = ipairs, string.format, string.gsub, string.sub
local told = {}

local function kind_of(failure) return failure.status .. " " .. gsub(failure.message, "%d[%d.e+-]*", "#") end

local function describe(failure, alike)
  local line = format("%s by %.60s", sub(failure.problem, 1, 200), failure.scheme)
  if failure.steps then line = line .. format(", %d step%s", failure.steps, failure.steps == 1 and "" or "s") end
  if failure.h then line = line .. format(", h = %.6g", failure.h) end
  line = line .. ": " .. failure.status .. (failure.message ~= "" and ": " .. failure.message or "")
  return alike > 1 and line .. format(" (%d cases so)", alike) or line
end

-- What to tell of failures {status =, message =, problem =, scheme =, steps =, h =}: a line for each kind
-- that was not told yet.
function host.notice(failures)
  local alike, lines = {}, {}
  for _, failure in ipairs(failures) do
    local kind = kind_of(failure)
    alike[kind] = (alike[kind] or 0) + 1
  end
  for _, failure in ipairs(failures) do
    local kind = kind_of(failure)
    if not told[kind] then lines[#lines + 1] = describe(failure, alike[kind]) end
    told[kind] = true
  end
  return lines
end
