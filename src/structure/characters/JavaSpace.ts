/** White space according to Java's Character.isWhitespace(), which excludes no-break spaces. */
export const isSpace = (unit: number): boolean =>
  (unit >= 0x09 && unit <= 0x0d) ||
  (unit >= 0x1c && unit <= 0x20) ||
  unit === 0x1680 ||
  (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007) ||
  unit === 0x2028 ||
  unit === 0x2029 ||
  unit === 0x205f ||
  unit === 0x3000

/** String.trim() of Java, which removes control characters and spaces, and no other white space. */
export const trimmed = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}

/** True for a text without a character that is no white space of Java. */
export const isBlank = (text: string): boolean => firstSolid(text) === text.length

/** The offset of the first character that is no white space of Java; the length of a text without one. */
export const firstSolid = (text: string): number => {
  let start = 0
  while (start < text.length && isSpace(text.charCodeAt(start))) start++
  return start
}

/** The offset after the last character from `start` that is no white space of Java; `start` without one. */
export const afterLastSolid = (text: string, start: number): number => {
  let end = text.length
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return end
}
