import type { GraphSettings } from "../../services/GraphSettings.ts"

/** Whether two graphs are the same data. A graph that a program made, without a file, is the same only as itself. */
export const sameStorage = (one: GraphSettings, other: GraphSettings): boolean => {
  if (one === other || (one.file !== undefined && one.file === other.file)) return true
  if (one.factory.kind !== "JanusGraphFactory" || other.factory.kind !== "JanusGraphFactory") return false
  const { storage: a } = one.factory
  const { storage: b } = other.factory
  if (a.backend === "lmdb") return b.backend === "lmdb" && a.directory === b.directory
  return (
    a.backend === "cql" && b.backend === "cql" && a.keyspace === b.keyspace && String(a.hostname) === String(b.hostname)
  )
}
