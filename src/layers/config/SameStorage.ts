import { readlinkSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import type { GraphSettings, StorageOptions } from "../../services/GraphSettings.ts"

/** The file of lmdb in its folder. */
const LMDB_FILE = "graph.mdb"

/** What a link says, where it leads to nothing yet; undefined for what is no link. */
const target = (link: string): string | undefined => {
  try {
    return resolve(dirname(link), readlinkSync(link))
  } catch {
    return undefined
  }
}

/** Links that lead to links, at most: the system gives up there too. */
const LINKS = 40

/** The path without links; what is not there yet may lie below one, or be what one leads to. */
export const canonical = (path: string, links = LINKS): string => {
  try {
    return realpathSync(path)
  } catch {
    const next = links > 0 ? target(path) : undefined
    if (next !== undefined) return canonical(next, links - 1)
    const parent = dirname(path)
    return parent === path ? path : join(canonical(parent, links), basename(path))
  }
}

/** What a file or folder is to the system, whatever names it has: links that are no symbolic ones, and mounts. */
const identity = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

const samePath = (one: string | undefined, other: string | undefined): boolean => {
  if (one === undefined || other === undefined) return false
  if (canonical(one) === canonical(other)) return true
  try {
    const known = identity(one)
    return known !== undefined && known === identity(other)
  } catch {
    // What cannot be looked at is told when it is opened.
    return false
  }
}

/** Folders of lmdb are the same when their files are. */
const sameFolder = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (samePath(one, other) || samePath(join(one, LMDB_FILE), join(other, LMDB_FILE)))

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
  if (one.backend === "lmdb") return sameFolder(one.directory, other.directory)
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
