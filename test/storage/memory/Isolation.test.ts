import { describe, expect, it } from "vitest"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { around, byIndex, drain, edgeIds, edgeRequest, vertexIds } from "../Reads.ts"
import { emptyGraph, read, setProperty, valueAt, write } from "./Fixture.ts"

/** Two accounts, 1 and 2, with 50 each, and one edge between them. */
const accounts = () => {
  const graph = emptyGraph()
  write(graph, (transaction) => {
    const first = transaction.addVertex("account", 1)
    const second = transaction.addVertex("account", 2)
    setProperty(transaction, first, "balance", 50)
    setProperty(transaction, second, "balance", 50)
    transaction.addEdge(first, "owes", second, 10)
  })
  return graph
}

describe("A transaction does not see", () => {
  it("what another has not committed (dirty read)", () => {
    const graph = accounts()
    const writer = graph.begin()
    setProperty(writer, writer.vertexRef(1), "balance", 0)
    writer.addVertex("account", 3)
    const reader = graph.begin()
    expect(valueAt(reader, 1, "balance")).toBe(50)
    expect(reader.vertexRef(3)).toBe(-1)
    expect(reader.counts.vertices(null)).toBe(2)
    writer.rollback()
    expect(valueAt(reader, 1, "balance")).toBe(50)
    reader.rollback()
  })

  it("what another commits after its begin (non-repeatable read)", () => {
    const graph = accounts()
    const reader = graph.begin()
    expect(valueAt(reader, 1, "balance")).toBe(50)
    write(graph, (writer) => setProperty(writer, writer.vertexRef(1), "balance", 7))
    expect(valueAt(reader, 1, "balance")).toBe(50)
    reader.rollback()
    expect(read(graph, (later) => valueAt(later, 1, "balance"))).toBe(7)
  })

  it("a part of what another commits (read skew)", () => {
    const graph = accounts()
    const reader = graph.begin()
    const first = valueAt(reader, 1, "balance") as number
    write(graph, (writer) => {
      setProperty(writer, writer.vertexRef(1), "balance", 0)
      setProperty(writer, writer.vertexRef(2), "balance", 100)
    })
    expect(first + (valueAt(reader, 2, "balance") as number)).toBe(100)
    reader.rollback()
  })

  it("elements that are added or removed, in a scan, an expansion and an index (phantoms)", async () => {
    const graph = accounts()
    await graph.management.createIndex("balance", "vertex")
    const reader = graph.begin()
    write(graph, (writer) => {
      const third = writer.addVertex("account", 3)
      setProperty(writer, third, "balance", 50)
      writer.addEdge(writer.vertexRef(1), "owes", third, 11)
      setProperty(writer, writer.vertexRef(1), "balance", 60)
    })
    write(graph, (writer) => writer.removeVertex(writer.vertexRef(2)))
    expect(vertexIds(reader)).toEqual([1, 2])
    expect(edgeIds(reader)).toEqual([10])
    expect(byIndex(reader, "balance", 50)).toEqual([1, 2])
    expect(byIndex(reader, "balance", 60)).toEqual([])
    expect(around(reader, reader.vertexRef(1), "OUT", null, false).map((ref) => reader.vertexId(ref))).toEqual([2])
    expect([reader.counts.vertices(["account"]), reader.counts.edges(null)]).toEqual([2, 1])
    expect(reader.degree(reader.vertexRef(1), "OUT", null)).toBe(1)
    reader.rollback()
    const later = graph.begin()
    expect(byIndex(later, "balance", 50)).toEqual([3])
    expect(byIndex(later, "balance", 60)).toEqual([1])
    expect(vertexIds(later)).toEqual([1, 3])
    later.rollback()
  })

  it("a value that was removed and set twice before the index was cleaned", async () => {
    const graph = accounts()
    await graph.management.createIndex("balance", "vertex")
    const set = (balance: number) =>
      write(graph, (writer) => setProperty(writer, writer.vertexRef(1), "balance", balance))
    const find = (transaction: ReturnType<typeof graph.begin>) => [
      byIndex(transaction, "balance", 50),
      byIndex(transaction, "balance", 1)
    ]
    const at50 = graph.begin()
    set(1)
    const at1 = graph.begin()
    set(50)
    const at50Again = graph.begin()
    set(1)
    at50.rollback()
    expect(find(at1)).toEqual([[2], [1]])
    expect(find(at50Again)).toEqual([[1, 2], []])
    at1.rollback()
    expect(find(at50Again)).toEqual([[1, 2], []])
    expect(read(graph, find)).toEqual([[2], [1]])
    set(50)
    at50Again.rollback()
    expect(read(graph, find)).toEqual([[1, 2], []])
  })
})

