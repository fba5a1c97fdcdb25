import * as FastCheck from "effect/FastCheck"
import { describe, expect, it, vi } from "vitest"
import { HashIndex } from "../../../src/storage/memory/HashIndex.ts"
import type { IndexCondition, IndexQuery } from "../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { BigDecimal, BigInteger, Byte, double, Float } from "../../../src/structure/numbers/Numbers.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { OffsetDateTime } from "../../../src/structure/times/Temporal.ts"
import { byIndex, drain } from "../Reads.ts"
import { emptyGraph, read, setProperty, write, writeMany } from "./Fixture.ts"

const query = (...conditions: ReadonlyArray<IndexCondition>): IndexQuery => ({
  element: "vertex",
  labels: null,
  conditions
})
const eq = (key: string, value: unknown): IndexCondition => ({ key, operator: "eq", value })
const within = (key: string, value: readonly unknown[]): IndexCondition => ({ key, operator: "within", value })

const search = (transaction: GraphTransaction, asked: IndexQuery): ReadonlyArray<unknown> => {
  const choice = transaction.chooseIndex(asked)!
  return drain(transaction.searchIndex(asked, choice), 3).map((ref) => transaction.vertexId(ref))
}

/** 100 people in turn of two labels, age 0 to 9. */
const people = async () => {
  const graph = emptyGraph()
  write(graph, (transaction) => {
    for (let i = 0; i < 100; i++) {
      const ref = transaction.addVertex(i % 2 === 0 ? "even" : "odd", i)
      setProperty(transaction, ref, "age", i % 10)
      setProperty(transaction, ref, "name", `n${i}`)
    }
  })
  await graph.management.createIndex("age", "vertex")
  await graph.management.createIndex("name", "vertex")
  return graph
}

