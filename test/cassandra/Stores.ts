import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { type CellGraph, openCellGraph } from "../../src/storage/cells/CellGraph.ts"
import type { RowPage, Table } from "../../src/storage/cells/CellStore.ts"
import { CellCursor } from "../../src/storage/cells/Cells.ts"
import { type CellGraphOptions, defaultCellGraphOptions } from "../../src/storage/cells/Options.ts"
import { CellVerifier } from "../../src/storage/cells/verify/CellVerifier.ts"
import { type CqlOptions, cqlDefaults } from "../../src/storage/cql/CqlOptions.ts"
import { type CqlStore, openCqlStore } from "../../src/storage/cql/CqlStore.ts"
import { type CoordinationOptions, coordinationDefaults } from "../../src/storage/cql/coordination/Coordination.ts"
import { MemoryCellStore } from "../storage/cells/MemoryCellStore.ts"
import { settled } from "../storage/Settling.ts"

/** A name that no other test has. */
export const newKeyspace = (): string => `test_${randomBytes(6).toString("hex")}`

export const cqlOptions = (keyspace: string, options: Partial<CqlOptions> = {}): CqlOptions => ({
  ...cqlDefaults,
  hosts: ["127.0.0.1"],
  port: inject("cassandraPort"),
  keyspace,
  username: undefined,
  password: undefined,
  readOnly: false,
  tls: undefined,
  ...options
})

const silent = {
  others: () => undefined,
  notice: () => undefined,
  reregistered: () => undefined,
  failed: () => undefined
}

export const cqlStore = (
  keyspace: string,
  options: Partial<CqlOptions> = {},
  coordination: Partial<CoordinationOptions> = {}
): Promise<CqlStore> =>
  openCqlStore(
    cqlOptions(keyspace, options),
    { partitionBits: 5, idBlockSize: 10_000, userVertexIds: false, textVertexIds: false },
    { ...coordinationDefaults, newsInterval: 200, ...coordination, readOnly: options.readOnly ?? false },
    silent
  )

export const cqlGraph = async (
  keyspace: string,
  options: Partial<CellGraphOptions> = {},
  connection: Partial<CqlOptions> = {}
): Promise<CellGraph> =>
  openCellGraph(
    await cqlStore(keyspace, { ...connection, readOnly: options.readOnly ?? false }),
    { ...defaultCellGraphOptions, name: "test", ...options },
    "test"
  )

const rowsOf = async (graph: CellGraph, table: Table): Promise<ReadonlyArray<RowPage>> => {
  const scan = graph.core.cells.snapshot().scan(table)
  const all: Array<RowPage> = []
  for (;;) {
    const rows = await new Promise<ReadonlyArray<RowPage>>((resolve, reject) => {
      scan.fetch(500, (error, rows) => (error === undefined ? resolve(rows) : reject(error)))
    })
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

/** What is wrong with the cells of a graph: they are copied, and looked at as those of a graph on disk are. */
export const findingsOf = async (graph: CellGraph): Promise<ReadonlyArray<string>> => {
  const copy = new MemoryCellStore()
  for (const table of ["edgestore", "graphindex", "system_properties", "engine_ranges"] as const) {
    for (const { cells, key } of await rowsOf(graph, table)) {
      const changes: Array<{ readonly column: Uint8Array; readonly value: Uint8Array }> = []
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) changes.push({ column: cursor.column(), value: cursor.value() })
      await settled(copy.commit((batch) => batch.change(table, key, changes)))
    }
  }
  const copied = await openCellGraph(copy, { ...graph.core.options, readOnly: true }, "verifier")
  const findings: Array<string> = []
  const snapshot = copy.snapshot()
  const verifier = new CellVerifier(copied.core, snapshot, ({ kind, where }) => findings.push(`${kind}: ${where}`))
  for (const _ of verifier.work()) {
    // All of it.
  }
  snapshot.close()
  // Ids are claimed by another protocol here, in other partitions.
  return findings.filter((finding) => !finding.startsWith("ids in use"))
}
