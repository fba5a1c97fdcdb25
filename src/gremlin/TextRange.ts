/**
 * The number of texts in a range such as `'a'..'e'`, whose ends differ in their last character only. Undefined for other ends, which
 * Groovy counts by the successors of a text.
 */
export const textRangeSize = (from: string, to: string): number | undefined => {
  if (from.length !== to.length || to.slice(0, -1) !== from.slice(0, -1)) return undefined
  return from === "" ? 0 : Math.abs(to.charCodeAt(to.length - 1) - from.charCodeAt(from.length - 1)) + 1
}

/** The first texts of the range from one end to the other, which descends if `from` is behind `to`. */
export const textsBetween = (from: string, to: string, size: number): string[] => {
  const prefix = from.slice(0, -1)
  const first = from.charCodeAt(from.length - 1)
  const step = from <= to ? 1 : -1
  return Array.from({ length: size }, (_, index) => prefix + String.fromCharCode(first + step * index))
}
