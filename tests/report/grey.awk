# grey.awk - NAME.gp: entries of one legend that a grey print does not tell apart, a line each. Two differ by
# what draws them, their mark, their dashes, their width by half as much again, or their lightness L* (CIE
# 1976) by 20 of 100.
function channel(hex, at,   v) {
    v = (index("0123456789abcdef", substr(hex, at, 1)) - 1) * 16 + index("0123456789abcdef", substr(hex, at + 1, 1)) - 1
    v /= 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4
}
function lightness(color,   y) {
    color = tolower(color)
    y = 0.2126 * channel(color, 2) + 0.7152 * channel(color, 4) + 0.0722 * channel(color, 6)
    return y > 216 / 24389 ? 116 * y ^ (1 / 3) - 16 : y * 24389 / 27
}
function field(text, pattern) {
    return match(text, pattern) ? substr(text, RSTART, RLENGTH) : ""
}
function forget() { n = 0 }
BEGIN { if (NEAR == "") NEAR = 20 }
/^ *set title / { forget() }
/keyentry with / {
    line = $0
    sub(/.*keyentry with /, "", line)
    color = field(line, "#[0-9a-fA-F]+")
    width = field(line, " lw [0-9.]+")
    sub(/ lw /, "", width)
    title = field(line, "label[0-9_]+")
    kind = line
    sub(/ (lc|fc|ps|lw|dt|title) .*/, "", kind)
    dash = field(line, " dt [^ ]+")
    for (k = 1; k <= n; k++) {
        apart = kinds[k] != kind || dashes[k] != dash || width > 1.5 * widths[k] || widths[k] > 1.5 * width
        delta = color == "" || colors[k] == "" ? 100 : lightness(color) - lightness(colors[k])
        if (!apart && delta < NEAR && delta > -NEAR)
            printf "%s and %s look the same in grey: %s, lightness %.0f and %.0f\n", titles[k], title, kind, lightness(colors[k]), lightness(color)
    }
    n++
    kinds[n] = kind; dashes[n] = dash; widths[n] = width; colors[n] = color; titles[n] = title
}
