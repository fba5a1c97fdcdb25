/**
 * What JSON must escape (quotes, backslashes, everything below the space), and unpaired surrogates, which UTF-8 cannot
 * carry. Paired ones match too: JSON.stringify then leaves them as they are.
 */
const special = /["\\\ud800-\udfff]|[^ -\uffff]/

/** A string as JSON text. */
export const quoted = (text: string): string => (special.test(text) ? JSON.stringify(text) : `"${text}"`)

/** A string as JSON text without its quotes. */
export const escaped = (text: string): string => (special.test(text) ? JSON.stringify(text).slice(1, -1) : text)

/** A finite Double or Float as a JSON number that reads back as one: `1.0`, not `1`. */
export const decimalNumber = (value: number): string => {
  const text = String(value)
  if (!Number.isInteger(value) || text.includes("e")) return text
  return value === 0 && 1 / value < 0 ? "-0.0" : `${text}.0`
}

/** How many fragments a cache may hold; clients choose labels and keys, so that it must be bounded. */
const maximumFragments = 2048

/** A cache of what is made from a string, bounded: when it is full it begins anew. */
export const fragments = <A>(make: (text: string) => A): ((text: string) => A) => {
  const known = new Map<string, A>()
  return (text) => {
    let fragment = known.get(text)
    if (fragment === undefined) {
      if (known.size >= maximumFragments) known.clear()
      fragment = make(text)
      // A very long label or key is not worth keeping.
      if (text.length <= 256) known.set(text, fragment)
    }
    return fragment
  }
}