describe("A transaction sees its own changes", () => {
  it("in look-ups, scans, expansions, counts, indexes and properties", async () => {
    const graph = accounts()
    await graph.management.createIndex("balance", "vertex")
    const transaction = graph.begin()
    const third = transaction.addVertex("account", 3)
    setProperty(transaction, third, "balance", 50)
    setProperty(transaction, transaction.vertexRef(2), "balance", 9)
    const edge = transaction.addEdge(third, "owes", transaction.vertexRef(1), 12)
    transaction.removeEdge(transaction.edgeRef(10))
    expect(vertexIds(transaction)).toEqual([1, 2, 3])
    expect(transaction.vertexRef(3)).toBe(third)
    expect(edgeIds(transaction)).toEqual([12])
    expect(transaction.edgeRef(10)).toBe(-1)
    expect(byIndex(transaction, "balance", 50)).toEqual([1, 3])
    expect(byIndex(transaction, "balance", 9)).toEqual([2])
    expect([transaction.counts.vertices(null), transaction.counts.edges(["owes"])]).toEqual([3, 1])
    expect(around(transaction, transaction.vertexRef(1), "BOTH", null, true)).toEqual([edge])
    expect(transaction.degree(third, "OUT", transaction.edgeLabels(["owes"]))).toBe(1)
    expect([transaction.edgeOutRef(edge), transaction.edgeInRef(edge)]).toEqual([third, transaction.vertexRef(1)])
    expect(transaction.vertexKeys(third)).toEqual(["balance"])
    expect(transaction.dirty).toBe(true)
    transaction.rollback()
    expect(read(graph, (later) => [vertexIds(later), edgeIds(later)])).toEqual([[1, 2], [10]])
  })

  it("with a reader of a key that only it has set", () => {
    const graph = accounts()
    const transaction = graph.begin()
    const reader = transaction.vertexReader("owner")
    const ref = transaction.vertexRef(1)
    expect(reader.value(ref)).toBeUndefined()
    setProperty(transaction, ref, "owner", "marko")
    expect(reader.value(ref)).toBe("marko")
    transaction.rollback()
  })

  it("but a scan does not return elements that were added during it", () => {
    const graph = accounts()
    const transaction = graph.begin()
    const scan = transaction.scanVertices(null)
    const out = { refs: transaction.newRefs(1), length: 0 }
    for (let more = true; more; out.length = 0) {
      more = scan.next(1, out)
      if (out.length > 0) transaction.addVertex("account", undefined)
    }
    expect(transaction.counts.vertices(null)).toBe(4)
    transaction.rollback()
  })
})

describe("Of two transactions that change the same thing the first committer wins:", () => {
  it("a property (lost update)", () => {
    const graph = accounts()
    const add = (amount: number) => {
      const transaction = graph.begin()
      const balance = valueAt(transaction, 1, "balance") as number
      setProperty(transaction, transaction.vertexRef(1), "balance", balance + amount)
      return transaction
    }
    const first = add(10)
    const second = add(20)
    first.commit()
    expect(() => second.commit()).toThrow(TransactionConflict)
    expect(read(graph, (later) => valueAt(later, 1, "balance"))).toBe(60)
    add(20).commit()
    expect(read(graph, (later) => valueAt(later, 1, "balance"))).toBe(80)
  })

  it("but two that read the same and write different things both commit (write skew is allowed)", () => {
    const graph = accounts()
    const first = graph.begin()
    const second = graph.begin()
    setProperty(first, first.vertexRef(1), "balance", 0)
    setProperty(second, second.vertexRef(2), "balance", 0)
    first.commit()
    second.commit()
    expect(read(graph, (later) => [1, 2].map((id) => valueAt(later, id, "balance")))).toEqual([0, 0])
  })
})

