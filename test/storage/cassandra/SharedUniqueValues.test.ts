import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { CqlStore } from "../../../src/storage/cassandra/CqlStore.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { indexRowPrefix } from "../../../src/storage/janusgraph/indexes/IndexEntries.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"

const gate = () => {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe("Two servers that change the unique value of one vertex", () => {
  let cluster: FakeCluster
  let graphs: ReadonlyArray<CellGraph>

  beforeEach(async () => {
    cluster = new FakeCluster()
    const first = await cellGraph(await cluster.store())
    const editor = await first.management.edit()
    const ssn = editor.makeKey("ssn", dataTypeOf("String"), "SINGLE")
    editor.makeIndex({ unique: true, kind: "equality", name: "bySsn", element: "vertex", keys: [ssn] })
    await first.management.commit(editor)
    await run(first, "g.addV('person').property('ssn', 'x')")
    graphs = [first, await cellGraph(await cluster.store())]
  })
  afterEach(async () => {
    for (const graph of graphs) await graph.close()
  })

  const run = (graph: CellGraph, script: string) => runLater(graph, script, { as: text })

  /** The outcomes of two scripts that both servers run at the same time. */
  const outcomes = async (scripts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const done = await Promise.allSettled(scripts.map((script, at) => run(graphs[at]!, script)))
    return done
      .map((each) => {
        if (each.status === "fulfilled") return "committed"
        return each.reason instanceof TransactionConflict ? "conflict" : String(each.reason)
      })
      .toSorted()
  }

  const entries = () => {
    const prefix = indexRowPrefix(graphs[0]!.core.schema.indexes.find(({ name }) => name === "bySsn")!)
    return cluster.cells("graphindex").filter(({ key }) => key.subarray(0, prefix.length).equals(prefix))
  }

  it("do not both succeed, so no entry of a value stays that no vertex has", async () => {
    const both = ["g.V().has('ssn', 'x').property('ssn', 'y')", "g.V().has('ssn', 'x').property('ssn', 'z')"]
    expect(await outcomes(both)).toEqual(["committed", "conflict"])
    expect(entries()).toHaveLength(1)
    for (const graph of graphs) expect(await run(graph, "g.V().count()")).toEqual(["1"])
  })

  it("do not both succeed when one of them drops the vertex", async () => {
    const both = ["g.V().has('ssn', 'x').property('ssn', 'y')", "g.V().has('ssn', 'x').drop()"]
    expect(await outcomes(both)).toEqual(["committed", "conflict"])
    expect(`${entries().length}`).toBe((await run(graphs[0]!, "g.V().count()"))[0])
  })

  /** Removes the only entry from the index, as an interrupted commit leaves it. */
  const loseEntry = async (): Promise<void> => {
    const { columns } = graphs[0]!.core.cells as CqlStore
    const [{ column, key }] = entries() as [ReturnType<typeof entries>[number]]
    await new Promise((resolve) => setTimeout(resolve, 2))
    const mutation = { table: "graphindex", key, additions: [], deletions: [column] } as const
    await columns.mutate([mutation], BigInt(Date.now()) * 1000n, "write")
    expect(entries()).toEqual([])
  }

  it("can remove a value whose entry is missing after an interrupted commit", async () => {
    await loseEntry()
    await run(graphs[1]!, "g.V().hasLabel('person').property('ssn', 'y')")
    await run(graphs[0]!, "g.V().hasLabel('person').drop()")
    expect(entries()).toEqual([])
    await run(graphs[1]!, "g.addV('person').property('ssn', 'x')")
  })

  /** Runs `meanwhile` while the first commit of a script waits to write what it has compared under its locks. */
  const during = async (graph: CellGraph, script: string, meanwhile: () => Promise<unknown>) => {
    const held = gate()
    const released = gate()
    cluster.weather = async (statement) => {
      if (!/^(INSERT|DELETE).*"(edgestore|graphindex)"/.test(statement)) return
      cluster.weather = async () => undefined
      held.open()
      await released.opened
    }
    const done = run(graph, script)
    await Promise.race([held.opened, done])
    const other = await meanwhile().then(
      () => "committed",
      (error: unknown) => (error instanceof TransactionConflict ? "conflict" : String(error))
    )
    released.open()
    await done
    return other
  }

  const rewrites = {
    "removes the vertex and gives the value to a new one":
      "g.V().has('ssn', 'x').sideEffect(drop()).addV('person').property('ssn', 'x')",
    "gives the value to a new vertex": "g.V().has('ssn', 'x').property('ssn', 'w').addV('person').property('ssn', 'x')",
    "swaps the values of two vertices":
      "g.V().has('ssn', 'x').as('a').V().has('ssn', 'y').as('b').property('ssn', 'x').select('a').property('ssn', 'y')"
  }
  it.each(Object.entries(rewrites))("do not both succeed when one of them %s", async (_, script) => {
    await run(graphs[1]!, "g.addV('person').property('ssn', 'y')")
    const [first, second] = graphs as [CellGraph, CellGraph]
    const change = "g.V().has('ssn', 'x').property('ssn', 'z')"
    expect(await during(first, change, () => run(second, script))).toBe("conflict")
    expect((await run(second, "g.V().values('ssn')")).toSorted()).toEqual(["y", "z"])
    expect(entries()).toHaveLength(2)
    await run(second, script.replaceAll("'x'", "'z'"))
    expect(await run(first, "g.V().has('ssn', 'z').count()")).toEqual(["1"])
  })

  it("leave no entry when one of them changes it between the reads of the other one", async () => {
    const [first, second] = graphs as [CellGraph, CellGraph]
    let reads = 0
    let change: Promise<unknown> | undefined
    cluster.weather = async (statement) => {
      // The first read is the search; the second one is that of the commit.
      if (!/^SELECT.*"graphindex"/.test(statement) || ++reads !== 2) return
      cluster.weather = async () => undefined
      change = run(first, "g.V().has('ssn', 'x').property('ssn', 'z')")
      await change
    }
    await run(second, rewrites["removes the vertex and gives the value to a new one"]).catch((error: unknown) => {
      if (!(error instanceof TransactionConflict)) throw error
    })
    expect(change).toBeDefined()
    expect(`${entries().length}`).toBe((await run(first, "g.V().count()"))[0])
    expect(await run(second, "g.V().has('ssn', 'z').count()")).toEqual(["1"])
  })

  it("do not write past the build of the index, which waits for their locks", async () => {
    const [first, second] = graphs as [CellGraph, CellGraph]
    const { id } = second.core.schema.indexes.find(({ name }) => name === "bySsn")!
    await loseEntry()
    let built: Promise<unknown> | undefined
    let isRefused = false
    await during(first, "g.V().hasLabel('person').property('ssn', 'z')", async () => {
      const refused = gate()
      const { weather } = cluster
      cluster.weather = async (statement) => {
        if (!/^DELETE.*"graphindex_lock_"/.test(statement)) return
        cluster.weather = weather
        isRefused = true
        refused.open()
      }
      built = second.management.rebuild(id)
      await Promise.race([refused.opened, built])
    })
    await built
    expect(isRefused).toBe(true)
    expect(entries()).toHaveLength(1)
    expect(await run(second, "g.V().has('ssn', 'z').count()")).toEqual(["1"])
  })

  it("are not locked by a build of the index that finds their entries", async () => {
    const [, second] = graphs as [CellGraph, CellGraph]
    const { id } = second.core.schema.indexes.find(({ name }) => name === "bySsn")!
    let locks = 0
    cluster.weather = async (statement) => {
      if (/^INSERT.*"graphindex_lock_"/.test(statement)) locks++
    }
    expect(await second.management.rebuild(id)).toBe(1)
    expect(locks).toBe(0)
    await loseEntry()
    await second.management.rebuild(id)
    expect(locks).toBeGreaterThan(0)
    expect(entries()).toHaveLength(1)
  })

  it("are built although locks cannot be written at first", async () => {
    const [, second] = graphs as [CellGraph, CellGraph]
    const { id } = second.core.schema.indexes.find(({ name }) => name === "bySsn")!
    await loseEntry()
    let failures = 3
    cluster.weather = async (statement) => {
      const isClaim = statement.includes('"graphindex_lock_"') && !statement.startsWith("SELECT")
      if (isClaim && failures-- > 0) throw Object.assign(new Error("the node is overloaded"), { code: 0x1001 })
    }
    await second.management.rebuild(id)
    expect(failures).toBeLessThan(0)
    expect(entries()).toHaveLength(1)
  })
})

describe("A server that starts while the only other one writes a commit", () => {
  const open = async (cluster: FakeCluster) => cellGraph(await cluster.store())
  const run = (graph: CellGraph, script: string) => runLater(graph, script, { as: text })

  it.each([
    ["takes a unique value", "takes"],
    ["leaves a unique value to it", "leaves"]
  ])("%s although that one takes longer than a start", async (_, does) => {
    const cluster = new FakeCluster()
    const first = await open(cluster)
    const editor = await first.management.edit()
    const ssn = editor.makeKey("ssn", dataTypeOf("String"), "SINGLE")
    editor.makeVertexLabel("person", false, false)
    editor.makeIndex({ unique: true, kind: "equality", name: "bySsn", element: "vertex", keys: [ssn] })
    await first.management.commit(editor)
    const [begun, goesOn] = [gate(), gate()]
    let isFirst = true
    cluster.weather = async (statement) => {
      if (!isFirst || statement.startsWith("SELECT") || !statement.includes('"edgestore"')) return
      isFirst = false
      begun.open()
      await goesOn.opened
    }
    const slow = run(first, "g.addV('person').property('ssn', 'x')").then(
      () => "committed",
      (error: Error) => error.message
    )
    await begun.opened
    cluster.elapsed += 5000
    const second = await open(cluster)
    if (does === "takes") await run(second, "g.addV('person').property('ssn', 'x')")
    goesOn.open()
    expect(await slow).toMatch(does === "takes" ? /unique value/ : /^committed$/)
    expect(await run(second, "g.V().has('ssn', 'x').count()")).toEqual(["1"])
    const again = run(second, "g.addV('person').property('ssn', 'x')")
    await expect(again).rejects.toThrow("uniqueness constraint [bySsn]")
    for (const graph of [first, second]) await graph.close()
  })
})
