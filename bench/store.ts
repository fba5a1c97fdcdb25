import { MemoryGraph } from "../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../src/storage/memory/Options.ts"
import type { EdgeRequest, PropertyReader, RefScan } from "../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../src/structure/scalars/Enums.ts"

/**
 * The graph in memory: time per edge of a hop, per read, insert and delete, in ns, and memory per edge, in bytes. The default
 * is one million edges between 100,000 vertices:
 * `npx esbuild bench/store.ts --bundle --platform=node --format=esm --outfile=.cache/store.mjs && node --expose-gc .cache/store.mjs [vertices] [edges]`
 */

const vertexCount = Number(process.argv[2] ?? 100_000)
const edgeCount = Number(process.argv[3] ?? 1_000_000)

let seed = 12345
const random = (below: number): number => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
  return seed % below
}

const print = (what: string, value: string): void => console.log(`${what.padEnd(62)}${value.padStart(14)}`)

const cpu = (work: () => number): { readonly ns: number; readonly result: number } => {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { ns: (user + system) * 1000, result }
}

/** The best of several runs, which other work on the machine disturbed least. */
const perItem = (what: string, runs: number, items: () => number): void => {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const { ns, result } = cpu(items)
    best = Math.min(best, ns / result)
  }
  print(what, `${best.toFixed(1)} ns`)
}

const memory = (): number => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const transactions = (
  graph: MemoryGraph,
  total: number,
  each: number,
  write: (t: GraphTransaction, i: number) => void
) => {
  for (let i = 0; i < total; ) {
    const transaction = graph.begin()
    for (const end = Math.min(total, i + each); i < end; i++) write(transaction, i)
    transaction.commit()
  }
  return total
}

const graph = new MemoryGraph(tinkerTransactionGraph("bench"))
const empty = memory()
perItem("insert a vertex with two properties, 1,000 a commit", 1, () =>
  transactions(graph, vertexCount, 1000, (transaction, i) => {
    const ref = transaction.addVertex("person", i)
    transaction.setVertexProperty(ref, Cardinality.single, "uid", i)
    transaction.setVertexProperty(ref, Cardinality.single, "name", `person-${i}`)
  })
)
const vertices = memory()
print("  bytes per vertex", ((vertices - empty) / vertexCount).toFixed(1))
perItem("insert an edge, 10,000 a commit", 1, () =>
  transactions(graph, edgeCount, 10_000, (transaction) =>
    transaction.addEdge(random(vertexCount), "knows", random(vertexCount), undefined)
  )
)
const edges = memory()
print("  bytes per edge, both directions, generated ids", ((edges - vertices) / edgeCount).toFixed(1))
perItem("set a Double property on an edge, 10,000 a commit", 1, () =>
  transactions(graph, edgeCount, 10_000, (transaction, i) =>
    transaction.setEdgeProperty(i, "weight", random(100) + 0.5)
  )
)
const weighted = memory()
print("  bytes per edge property", ((weighted - edges) / edgeCount).toFixed(1))
print(
  "  estimate of the store / measured",
  `${(graph.usedBytes / 1e6).toFixed(0)} / ${((weighted - empty) / 1e6).toFixed(0)} MB`
)

const indexing = performance.now()
await graph.management.createIndex("uid", "vertex")
print("create an index on uid, elapsed", `${(performance.now() - indexing).toFixed(0)} ms`)
print("  bytes per entry", ((memory() - weighted) / vertexCount).toFixed(1))

const columns = Array.from({ length: 50 }, () => Int32Array.from({ length: 256 }, () => random(vertexCount)))
const out = { rows: new Int32Array(16_384), refs: new Int32Array(16_384), length: 0 }
const hop = (transaction: GraphTransaction, edges: boolean, labels: readonly string[] | null) => (): number => {
  const set = labels === null ? null : transaction.edgeLabels(labels)
  let found = 0
  for (let round = 0; round < 10; round++) {
    for (const column of columns) {
      const cursor = { row: 0, offset: 0 }
      const request: EdgeRequest = {
        edges,
        refs: column,
        length: column.length,
        direction: "OUT",
        labels: set,
        cursor,
        limit: 4096,
        out
      }
      for (let done = false; !done; ) {
        out.length = 0
        done = transaction.expand(request)
        found += out.length
      }
    }
  }
  return found
}

