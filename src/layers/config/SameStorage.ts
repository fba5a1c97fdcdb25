import { realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { GraphSettings, StorageOptions } from "../../services/GraphSettings.ts"

/** The path without links; what is not there yet may lie below one. */
export const canonical = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(canonical(parent), basename(path))
  }
}

const samePath = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && canonical(one) === canonical(other)

const sameOptions = (one: GraphSettings, other: GraphSettings): boolean =>
  one.options.size === other.options.size && [...one.options].every(([key, value]) => other.options.get(key) === value)

const host = (name: string): string => (/^(?:localhost|::1)$/i.test(name) ? "127.0.0.1" : name.toLowerCase())

/** A cluster is known by any of its nodes. */
const shareHost = (one: StorageOptions, other: StorageOptions): boolean => {
  const known = new Set(one.hostname.map(host))
  return other.hostname.some((name) => known.has(host(name)))
}

const sameBackend = (one: StorageOptions, other: StorageOptions): boolean => {
  if (one.backend !== other.backend) return false
  if (one.backend === "lmdb") return samePath(one.directory, other.directory)
  return one.backend === "cql" && one.keyspace === other.keyspace && shareHost(one, other)
}

/**
 * Whether two graphs are the same data: by their properties file, by the file or folder they are kept in, or by keyspace and
 * cluster. A graph that a program made, without a file, is the same only as itself.
 */
export const sameStorage = (one: GraphSettings, other: GraphSettings): boolean => {
  if (one === other || samePath(one.file, other.file)) return true
  const { factory: a } = one
  const { factory: b } = other
  if ("tinkergraph" in a && "tinkergraph" in b) {
    return samePath(a.tinkergraph.graphLocation, b.tinkergraph.graphLocation)
  }
  if (a.kind === "module" && b.kind === "module") {
    return a.module === b.module && one.options.size > 0 && sameOptions(one, other)
  }
  return a.kind === "JanusGraphFactory" && b.kind === "JanusGraphFactory" && sameBackend(a.storage, b.storage)
}
