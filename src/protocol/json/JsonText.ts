/**
 * Characters that JSON must escape (quotes, backslashes, all below the space), and surrogates: UTF-8 cannot encode unpaired ones.
 * JSON.stringify keeps pairs.
 */
const special = /["\\\ud800-\udfff]|[^ -\uffff]/

/** The JSON of a string. */
export const quoted = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`)

/** The JSON of a string without its quotes. */
export const escaped = (text: string): string => (special.test(text) ? JSON.stringify(text).slice(1, -1) : text)

/** The JSON of a finite Double or Float, with a point or an exponent: `1.0`, not `1`. */
export const decimalNumber = (value: number): string => {
  const text = String(value)
  if (!Number.isInteger(value) || text.includes("e")) return text
  return value === 0 && 1 / value < 0 ? "-0.0" : `${text}.0`
}

/** Maximum number of fragments in one cache. The cache is bounded, because clients choose labels and keys. */
const MAX_FRAGMENTS = 2048

/** Longest label or key whose fragment is cached. */
const LONGEST_CACHED_CHARS = 256

/** Caches the values that `make` makes of strings. A full cache is cleared. */
export const fragments = <A>(make: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    let fragment = known.get(text)
    if (fragment === undefined) {
      if (known.size >= MAX_FRAGMENTS) known.clear()
      fragment = make(text)
      if (text.length <= LONGEST_CACHED_CHARS) known.set(text, fragment)
    }
    return fragment
  }
}
