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
  const run = (graph: CellGraph, script: string) => runLater(graph, script, { as: text })

  /** A graph of a server that is alone, with a unique index and another one. */
  const started = async () => {
    const cluster = new FakeCluster()
    const first = await cellGraph(await cluster.store())
    const editor = await first.management.edit()
    const ssn = editor.makeKey("ssn", dataTypeOf("String"), "SINGLE")
    const name = editor.makeKey("name", dataTypeOf("String"), "SINGLE")
    editor.makeVertexLabel("person", false, false)
    editor.makeIndex({ unique: true, kind: "equality", name: "bySsn", element: "vertex", keys: [ssn] })
    editor.makeIndex({ unique: false, kind: "equality", name: "byName", element: "vertex", keys: [name] })
    await first.management.commit(editor)
    return { cluster, first }
  }

  /** Runs a script. A second server starts and runs `meanwhile` after `writes` writes of a table, which take seconds. */
  const during = async (
    cluster: FakeCluster,
    first: CellGraph,
    script: string,
    { table = "edgestore", writes = 0 }: { readonly table?: string; readonly writes?: number },
    meanwhile: (second: CellGraph) => Promise<unknown>
  ) => {
    const [begun, goesOn] = [gate(), gate()]
    let left = writes
    cluster.weather = async (statement) => {
      if (statement.startsWith("SELECT") || !statement.includes(`"${table}"`) || left-- !== 0) return
      begun.open()
      await goesOn.opened
    }
    const slow = run(first, script).then(
      () => "committed",
      (error: Error) => error.message
    )
    await Promise.race([begun.opened, slow])
    cluster.elapsed += 5000
    const second = await cellGraph(await cluster.store())
    await meanwhile(second)
    goesOn.open()
    return { outcome: await slow, second }
  }

  it.each([
    ["takes a unique value", "takes"],
    ["leaves a unique value to it", "leaves"]
  ])("%s although that one takes longer than a start", async (_, does) => {
    const { cluster, first } = await started()
    const add = "g.addV('person').property('ssn', 'x')"
    const { outcome, second } = await during(cluster, first, add, {}, async (graph) => {
      if (does === "takes") await run(graph, add)
    })
    expect(outcome).toMatch(does === "takes" ? /1 whose values another server has taken/ : /^committed$/)
    expect(await run(second, "g.V().has('ssn', 'x').count()")).toEqual(["1"])
    await expect(run(second, add)).rejects.toThrow("uniqueness constraint [bySsn]")
    for (const graph of [first, second]) await graph.close()
  })

  const people = (values: ReadonlyArray<string>) =>
    `g.inject('${values.join("', '")}').as('s').addV('person').property('ssn', select('s')).property('name', select('s'))`

  it("takes one value, and that one writes all its other entries", async () => {
    const { cluster, first } = await started()
    const { outcome, second } = await during(cluster, first, people(["x", "y", "z"]), {}, (graph) =>
      run(graph, "g.addV('person').property('ssn', 'y')")
    )
    expect(outcome).toMatch(/not known whether the commit was applied.*1 whose values another server has taken/)
    expect(outcome).toContain("--repair")
    for (const ssn of ["x", "y", "z"]) {
      expect(await run(second, `g.V().has('ssn', '${ssn}').values('ssn')`)).toEqual([ssn])
      expect(await run(second, `g.V().has('name', '${ssn}').values('ssn')`)).toEqual([ssn])
    }
    // The locks of what was written are free.
    await run(first, "g.V().has('ssn', 'x').drop()")
    await run(first, "g.addV('person').property('ssn', 'x')")
    for (const graph of [first, second]) await graph.close()
  })

  it("gets the entries of all other indexes from that one although no lock is written in time", async () => {
    const { cluster, first } = await started()
    let isSlow = false
    const { outcome, second } = await during(cluster, first, people(["x", "y"]), {}, async () => {
      const { weather } = cluster
      isSlow = true
      cluster.weather = async (statement, parameters) => {
        if (isSlow && statement.includes('"graphindex_lock_"')) cluster.elapsed += 1000
        await weather(statement, parameters)
      }
    })
    isSlow = false
    expect(outcome).toMatch(/2 that could not be locked in time/)
    expect(await run(second, "g.V().has('name', within('x', 'y')).count()")).toEqual(["2"])
    for (const graph of [first, second]) await graph.close()
  })

  it("takes a value although that one has written a part of its entries", async () => {
    const { cluster, first } = await started()
    const values = Array.from({ length: 300 }, (_, at) => `${at}`)
    const place = { table: "graphindex", writes: 200 }
    const { outcome, second } = await during(cluster, first, people(values), place, (graph) =>
      run(graph, "g.addV('person').property('ssn', '299')")
    )
    expect(outcome).toMatch(/1 whose values another server has taken/)
    expect(await run(second, "g.V().has('ssn', '298').values('name')")).toEqual(["298"])
    expect(await run(second, "g.V().has('ssn', '299').count()")).toEqual(["1"])
    expect(await run(second, "g.V().has('ssn', '299').values('name')")).toEqual([])
    expect(await run(second, "g.V().has('name', '299').count()")).toEqual(["1"])
    for (const graph of [first, second]) await graph.close()
  })

  it("drops a vertex, and that one leaves no entry of it in an index that is not unique", async () => {
    const { cluster, first } = await started()
    const { outcome, second } = await during(cluster, first, people(["x", "y"]), { writes: 1 }, (graph) =>
      run(graph, "g.V().drop()")
    )
    expect(outcome).toBe("committed")
    const prefix = indexRowPrefix(first.core.schema.indexes.find(({ name }) => name === "byName")!)
    const named = cluster.cells("graphindex").filter(({ key }) => key.subarray(0, prefix.length).equals(prefix))
    expect(named).toHaveLength(1)
    expect(await run(second, "g.V().values('name')")).toEqual(["y"])
    for (const graph of [first, second]) await graph.close()
  })
})
