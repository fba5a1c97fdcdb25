import type { StorageBackend } from "../../services/Config.ts"

/** The values of `storage.backend` in lower case, and the stores that they name. */
export const backends: ReadonlyMap<string, StorageBackend> = new Map([
  ["inmemory", "inmemory"],
  ["lmdb", "lmdb"],
  ["berkeleyje", "lmdb"],
  ["cql", "cql"],
  ["scylla", "cql"]
])

/** True if a value of `storage.backend` names Cassandra. */
export const isCassandra = (backend: string | undefined): boolean =>
  backends.get(backend?.trim().toLowerCase() ?? "") === "cql"
