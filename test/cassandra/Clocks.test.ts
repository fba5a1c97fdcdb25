import { afterEach, describe, expect, it } from "vitest"
import { connect } from "../../src/storage/cassandra/Connection.ts"
import { CqlColumns } from "../../src/storage/cassandra/CqlColumns.ts"
import { CqlStore } from "../../src/storage/cassandra/CqlStore.ts"
import { type Clock, systemClock } from "../../src/storage/cassandra/coordination/Clock.ts"
import { openCoordination } from "../../src/storage/cassandra/coordination/Coordination.ts"
import { coordinationDefaults } from "../../src/storage/cassandra/coordination/CoordinationOptions.ts"
import { prepareKeyspace } from "../../src/storage/cassandra/Keyspace.ts"
import { type CellGraph, openCellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../src/storage/janusgraph/management/SchemaEditor.ts"
import { defaultCellGraphOptions } from "../../src/storage/janusgraph/Options.ts"
import { TransactionConflict } from "../../src/structure/errors/StoreErrors.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { runLater } from "../process/run.ts"
import { cqlOptions, newKeyspace, silent } from "./Stores.ts"

const MICROSECONDS = 1_000_000n
/** Time by which the clock of the second server is ahead. */
const SKEW_SECONDS = 30n

const clockAhead = (seconds: bigint): Clock => {
  const clock = systemClock()
  return { ...clock, now: () => clock.now() + seconds * MICROSECONDS }
}

const closing: Array<CellGraph> = []

afterEach(async () => {
  for (const graph of closing.splice(0)) await graph.close()
})

/** Opens a graph as a server whose clock is ahead. Its blocks of ids are small, so that it claims many. */
const server = async (keyspace: string, instance: string, ahead: bigint): Promise<CellGraph> => {
  const options = cqlOptions(keyspace)
  const client = await connect(options)
  const tables = await prepareKeyspace(client, options)
  const columns = new CqlColumns(client, options)
  const coordination = await openCoordination({
    columns,
    wanted: { partitionBits: 1, idBlockSize: 20, userVertexIds: false, textVertexIds: false },
    options: { ...coordinationDefaults, instance, newsInterval: 200 },
    events: silent,
    writesLast: columns.requestTimeout,
    clock: clockAhead(ahead)
  })
  const graph = await openCellGraph(
    new CqlStore(columns, tables, coordination),
    { ...defaultCellGraphOptions, name: "test" },
    instance
  )
  closing.push(graph)
  return graph
}

/** Runs a script in its own transaction, after a conflict up to five times. Returns the results, or the name of the error. */
const run = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown> | string> => {
  for (let attempt = 1; ; attempt++) {
    const transaction = graph.begin()
    try {
      return await runLater(graph, script, { transaction, as: text })
    } catch (error) {
      if (!(error instanceof TransactionConflict) || attempt === 5) return (error as Error).constructor.name
    } finally {
      transaction.rollback()
    }
  }
}

describe("Two servers whose clocks differ by 30 seconds", () => {
  it("give no id twice, also when both claim blocks at the same time", async () => {
    const keyspace = newKeyspace()
    const behind = await server(keyspace, "behind", 0n)
    const ahead = await server(keyspace, "ahead", SKEW_SECONDS)
    expect(await run(behind, "g.addV('person').property('name', 'first').count()")).toEqual(["1"])
    const add = async (graph: CellGraph, name: string): Promise<void> => {
      for (let at = 0; at < 20; at++) {
        const adds = ".addV('person').property('name', x)".repeat(10).replaceAll("x", `'${name}'`)
        expect(await run(graph, `g${adds}.count()`)).toEqual(["1"])
      }
    }
    await Promise.all([add(behind, "behind"), add(ahead, "ahead")])
    for (const graph of [behind, ahead]) {
      expect(await run(graph, "g.V().id().dedup().count()")).toEqual(["401"])
      expect(await run(graph, "g.V().groupCount().by('name').select('ahead')")).toEqual(["200"])
    }
  })

  it("read what the other has written, and lose a change whose time stamp is older, as the documentation says", async () => {
    const keyspace = newKeyspace()
    const behind = await server(keyspace, "behind", 0n)
    const ahead = await server(keyspace, "ahead", SKEW_SECONDS)
    await run(behind, "g.addV('person').property('name', 'ann').property('age', 1).none()")
    const age = (graph: CellGraph) => run(graph, "g.V().has('name', 'ann').values('age')")
    // The news of the schema arrive after a poll.
    await expect.poll(() => age(ahead), { timeout: 15_000 }).toEqual(["1"])
    await run(ahead, "g.V().has('name', 'ann').property('age', 2).none()")
    expect(await age(behind)).toEqual(["2"])
    await run(behind, "g.V().has('name', 'ann').property('age', 3).none()")
    // Cassandra keeps the cell with the newest time stamp. It is that of the server that is ahead.
    expect(await age(ahead)).toEqual(await age(behind))
    await run(ahead, "g.V().has('name', 'ann').property('age', 4).none()")
    expect(await age(behind)).toEqual(["4"])
  })

  it("give a value of a unique index to one vertex, when they do not write at the same time", async () => {
    const keyspace = newKeyspace()
    const behind = await server(keyspace, "behind", 0n)
    const editor = await behind.management.edit()
    const mail = editor.makeKey("mail", dataTypeOf("String"), "SINGLE")
    editor.makeVertexLabel("person", false, false)
    editor.makeIndex({ name: "byMail", element: "vertex", kind: "equality", unique: true, keys: [mail] })
    await behind.management.commit(editor)
    const ahead = await server(keyspace, "ahead", SKEW_SECONDS)
    for (const [first, second] of [
      [behind, ahead],
      [ahead, behind]
    ] as const) {
      const value = first === behind ? "a" : "b"
      const add = `g.addV('person').property('mail', '${value}').count()`
      expect(await run(first, add)).toEqual(["1"])
      expect(await run(second, add)).not.toEqual(["1"])
      expect(await run(second, `g.V().has('person', 'mail', '${value}').count()`)).toEqual(["1"])
    }
  })
})
