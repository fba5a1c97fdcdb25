import { describe, expect, it } from "vitest"
import { toyGraph } from "../../src/storage/memory/ToyGraphs.ts"
import { TransactionConflict } from "../../src/structure/errors/StoreErrors.ts"
import type { Reads } from "../../src/structure/graph/GraphReads.ts"
import { settled } from "./Completion.ts"
import { LaterGraph, type LaterTransaction } from "./LaterGraph.ts"
import { edgeRequest } from "./Reads.ts"

const prefetch = (transaction: LaterTransaction, ...reads: ReadonlyArray<Reads>) => settled(transaction.prefetch(reads))

const modern = async () => {
  const graph = new LaterGraph(toyGraph("modern"))
  const transaction = graph.begin()
  await prefetch(transaction, { kind: "vertexIds", ids: [1] })
  const refs = transaction.newRefs(1)
  refs[0] = transaction.vertexRef(1)
  return { graph, transaction, refs, marko: refs[0]! }
}

describe("A graph that answers later", () => {
  it("throws an error with the name of the read for every read that was not prefetched", async () => {
    const { transaction, marko } = await modern()
    const out = { rows: new Int32Array(8), refs: transaction.newRefs(8), length: 0 }
    const uses: ReadonlyArray<readonly [() => unknown, RegExp]> = [
      [() => transaction.vertexRef(2), /vertexRef\(2\)/],
      [() => transaction.edgeRef(7), /edgeRef\(7\)/],
      [() => transaction.vertexLabel(marko), /label of vertex 1/],
      [() => transaction.vertexReader("age").value(marko), /property age of vertex 1/],
      [() => transaction.vertex(marko).properties(), /properties\(\) of vertex 1/],
      [() => transaction.vertexKeys(marko), /vertexKeys of vertex 1/],
      [() => transaction.degree(marko, "OUT", null), /degree of vertex 1 \(OUT, every label\)/],
      [
        () => transaction.expand(edgeRequest(transaction, marko, { direction: "IN", labels: ["knows"], edges: false })),
        /adjacentVertices of vertex 1 \(IN, knows\)/
      ],
      [() => transaction.expand(edgeRequest(transaction, marko, { direction: "BOTH" })), /incidentEdges of vertex 1/],
      [() => transaction.scanVertices(null).next(3, out), /scanVertices\(null\): the next 3 rows/],
      [() => transaction.setVertexProperty(marko, null, "age", 1), /setVertexProperty\(age\)/],
      [() => transaction.removeVertex(marko), /removeVertex: the edges of vertex 1/]
    ]
    for (const [use, message] of uses) {
      expect(use).toThrow(message)
      expect(use).toThrow(/without being prefetched/)
    }
    transaction.rollback()
  })

  it("returns the answers of the wrapped graph after a prefetch of one round trip", async () => {
    const { graph, transaction, refs, marko } = await modern()
    const scan = transaction.scanVertices(["software"])
    await prefetch(
      transaction,
      { kind: "adjacent", refs, length: 1, direction: "BOTH", labels: null, edges: true },
      { kind: "vertex", refs, length: 1, keys: ["age", "name"] },
      { kind: "edgeIds", ids: [7] },
      { kind: "scan", scan, max: 5 }
    )
    expect([graph.roundTrips, transaction.roundTrips]).toEqual([2, 2])
    const request = edgeRequest(transaction, marko, { labels: ["knows"], edges: false })
    const { out } = request
    expect(transaction.expand(request)).toBe(true)
    expect(Array.from(out.refs.subarray(0, out.length), (ref) => transaction.vertexId(ref))).toEqual([2, 4])
    expect(transaction.vertexReader("age").value(marko)).toBe(29)
    expect(transaction.vertexLabel(marko)).toBe("person")
    expect(() => transaction.vertexKeys(marko)).toThrow(/without being prefetched/)
    expect(transaction.edge(transaction.edgeRef(7)).inVertex.id).toBe(2)
    out.length = 0
    expect(scan.next(5, out)).toBe(false)
    expect(out.length).toBe(2)
    transaction.rollback()
  })

  it("does not fetch the same data twice, and does not answer in the same turn of the event loop", async () => {
    const { graph, transaction, refs } = await modern()
    const reads: ReadonlyArray<Reads> = [{ kind: "vertex", refs, length: 1, keys: null }]
    let answered = false
    const later = transaction.prefetch(reads)
    later!.onDone(() => {
      answered = true
    })
    await Promise.resolve()
    expect(answered).toBe(false)
    await new Promise((resume) => setImmediate(resume))
    expect(answered).toBe(true)
    expect(transaction.prefetch(reads)).toBeUndefined()
    expect(transaction.prefetch([{ kind: "vertex", refs, length: 1, keys: ["age"] }])).toBeUndefined()
    expect(graph.roundTrips).toBe(2)
    transaction.rollback()
  })

  it("keeps the results of index searches and full scans, and adds the transaction's own elements", async () => {
    const { graph, transaction } = await modern()
    await graph.inner.management.createIndex("name", "vertex")
    const query = {
      element: "vertex" as const,
      labels: null,
      conditions: [{ key: "name", operator: "eq" as const, value: "josh" }]
    }
    const scans = () => [
      transaction.searchIndex(query, transaction.chooseIndex(query)!),
      transaction.scanVertices(["person"])
    ]
    const found = () =>
      scans().map((scan) => {
        const out = { refs: transaction.newRefs(100), length: 0 }
        expect(scan.next(100, out)).toBe(false)
        return out.length
      })
    expect(found).toThrow("were read without being prefetched")
    await prefetch(transaction, ...scans().map((scan) => ({ kind: "scan" as const, scan, max: 100 })))
    expect(found()).toEqual([1, 4])
    const own = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(own, null, "name", "josh")
    expect(found()).toEqual([2, 5])
    expect(graph.roundTrips).toBe(2)
    transaction.rollback()
  })

  it("needs no prefetch for the transaction's own elements, and commits asynchronously", async () => {
    const { graph, transaction, marko } = await modern()
    const ref = transaction.addVertex("person", 100)
    transaction.setVertexProperty(ref, null, "name", "new")
    const edge = transaction.addEdge(ref, "knows", marko, undefined)
    expect(transaction.vertex(transaction.vertexRef(100)).properties()[0]!.value).toBe("new")
    expect(transaction.degree(ref, "OUT", null)).toBe(1)
    expect(transaction.edgeProperties(edge, null)).toEqual([])
    const later = transaction.commit()
    expect(graph.describe()).toBe("tinkergraph[vertices:6 edges:6]")
    await settled(later)
    expect(graph.describe()).toBe("tinkergraph[vertices:7 edges:7]")
  })

  it("fails the commit of a transaction that conflicts", async () => {
    const { graph, transaction, refs, marko } = await modern()
    const other = graph.begin()
    for (const each of [transaction, other]) {
      await prefetch(each, { kind: "vertex", refs, length: 1, keys: ["age"] })
      each.setVertexProperty(marko, null, "age", 1)
    }
    await settled(other.commit())
    await expect(settled(transaction.commit())).rejects.toThrow(TransactionConflict)
  })
})