describe("An index", () => {
  it("answers eq and within, with labels, in the order of a scan and each element once", async () => {
    const graph = await people()
    read(graph, (transaction) => {
      expect(search(transaction, query(eq("age", 7)))).toEqual([7, 17, 27, 37, 47, 57, 67, 77, 87, 97])
      expect(search(transaction, query(within("name", ["n5", "n3", "nobody", "n5"])))).toEqual([5, 3])
      expect(search(transaction, query(within("name", [])))).toEqual([])
      const asked = { ...query(within("age", [2, 3])), labels: ["odd", "unknown"] }
      expect(search(transaction, asked)).toEqual([3, 13, 23, 33, 43, 53, 63, 73, 83, 93])
      expect(transaction.chooseIndex(asked)).toMatchObject({ name: "vertex:age", covered: [0], coversLabels: true })
    })
  })

  it("is chosen when it has the fewest candidates", async () => {
    const graph = await people()
    read(graph, (transaction) => {
      const choice = transaction.chooseIndex(query(eq("age", 7), eq("name", "n17"), eq("town", 1)))
      expect(choice).toMatchObject({ name: "vertex:name", covered: [1] })
      expect(transaction.chooseIndex(query(eq("town", 1)))).toBeUndefined()
      expect(transaction.chooseIndex(query({ key: "age", operator: "gt", value: 3 }))).toBeUndefined()
      expect(transaction.chooseIndex({ ...query(eq("age", 1)), element: "edge" })).toBeUndefined()
    })
  })

  it("finds numbers by value across number types", async () => {
    const graph = await people()
    write(graph, (transaction) => {
      setProperty(transaction, transaction.addVertex("x", "long"), "age", 99n)
      setProperty(transaction, transaction.addVertex("x", "double"), "age", double(99))
      setProperty(transaction, transaction.addVertex("x", "decimal"), "age", new BigDecimal(990n, 1))
      setProperty(transaction, transaction.addVertex("x", "text"), "age", "99")
    })
    read(graph, (transaction) => {
      for (const value of [99, 99n, double(99), new Byte(99), new BigInteger(99n)]) {
        expect(search(transaction, query(eq("age", value)))).toEqual(["long", "double", "decimal"])
      }
      expect(search(transaction, query(eq("age", "99")))).toEqual(["text"])
    })
  })

  it("returns candidates where it cannot answer exactly, and does not answer for values that are not indexed", async () => {
    const graph = await people()
    write(graph, (transaction) => {
      setProperty(transaction, transaction.addVertex("x", "half"), "age", 0.5)
      setProperty(transaction, transaction.addVertex("x", "date"), "age", new OffsetDateTime(0, 0, 0))
      setProperty(
        transaction,
        transaction.addVertex("x", "uuid"),
        "age",
        new Uuid("A0000000-0000-0000-0000-000000000001")
      )
      setProperty(transaction, transaction.addVertex("x", "nan"), "age", Number.NaN)
    })
    read(graph, (transaction) => {
      const choice = transaction.chooseIndex(query(eq("age", 0.5)))
      expect(choice?.covered).toEqual([])
      expect(search(transaction, query(eq("age", 0.5)))).toEqual(["half"])
      expect(transaction.chooseIndex(query(eq("age", 2n ** 60n)))?.covered).toEqual([])
      const uuid = new Uuid("a0000000-0000-0000-0000-000000000001")
      expect(search(transaction, query(eq("age", uuid)))).toEqual(["uuid"])
      const refused = [new Float(0.1), new BigDecimal(1n, 1), new OffsetDateTime(0, 0, 0), Number.NaN, null, [1]]
      for (const value of refused) expect(transaction.chooseIndex(query(eq("age", value)))).toBeUndefined()
      expect(transaction.chooseIndex(query(within("age", [1, null])))).toBeUndefined()
    })
  })

  it("finds an element by each of its several values, once", async () => {
    const graph = emptyGraph()
    await graph.management.createIndex("tag", "vertex")
    write(graph, (transaction) => {
      const ref = transaction.addVertex("v", 1)
      for (const tag of ["a", "b", "a"]) setProperty(transaction, ref, "tag", tag, Cardinality.list)
    })
    const found = () => read(graph, (t) => ["a", "b"].map((tag) => byIndex(t, "tag", tag)))
    expect(found()).toEqual([[1], [1]])
    expect(read(graph, (t) => search(t, query(within("tag", ["a", "b"]))))).toEqual([1])
    write(graph, (t) => t.removeVertexProperty(t.vertexProperties(0, ["tag"])[0]!))
    expect(found()).toEqual([[1], [1]])
    write(graph, (t) => t.removeVertexProperty(t.vertexProperties(0, ["tag"])[1]!))
    expect(found()).toEqual([[], [1]])
  })

  it("of edges finds edges", async () => {
    const graph = emptyGraph()
    write(graph, (transaction) => {
      const ref = transaction.addVertex("v", 1)
      for (let i = 0; i < 5; i++) transaction.setEdgeProperty(transaction.addEdge(ref, "self", ref, i), "w", i % 2)
    })
    await graph.management.createIndex("w", "edge")
    expect(graph.management.indexedKeys("edge")).toEqual(["w"])
    expect(graph.management.indexedKeys("vertex")).toEqual([])
    expect(read(graph, (transaction) => byIndex(transaction, "w", 1, "edge"))).toEqual([1, 3])
    write(graph, (transaction) => transaction.removeEdge(transaction.edgeRef(3)))
    expect(read(graph, (transaction) => byIndex(transaction, "w", 1, "edge"))).toEqual([1])
  })

  it("is searched in a transaction with very many changes without visiting all of them in one call", async () => {
    const graph = emptyGraph()
    await graph.management.createIndex("k", "vertex")
    write(graph, (transaction) => setProperty(transaction, transaction.addVertex("v", "committed"), "k", 7))
    const transaction = graph.begin()
    const many = 150_000
    for (let i = 0; i < many; i++) setProperty(transaction, transaction.addVertex("v", i), "k", i === many - 1 ? 7 : -1)
    const wanted = query(eq("k", 7))
    const scan = transaction.searchIndex(wanted, transaction.chooseIndex(wanted)!)
    const out = { refs: transaction.newRefs(10), length: 0 }
    expect([scan.next(10, out), out.length]).toEqual([true, 1])
    expect(byIndex(transaction, "k", 7)).toEqual(["committed", many - 1])
    setProperty(transaction, transaction.vertexRef("committed"), "k", 8)
    expect(byIndex(transaction, "k", 7)).toEqual([many - 1])
    transaction.rollback()
  })

  it("whose build failed does not exist, and can be created again", async () => {
    const graph = emptyGraph()
    write(graph, (transaction) => {
      for (let i = 0; i < 100; i++) setProperty(transaction, transaction.addVertex("v", i), "age", i % 10)
    })
    const add = vi.spyOn(HashIndex.prototype, "add").mockImplementation(() => {
      throw new RangeError("no memory")
    })
    await expect(graph.management.createIndex("age", "vertex")).rejects.toThrow("no memory")
    add.mockRestore()
    expect(graph.management.indexedKeys("vertex")).toEqual([])
    await graph.management.createIndex("age", "vertex")
    expect(read(graph, (transaction) => byIndex(transaction, "age", 3))).toHaveLength(10)
  })

  it("is built in slices, and has everything that is committed meanwhile", async () => {
    const graph = emptyGraph()
    const count = 60_000
    await writeMany(graph, (transaction) => {
      for (let i = 0; i < count; i++) setProperty(transaction, transaction.addVertex("v", i), "k", i % 100)
    })
    const older = graph.begin()
    let turns = 0
    let building = true
    const turn = () => {
      turns++
      if (building) setImmediate(turn)
    }
    setImmediate(turn)
    const created = graph.management.createIndex("k", "vertex")
    const again = graph.management.createIndex("k", "vertex")
    const during = graph.begin()
    write(graph, (transaction) => {
      setProperty(transaction, transaction.vertexRef(count - 1), "k", 0)
      setProperty(transaction, transaction.vertexRef(0), "k", 99)
      transaction.removeVertex(transaction.vertexRef(count - 101))
    })
    expect(during.chooseIndex(query(eq("k", 99)))).toBeUndefined()
    await Promise.all([created, again])
    building = false
    expect(turns).toBeGreaterThan(1)
    expect(older.chooseIndex(query(eq("k", 99)))).toBeDefined()
    const expected = Array.from({ length: count / 100 }, (_, i) => 100 * i + 99)
    expect(byIndex(during, "k", 99)).toEqual(expected)
    expect(byIndex(older, "k", 99)).toEqual(expected)
    during.rollback()
    older.rollback()
    expect(read(graph, (t) => byIndex(t, "k", 99))).toEqual([0, ...expected.slice(0, -2)])
  })

  it("is not used by a snapshot that is older than the index", async () => {
    const graph = await people()
    const older = graph.begin()
    write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(1), "town", "x"))
    await graph.management.createIndex("town", "vertex")
    expect(older.chooseIndex(query(eq("town", "x")))).toBeUndefined()
    expect(read(graph, (t) => byIndex(t, "town", "x"))).toEqual([1])
    older.rollback()
  })

  it("can be dropped during a look-up, and created again", async () => {
    const graph = await people()
    const reader = graph.begin()
    const asked = query(eq("age", 7))
    const scan = reader.searchIndex(asked, reader.chooseIndex(asked)!)
    const out = { refs: reader.newRefs(4), length: 0 }
    scan.next(4, out)
    await graph.management.dropIndex("age", "vertex")
    expect(reader.chooseIndex(asked)).toBeUndefined()
    write(graph, (transaction) => setProperty(transaction, transaction.vertexRef(97), "age", 1))
    expect(drain(scan).map((ref) => reader.vertexId(ref))).toEqual([47, 57, 67, 77, 87, 97])
    reader.rollback()
    await graph.management.createIndex("age", "vertex")
    expect(read(graph, (t) => byIndex(t, "age", 1)).length).toBe(11)
    await graph.management.dropIndex("nothing", "vertex")
  })
})

