const special: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY]
])

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * The number of a text: a decimal number, NaN, or an infinity, which XML and TinkerPop also write as INF. Undefined for any other text,
 * also for the hexadecimal numbers of JavaScript.
 */
export const numberOfText = (text: string): number | undefined => {
  const trimmed = text.trim()
  return decimal.test(trimmed) ? Number(trimmed) : special.get(trimmed.toLowerCase())
}
