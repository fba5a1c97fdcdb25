import { statSync } from "node:fs"
import { join } from "node:path"
import type { GraphSettings, StorageOptions } from "../../services/GraphSettings.ts"
import { cqlDefaults, nameOf } from "../../storage/cassandra/CqlOptions.ts"
import { canonical } from "../../storage/shared/CanonicalPath.ts"

/** The data file of lmdb in its folder. */
const LMDB_FILE = "graph.mdb"

/** Device and inode, which hard links and mounts share; undefined for a missing file. */
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
    // A file that cannot be inspected fails when it is opened.
    return false
  }
}

/** Two lmdb folders are the same when their data files are. */
const sameFolder = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (samePath(one, other) || samePath(join(one, LMDB_FILE), join(other, LMDB_FILE)))

const sameOptions = (one: GraphSettings, other: GraphSettings): boolean =>
  one.options.size === other.options.size && [...one.options].every(([key, value]) => other.options.get(key) === value)

const host = (name: string): string => (/^(?:localhost|::1)$/i.test(name) ? "127.0.0.1" : name.toLowerCase())

/**
 * A node in the form that is compared: `host:port`. `name` may have a port of its own, which wins: `c1:9043`, `[::1]:9043`. A name with
 * several colons and no brackets is an address of IPv6.
 */
export const nodeOf = (name: string, port: number): string => {
  const [, address, plain, own = port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(name) ?? []
  return `${host(address ?? plain ?? name)}:${own}`
}

/** The contact points of a cluster with their ports: two ports of one host may be of two clusters. */
export const nodesOf = ({ hostname, port }: StorageOptions): ReadonlyArray<string> =>
  hostname.map((name) => nodeOf(name, port ?? cqlDefaults.port))

/** Two lists of contact points belong to one cluster when they share a node. */
const shareNode = (one: StorageOptions, other: StorageOptions): boolean => {
  const known = new Set(nodesOf(one))
  return nodesOf(other).some((node) => known.has(node))
}

/** The keyspace as Cassandra names it: two spellings may be one name, and names in quotes may differ in case only. */
export const keyspaceOf = ({ keyspace }: StorageOptions): string => nameOf(keyspace ?? "")

const sameBackend = (one: StorageOptions, other: StorageOptions): boolean => {
  if (one.backend !== other.backend) return false
  if (one.backend === "lmdb") return sameFolder(one.directory, other.directory)
  return one.backend === "cql" && keyspaceOf(one) === keyspaceOf(other) && shareNode(one, other)
}

/**
 * True when two graphs have the same data: the same properties file, the same file or folder, or the same keyspace and
 * cluster. A graph without a file, which a program made, equals only itself.
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

const cqlStorage = ({ factory }: GraphSettings): StorageOptions | undefined =>
  factory.kind === "JanusGraphFactory" && factory.storage.backend === "cql" ? factory.storage : undefined

/** A keyspace without quotes and case. */
const plainKeyspace = ({ keyspace = "" }: StorageOptions): string => keyspace.replaceAll('"', "").toLowerCase()

/** True when two graphs have keyspaces of one name, on whatever hosts: the nodes of a cluster have many addresses. */
const sameKeyspaceName = (one: GraphSettings, other: GraphSettings): boolean => {
  const [a, b] = [cqlStorage(one), cqlStorage(other)]
  return a !== undefined && b !== undefined && plainKeyspace(a) === plainKeyspace(b)
}

/**
 * Whether a graph may have the data of one that clients must not reach, such as that of the users. It is stricter than
 * {@link sameStorage}: a false alarm costs a name, and a missed one the passwords.
 */
export const mayShareData = (one: GraphSettings, other: GraphSettings): boolean =>
  sameStorage(one, other) || sameKeyspaceName(one, other)

/** What {@link mayShareData} has found, for messages: `this has ...`. */
export const sharedText = (one: GraphSettings, other: GraphSettings, name: string): string =>
  sameStorage(one, other)
    ? `this has the same data as ${name}`
    : `this has a keyspace of the same name as ${name}, and different hosts may be of one cluster`