/** What a transaction does to one of ten people: gives an age, adds a person with it, removes one, or returns to a savepoint. */
const change = FastCheck.record({
  kind: FastCheck.constantFrom("age", "age", "add", "remove", "savepoint", "back"),
  person: FastCheck.nat(9),
  age: FastCheck.nat(4),
  searches: FastCheck.boolean()
})

it("A search finds what a scan finds, among all that its transaction has changed, taken back and searched before", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(FastCheck.array(change, { maxLength: 40, size: "max" }), async (changes) => {
      const graph = await people()
      const transaction = graph.begin()
      for (const { age, kind, person, searches } of changes) {
        const ref = transaction.vertexRef(person)
        if (kind === "savepoint") transaction.savepoint!()
        else if (kind === "back") transaction.rollbackToSavepoint!()
        else if (kind === "add") setProperty(transaction, transaction.addVertex("even", undefined), "age", age)
        else if (ref !== -1 && kind === "remove") transaction.removeVertex(ref)
        else if (ref !== -1) setProperty(transaction, ref, "age", age)
        if (!searches) continue
        const wanted = [age, 1]
        const scanned = drain(transaction.scanVertices(null), 3).filter((each) =>
          wanted.includes(transaction.vertexReader("age").value(each) as number)
        )
        const found = search(transaction, query(within("age", wanted)))
        expect(found.toSorted()).toEqual(scanned.map((each) => transaction.vertexId(each)).toSorted())
      }
      transaction.rollback()
    }),
    { numRuns: 100 }
  )
})

it("A search visits only the changes with its value", async () => {
  const graph = await people()
  const transaction = graph.begin()
  const holds = vi.spyOn(HashIndex.prototype, "holds")
  for (let i = 0; i < 1000; i++) {
    expect(search(transaction, query(eq("name", `new${i}`)))).toEqual([])
    setProperty(transaction, transaction.addVertex("even", undefined), "name", `new${i}`)
  }
  expect(search(transaction, query(eq("name", "new500")))).toHaveLength(1)
  expect(holds.mock.calls.length).toBeLessThan(10)
  holds.mockRestore()
  transaction.rollback()
})

it("A search for several values returns a changed element once, also when the element gets another of them meanwhile", async () => {
  const graph = await people()
  const transaction = graph.begin()
  for (let i = 0; i < 20; i++) setProperty(transaction, transaction.addVertex("new", undefined), "age", 21)
  const asked = query(within("age", [21, 22]))
  const scan = transaction.searchIndex(asked, transaction.chooseIndex(asked)!)
  const out = { refs: transaction.newRefs(4), length: 0 }
  let found = 0
  for (let more = true; more; out.length = 0) {
    more = scan.next(4, out)
    found += out.length
    for (let at = 0; at < out.length; at++) setProperty(transaction, out.refs[at]!, "age", 22)
  }
  expect(found).toBe(20)
  transaction.rollback()
})

it("A search finds what its transaction has added in the order of the additions", async () => {
  const graph = await people()
  const transaction = graph.begin()
  const asked = query(eq("name", "new"))
  const added: Array<unknown> = []
  for (let i = 0; i < 9; i++) {
    if (i % 3 === 0) expect(search(transaction, asked)).toEqual(added)
    const ref = transaction.addVertex("new", undefined)
    setProperty(transaction, ref, "name", "new")
    added.push(transaction.vertexId(ref))
  }
  expect(search(transaction, asked)).toEqual(added)
  transaction.rollback()
})
