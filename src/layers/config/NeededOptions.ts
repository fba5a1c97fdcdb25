/** Options that have no effect without another one, and what then happens. */
const needs: ReadonlyArray<{ readonly options: RegExp; readonly needed: string; readonly otherwise: string }> = [
  {
    options: /^(storage\.cql\.|index\.[^.]+\.elasticsearch\.)ssl\./,
    needed: "ssl.enabled",
    otherwise: "the connection is not encrypted"
  },
  {
    options: /^(index\.[^.]+\.elasticsearch\.)http\.auth\.basic\./,
    needed: "http.auth.type",
    otherwise: "requests to the search engine have no password"
  }
]

/** An option without the one that it needs. */
interface LackingOption {
  readonly key: string
  readonly needed: string
  readonly otherwise: string
}

/**
 * The options of a graph that protect a connection, and have no effect because the option that switches them on is missing. Of several that
 * need the same option, the first. An option that is off on purpose is given, so its options are left alone.
 */
export const lackingOptions = (options: ReadonlyMap<string, string>): ReadonlyArray<LackingOption> => {
  const found = new Map<string, LackingOption>()
  for (const key of options.keys()) {
    for (const { needed, options: those, otherwise } of needs) {
      const prefix = those.exec(key)?.[1]
      if (prefix === undefined) continue
      const name = `${prefix}${needed}`
      if (!options.has(name) && !found.has(name)) found.set(name, { key, needed: name, otherwise })
    }
  }
  return [...found.values()]
}
