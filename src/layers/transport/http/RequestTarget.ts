/** A request target: RFC 9112, section 3.2. */
interface RequestTarget {
  readonly path: string
  /** The text after the question mark; empty without one. */
  readonly query: string
}

/** Scheme and authority of an absolute-form target, which clients send to a proxy. */
const ABSOLUTE_FORM_START = /^https?:\/\/[^/?#]*/i

/** Splits a request target into path and query. */
export const readTarget = (target: string): RequestTarget => {
  const url = target.startsWith("/") ? target : originForm(target)
  const mark = url.indexOf("?")
  return mark < 0 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

const originForm = (target: string): string => {
  const authority = ABSOLUTE_FORM_START.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith("/") ? rest : `/${rest}`
}

/** First names of paths that have a meaning on this server, or on servers whose tools are used with it. */
const reserved: ReadonlySet<string> = new Set([
  "console",
  "graphs",
  "health",
  "loader",
  "log-level",
  "metrics",
  "pg",
  "propertygraph",
  "status",
  "system"
])

/**
 * True for a path at which no script is evaluated: it begins with a reserved name, or is below `/gremlin`. All spellings of a
 * reserved path are reserved, because a proxy in front of the server may treat them as equal.
 */
export const isReserved = (path: string): boolean => {
  if (path === "/" || path === "/gremlin") return false
  const names = namesOf(path)
  return startsReserved(names) || (names.includes("..") && startsReserved(resolved(names)))
}

const startsReserved = ([first = "", second]: ReadonlyArray<string>): boolean =>
  first === "gremlin" ? second !== undefined : reserved.has(first)

/** The names in a path: decoded, in lower case, without parameters, empty names and `.`. */
const namesOf = (path: string): ReadonlyArray<string> =>
  path
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toLowerCase()
    .split(/[/\\]/)
    .map((name) => name.split(";", 1)[0]!)
    .filter((name) => name !== "" && name !== ".")

/** The names with `..` resolved. */
const resolved = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kept: Array<string> = []
  for (const name of names) {
    if (name === "..") kept.pop()
    else kept.push(name)
  }
  return kept
}

/** Characters of a path in an error message. */
const MAX_SHOWN_PATH_CHARS = 200

/** A path as error messages show it. */
export const shownPath = (path: string): string => path.slice(0, MAX_SHOWN_PATH_CHARS)