describe("A read that is suspended is not affected by commits", () => {
  const people = 1000
  const crowd = async () => {
    const graph = emptyGraph()
    write(graph, (transaction) => {
      const hub = transaction.addVertex("hub", "hub")
      for (let i = 0; i < people; i++) {
        const person = transaction.addVertex("person", i)
        setProperty(transaction, person, "group", i % 2)
        transaction.addEdge(hub, i % 3 === 0 ? "likes" : "knows", person, `e${i}`)
      }
    })
    await graph.management.createIndex("group", "vertex")
    return graph
  }

  /** Property changes, index changes, deletes and adds, in many commits. */
  const disturb = (graph: Awaited<ReturnType<typeof crowd>>) => {
    for (let i = 0; i < people; i += 2) {
      write(graph, (writer) => {
        const ref = writer.vertexRef(i)
        if (i % 3 === 0) writer.removeVertex(ref)
        else if (i % 3 === 1) setProperty(writer, ref, "group", 1)
        else writer.removeEdge(writer.edgeRef(`e${i}`))
        setProperty(writer, writer.addVertex("person", people + i), "group", 0)
        writer.addEdge(writer.vertexRef("hub"), "knows", writer.vertexRef(people + i), undefined)
      })
    }
  }

  it("in a scan", async () => {
    const graph = await crowd()
    const reader = graph.begin()
    const before = vertexIds(reader)
    const scan = reader.scanVertices(["person"])
    const out = { refs: reader.newRefs(100), length: 0 }
    scan.next(100, out)
    disturb(graph)
    const rest = drain(scan)
    expect([...out.refs.subarray(0, 100), ...rest].map((ref) => reader.vertexId(ref))).toEqual(before.slice(1))
    expect(rest.map((ref) => reader.vertexReader("group").value(ref))).toEqual(
      before.slice(101).map((id) => (id as number) % 2)
    )
    reader.rollback()
  })

  it("in an index look-up", async () => {
    const graph = await crowd()
    const reader = graph.begin()
    const query = {
      element: "vertex" as const,
      labels: ["person"],
      conditions: [{ key: "group", operator: "eq" as const, value: 0 }]
    }
    const scan = reader.searchIndex(query, reader.chooseIndex(query)!)
    const out = { refs: reader.newRefs(50), length: 0 }
    scan.next(50, out)
    disturb(graph)
    const found = [...out.refs.subarray(0, 50), ...drain(scan)].map((ref) => reader.vertexId(ref))
    expect(found).toEqual(Array.from({ length: people / 2 }, (_, i) => 2 * i))
    reader.rollback()
  })

  it.each([
    ["OUT", null],
    ["BOTH", null],
    ["OUT", ["knows"]],
    ["BOTH", ["likes", "knows", "unknown"]]
  ] as const)("in the expansion %s %j of a vertex with many edges", async (direction, labels) => {
    const graph = await crowd()
    const reader = graph.begin()
    const hub = reader.vertexRef("hub")
    const before = around(reader, hub, direction, labels, true)
    expect(before.length).toBe(labels?.length === 1 ? 666 : people)
    const request = edgeRequest(reader, hub, { direction, labels, limit: 10 })
    const { out } = request
    expect(reader.expand(request)).toBe(false)
    disturb(graph)
    const ids = (refs: ArrayLike<number>, length: number) =>
      Array.from(refs)
        .slice(0, length)
        .map((ref) => reader.edgeId(ref))
    const found = ids(out.refs, out.length)
    for (let done = false; !done; ) {
      out.length = 0
      done = reader.expand(request)
      found.push(...ids(out.refs, out.length))
    }
    expect(found).toEqual(ids(before, before.length))
    reader.rollback()
  })

  it("and its undo log is dropped when it ends", async () => {
    const graph = await crowd()
    const reader = graph.begin()
    disturb(graph)
    expect(graph.undoLogLength).toBe(people / 2)
    const middle = graph.begin()
    reader.rollback()
    for (let turn = 0; turn < 20; turn++) await new Promise((resume) => setImmediate(resume))
    expect(graph.undoLogLength).toBe(0)
    expect(graph.openTransactions).toBe(1)
    middle.rollback()
    expect(graph.openTransactions).toBe(0)
  })
})