const reads = (reader: PropertyReader) => (): number => {
  let used = 0
  for (let round = 0; round < 20; round++) {
    for (const column of columns) for (const ref of column) if (reader.value(ref) !== null) used++
  }
  return used
}

const scanned = (scan: RefScan): number => {
  const found = { refs: new Int32Array(256), length: 0 }
  let count = 0
  for (let more = true; more; found.length = 0) {
    more = scan.next(256, found)
    count += found.length
  }
  return count
}

const measure = (name: string, transaction: GraphTransaction): void => {
  perItem(`${name}: out(), ns per edge`, 5, hop(transaction, false, null))
  perItem(`${name}: out('knows'), ns per edge`, 5, hop(transaction, false, ["knows"]))
  perItem(`${name}: outE(), ns per edge`, 5, hop(transaction, true, null))
  perItem(`${name}: property uid (Int), random vertex`, 5, reads(transaction.vertexReader("uid")))
  perItem(`${name}: property name (String), random vertex`, 5, reads(transaction.vertexReader("name")))
  perItem(`${name}: scan`, 5, () => scanned(transaction.scanVertices(null)))
  const found = { refs: new Int32Array(1), length: 0 }
  perItem(`${name}: has('uid', x) by index`, 5, () => {
    for (let i = 0; i < 20_000; i++) {
      const query = {
        element: "vertex" as const,
        labels: null,
        conditions: [{ key: "uid", operator: "eq" as const, value: random(vertexCount) }]
      }
      found.length = 0
      transaction.searchIndex(query, transaction.chooseIndex(query)!).next(1, found)
    }
    return 20_000
  })
}

const plain = graph.begin({ readOnly: true })
measure("newest", plain)
transactions(graph, 100, 100, (transaction) => {
  transaction.addEdge(random(vertexCount), "knows", random(vertexCount), undefined)
  transaction.setVertexProperty(random(vertexCount), Cardinality.single, "name", "other")
})
measure("older snapshot, 100 changes since", plain)
plain.rollback()
const writer = graph.begin()
for (let i = 0; i < 100; i++) writer.addEdge(random(vertexCount), "knows", random(vertexCount), undefined)
for (let i = 0; i < 100; i++) {
  writer.setVertexProperty(random(vertexCount), Cardinality.single, "name", "other")
}
measure("100 own changes", writer)
writer.rollback()

perItem("begin and roll back", 3, () => {
  for (let i = 0; i < 100_000; i++) graph.begin().rollback()
  return 100_000
})
perItem("transaction: one vertex with one property", 3, () =>
  transactions(graph, 50_000, 1, (transaction, i) => {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, Cardinality.single, "uid", vertexCount + i)
  })
)
perItem("transaction: one edge at one hub", 3, () =>
  transactions(graph, 50_000, 1, (transaction, i) => transaction.addEdge(0, "follows", i, undefined))
)
const hub = graph.begin()
const hubEdges = { rows: new Int32Array(256), refs: new Int32Array(256), length: 0 }
hub.expand({
  edges: true,
  refs: Int32Array.of(0),
  length: 1,
  direction: "OUT",
  labels: hub.edgeLabels(["follows"]),
  cursor: { row: 0, offset: 0 },
  limit: 1e9,
  out: hubEdges
})
hub.rollback()
perItem(`delete each of ${hubEdges.length} edges of the hub, 100 a commit`, 1, () =>
  transactions(graph, hubEdges.length, 100, (transaction, i) => transaction.removeEdge(hubEdges.refs[i]!))
)
const random100k = Int32Array.from({ length: Math.min(100_000, edgeCount / 2) }, (_, i) => i * 2)
perItem("delete an edge, 10,000 a commit", 1, () =>
  transactions(graph, random100k.length, 10_000, (transaction, i) => transaction.removeEdge(random100k[i]!))
)
const collecting = performance.now()
globalThis.gc?.()
print("full garbage collection", `${(performance.now() - collecting).toFixed(0)} ms`)
