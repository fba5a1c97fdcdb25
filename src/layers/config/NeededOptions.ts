import { isCassandra } from "./StorageBackends.ts"

/** Options that have no effect without another one. */
interface Need {
  /** The options. The first group is what their names have in common with that of the other one. */
  readonly options: RegExp
  /** The rest of the name of the other one. */
  readonly needed: string
  /** What happens without it. */
  readonly otherwise: string
  /** This holds only for a graph in Cassandra. */
  readonly isOfCassandra?: true
}

const needs: ReadonlyArray<Need> = [
  {
    options: /^(storage\.cql\.|index\.[^.]+\.elasticsearch\.)ssl\./,
    needed: "ssl.enabled",
    otherwise: "the connection is not encrypted"
  },
  {
    options: /^(index\.[^.]+\.elasticsearch\.)http\.auth\.basic\./,
    needed: "http.auth.type",
    otherwise: "requests to the search engine have no password"
  },
  // JanusGraph's default is elasticsearch. A graph that has kept its mixed indexes itself so far would lose them by it.
  {
    isOfCassandra: true,
    options: /^(index\.[^.]+\.)(?!backend$)/,
    needed: "backend",
    otherwise:
      "unless the keyspace stores it, mixed indexes are kept in the graph's own store and in no search engine; JanusGraph's default " +
      "is elasticsearch"
  }
]

/** An option without the one that it needs. */
interface LackingOption {
  readonly key: string
  readonly needed: string
  readonly otherwise: string
}

/**
 * The options of a graph that protect a connection or belong to a search engine, and have no effect because another one is missing. Of
 * several that need the same option, the first. An option that is off on purpose is given, so its options are left alone.
 */
export const lackingOptions = (options: ReadonlyMap<string, string>): ReadonlyArray<LackingOption> => {
  const found = new Map<string, LackingOption>()
  const inCassandra = isCassandra(options.get("storage.backend"))
  for (const key of options.keys()) {
    for (const { isOfCassandra, needed, options: those, otherwise } of needs) {
      if (isOfCassandra === true && !inCassandra) continue
      const prefix = those.exec(key)?.[1]
      if (prefix === undefined) continue
      const name = `${prefix}${needed}`
      if (!options.has(name) && !found.has(name)) found.set(name, { key, needed: name, otherwise })
    }
  }
  return [...found.values()]
}
