import { afterAll, beforeAll, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { Ref } from "../../../src/structure/elements/Element.ts"
import { TransactionConflict, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { column, fetched, settled } from "../Completion.ts"
import { findingsOf } from "./Findings.ts"

/** Fetches a vertex with its properties and edges. */
const here = async (transaction: GraphTransaction, id: unknown): Promise<Ref> => {
  await fetched(transaction, { kind: "vertexIds", ids: [id] })
  const ref = transaction.vertexRef(id)
  await fetched(transaction, { kind: "vertex", ...column(transaction, ref), keys: null })
  await fetched(transaction, {
    kind: "adjacent",
    ...column(transaction, ref),
    direction: "BOTH",
    labels: null,
    edges: true
  })
  return ref
}

const outcome = (transaction: GraphTransaction): Promise<string> =>
  settled(transaction.commit()).then(
    () => "committed",
    (error: unknown) => (error instanceof TransactionConflict ? "conflict" : String(error))
  )

/** Tests of the transactions of a graph over cells of a cluster. */
export const transactionTests = (open: () => Promise<CellGraph>): void => {
  let graph: CellGraph

  beforeAll(async () => {
    graph = await open()
  })
  afterAll(() => graph.close())

  const query = async (script: string): Promise<ReadonlyArray<unknown>> => {
    const transaction = graph.begin()
    try {
      return await runLater(graph, script, { as: text, transaction })
    } finally {
      transaction.rollback()
    }
  }
  const vertex = async (label = "thing"): Promise<unknown> => {
    const transaction = graph.begin()
    const ref = transaction.addVertex(label, undefined)
    const id = transaction.vertexId(ref)
    await settled(transaction.commit())
    return id
  }
  const set = async (transaction: GraphTransaction, id: unknown, key: string, value: unknown): Promise<void> => {
    transaction.setVertexProperty(await here(transaction, id), null, key, value)
  }

  it("conflict when another transaction has changed the property since it was read", async () => {
    const id = await vertex()
    await query(`g.V(${id}).property('amount', 1)`)
    const [one, other] = [graph.begin(), graph.begin()]
    await set(one, id, "amount", 2)
    await set(other, id, "amount", 3)
    expect(await outcome(one)).toBe("committed")
    expect(await outcome(other)).toBe("conflict")
    expect(await query(`g.V(${id}).values('amount')`)).toEqual(["2"])
  })

  it("that increment one property concurrently lose none of 32 increments", async () => {
    const id = await vertex()
    await query(`g.V(${id}).property('hits', 0)`)
    let conflicts = 0
    const increment = async (): Promise<void> => {
      for (;;) {
        const transaction = graph.begin()
        const ref = await here(transaction, id)
        const [hits] = transaction.vertexProperties(ref, ["hits"])
        transaction.setVertexProperty(ref, null, "hits", Number(hits!.value) + 1)
        const end = await outcome(transaction)
        if (end === "committed") return
        expect(end).toBe("conflict")
        conflicts++
      }
    }
    await Promise.all(Array.from({ length: 32 }, increment))
    expect(await query(`g.V(${id}).values('hits')`)).toEqual(["32"])
    expect(conflicts).toBeGreaterThan(0)
  })

  it("that add edges to one vertex concurrently do not conflict", async () => {
    const hub = await vertex("hub")
    await query(`g.addV('x').as('x').addE('to').from(__.V(${hub}))`)
    const add = async (): Promise<string> => {
      const transaction = graph.begin()
      const ref = await here(transaction, hub)
      transaction.addEdge(ref, "to", transaction.addVertex("x", undefined), undefined)
      return outcome(transaction)
    }
    const outcomes = await Promise.all(Array.from({ length: 32 }, add))
    expect(new Set(outcomes)).toEqual(new Set(["committed"]))
    expect(await query(`g.V(${hub}).out('to').count()`)).toEqual(["33"])
  })

  it("conflict when one removes a vertex that the other adds an edge to", async () => {
    const id = await vertex()
    const [one, other] = [graph.begin(), graph.begin()]
    const end = await here(one, id)
    one.addEdge(end, "self", end, undefined)
    other.removeVertex(await here(other, id))
    expect(await outcome(other)).toBe("committed")
    expect(await outcome(one)).toBe("conflict")
  })

  it("conflict when one removes a vertex that got an edge since it was read", async () => {
    const id = await vertex()
    const other = await vertex()
    const remover = graph.begin()
    const ref = await here(remover, id)
    await query(`g.V(${id}).as('a').V(${other}).addE('late').to('a')`)
    remover.removeVertex(ref)
    expect(await outcome(remover)).toBe("conflict")
    expect(await query(`g.V(${other}).out('late').count()`)).toEqual(["1"])
  })

  it("give a value of a unique index to one of those that set it concurrently", async () => {
    await graph.management.createIndex("code", "vertex", { unique: true })
    const add = async (): Promise<string> => {
      const transaction = graph.begin()
      const ref = transaction.addVertex("coded", undefined)
      transaction.setVertexProperty(ref, null, "code", "c1")
      try {
        await settled(transaction.commit())
        return "committed"
      } catch (error) {
        return error instanceof TransactionConflict || error instanceof UnsupportedValue ? "refused" : String(error)
      }
    }
    const outcomes = await Promise.all(Array.from({ length: 8 }, add))
    expect(outcomes.filter((each) => each === "committed")).toHaveLength(1)
    expect(outcomes.filter((each) => each === "refused")).toHaveLength(7)
    expect(await query("g.V().has('code', 'c1').count()")).toEqual(["1"])
    expect(await query("g.V().hasLabel('coded').count()")).toEqual(["1"])
  })

  it("create a type once when several use it first concurrently", async () => {
    const add = (i: number): Promise<unknown> => query(`g.addV('fresh').property('freshKey', ${i})`)
    const attempt = async (i: number): Promise<void> => {
      for (;;) {
        try {
          await add(i)
          return
        } catch (error) {
          if (!(error instanceof TransactionConflict)) throw error
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, i) => attempt(i)))
    expect((await query("g.V().hasLabel('fresh').values('freshKey').order()")).join()).toBe("0,1,2,3,4,5,6,7")
    const schema = await graph.management.schema()
    expect([...schema.keys.keys()].filter((name) => name === "freshKey")).toHaveLength(1)
  })

  it("find through an index the elements from before it was built, and from during the build", async () => {
    await query("g.inject(1,2,3,4,5,6,7,8).addV('numbered').property('number', __.identity())")
    const building = graph.management.createIndex("number", "vertex")
    await query("g.addV('numbered').property('number', 3)")
    await building
    expect(await query("g.V().has('number', 3).count()")).toEqual(["2"])
    await query("g.V().has('number', 3).property('number', 9)")
    expect(await query("g.V().has('number', 9).count()")).toEqual(["2"])
    expect(await query("g.V().has('number', 3).count()")).toEqual(["0"])
  })

  it("leave no cells of removed elements", async () => {
    await query("g.addV('gone').as('a').addV('gone').addE('away').from('a').property('since', 1)")
    await query("g.V().hasLabel('gone').drop()")
    expect(await findingsOf(graph)).toEqual([])
  })
}
