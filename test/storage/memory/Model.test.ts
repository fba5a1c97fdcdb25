import * as FastCheck from "effect/FastCheck"
import { expect, it } from "vitest"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { Cardinality } from "../../../src/structure/Enums.ts"
import type { DirectionName, GraphTransaction, RefScan } from "../../../src/structure/GraphStore.ts"
import { TransactionConflict } from "../../../src/structure/StoreErrors.ts"
import { GraphModel, LIST_KEY, type ModelState, type ModelTransaction } from "../GraphModel.ts"
import { around, byIndex, drain, edgeIds, vertexIds } from "../Reading.ts"

const LABELS = ["person", "place"]
const EDGE_LABELS = ["knows", "created", "uses"]
const IDS = 8
const SINGLES = ["age", "name"]

interface Pair {
  readonly real: GraphTransaction
  readonly model: ModelTransaction
  /** A scan begun earlier, what it gave so far, and what it must give in all. */
  scan: { readonly scan: RefScan; readonly given: Array<unknown>; readonly expected: Array<unknown> } | undefined
}

const sorted = (values: Iterable<unknown>): Array<unknown> => [...values].sort((a, b) => Number(a) - Number(b))

/** Everything the model has, as text. */
const modelText = (state: ModelState): string => {
  const lines: Array<unknown> = []
  const vertices = [...state.vertices].sort(([a], [b]) => a - b)
  const edges = [...state.edges].sort(([a], [b]) => a - b)
  const ids = (found: ReadonlyArray<readonly [number, unknown]>) => found.map(([id]) => id)
  lines.push(["V", ids(vertices)], ["E", ids(edges)])
  for (const label of LABELS) {
    const labelled = ids(vertices.filter(([, vertex]) => vertex.label === label))
    lines.push([label, labelled, labelled.length])
  }
  for (const label of EDGE_LABELS) lines.push([label, edges.filter(([, edge]) => edge.label === label).length])
  for (const [id, vertex] of vertices) {
    lines.push([id, vertex.label, [...vertex.properties].sort()])
    lines.push(SINGLES.map((key) => vertex.properties.get(key)?.[0]))
    for (const labels of [null, ["knows"], ["created", "uses"]]) {
      const wanted = edges.filter(([, { label }]) => labels === null || labels.includes(label))
      const outs = wanted.filter(([, { out }]) => out === id)
      const ins = wanted.filter(([, { into }]) => into === id)
      lines.push([ids(outs), ids(ins), sorted(ids([...outs, ...ins])), outs.length, outs.length + ins.length])
      lines.push([sorted(outs.map(([, { into }]) => into)), sorted(ins.map(([, { out }]) => out))])
    }
  }
  for (const [id, edge] of edges) {
    lines.push([id, edge.label, edge.out, edge.into, [...edge.properties], edge.properties.get("since")])
  }
  for (let value = 0; value < 4; value++) {
    lines.push(ids(vertices.filter(([, { properties }]) => properties.get("age")?.[0] === value)))
    lines.push(ids(vertices.filter(([, { properties }]) => properties.get(LIST_KEY)?.includes(`t${value}`))))
    lines.push(ids(edges.filter(([, { properties }]) => properties.get("since") === value)))
  }
  return lines.map((line) => JSON.stringify(line)).join("\n")
}

/** Everything the transaction can read, as the same text. */
const realText = (real: GraphTransaction): string => {
  const lines: Array<unknown> = []
  const vertices = sorted(vertexIds(real)) as Array<number>
  const edges = sorted(edgeIds(real)) as Array<number>
  expect([real.counts.vertices(null), real.counts.edges(null)]).toEqual([vertices.length, edges.length])
  lines.push(["V", vertices], ["E", edges])
  for (const label of LABELS) lines.push([label, sorted(vertexIds(real, [label])), real.counts.vertices([label])])
  for (const label of EDGE_LABELS) lines.push([label, real.counts.edges([label])])
  for (const id of vertices) vertexLines(real, id, lines)
  const since = real.edgeReader("since")
  for (const id of edges) {
    const ref = real.edgeRef(id)
    const { label, outVertex, inVertex } = real.edge(ref)
    const properties = real.edgeProperties(ref, null).map(({ key, value }) => [key, value])
    lines.push([id, label, outVertex.id, inVertex.id, properties, since.value(ref)])
  }
  for (let value = 0; value < 4; value++) {
    lines.push(sorted(byIndex(real, "age", value)))
    lines.push(sorted(byIndex(real, LIST_KEY, `t${value}`)))
    lines.push(sorted(byIndex(real, "since", value, "edge")))
  }
  return lines.map((line) => JSON.stringify(line)).join("\n")
}

const vertexLines = (real: GraphTransaction, id: number, lines: Array<unknown>): void => {
  const ref = real.vertexRef(id)
  const properties = new Map<string, Array<unknown>>()
  for (const { key, value } of real.vertex(ref).properties()) {
    properties.set(key, [...(properties.get(key) ?? []), value])
  }
  expect(real.hasVertex(ref) && real.vertexKeys(ref).join() === [...properties.keys()].join()).toBe(true)
  lines.push([real.vertexId(ref), real.vertexLabel(ref), [...properties].sort()])
  lines.push(SINGLES.map((key) => real.vertexReader(key).value(ref)))
  for (const labels of [null, ["knows"], ["created", "uses"]]) {
    const edges = (direction: DirectionName) =>
      sorted(around(real, ref, direction, labels, true, 1).map((edge) => real.edgeId(edge)))
    const others = (direction: DirectionName) =>
      sorted(around(real, ref, direction, labels, false).map((other) => real.vertexId(other)))
    const set = labels === null ? null : real.edgeLabels(labels)
    const degrees = [real.degree(ref, "OUT", set), real.degree(ref, "BOTH", set)]
    lines.push([edges("OUT"), edges("IN"), edges("BOTH"), ...degrees], [others("OUT"), others("IN")])
  }
}

const compare = (real: GraphTransaction, state: ModelState): void => {
  for (let id = 0; id < IDS; id++) {
    if ((real.vertexRef(id) !== -1) !== state.vertices.has(id)) expect.fail(`vertex ${id}`)
    if ((real.edgeRef(id) !== -1) !== state.edges.has(id)) expect.fail(`edge ${id}`)
  }
  const text = realText(real)
  const expected = modelText(state)
  if (text !== expected) expect(text).toBe(expected)
}

/** One random write in both. */
const write = ({ real, model }: Pair, what: number, a: number, b: number, c: number): void => {
  const { vertices, edges } = model.state
  const vertex = a % IDS
  const vertexRef = real.vertexRef(vertex)
  const hasVertex = vertices.has(vertex)
  switch (what % 10) {
    case 0:
    case 1:
      if (hasVertex) return
      model.addVertex(vertex, LABELS[b % 2]!)
      real.addVertex(LABELS[b % 2]!, vertex)
      return
    case 2:
    case 3: {
      const other = b % IDS
      const edge = c % IDS
      if (!hasVertex || !vertices.has(other) || edges.has(edge)) return
      model.addEdge(edge, vertex, EDGE_LABELS[(a + b) % 3]!, other)
      real.addEdge(vertexRef, EDGE_LABELS[(a + b) % 3]!, real.vertexRef(other), edge)
      return
    }
    case 4:
    case 5: {
      if (!hasVertex) return
      const key = SINGLES[b % 2]!
      model.setSingle(vertex, key, c % 4)
      real.setVertexProperty(vertexRef, Cardinality.single, key, c % 4, undefined, null)
      return
    }
    case 6: {
      if (!hasVertex) return
      const key = SINGLES[b % 2]!
      model.removeSingle(vertex, key)
      for (const property of real.vertex(vertexRef).properties([key])) real.removeVertexProperty(property)
      return
    }
    case 7:
      if (!hasVertex) return
      model.append(vertex, `t${c % 4}`)
      real.setVertexProperty(vertexRef, Cardinality.list, LIST_KEY, `t${c % 4}`, undefined, null)
      return
    case 8: {
      const edge = a % IDS
      if (!edges.has(edge)) return
      if (b % 2 === 0) {
        model.removeEdge(edge)
        real.removeEdge(real.edgeRef(edge))
      } else {
        model.setEdgeProperty(edge, "since", c % 4)
        real.setEdgeProperty(real.edgeRef(edge), "since", c % 4)
      }
      return
    }
    default:
      if (!hasVertex || b % 2 !== 0) return
      model.removeVertex(vertex)
      real.removeVertex(vertexRef)
  }
}

const outcome = (commit: () => unknown): string => {
  try {
    commit()
    return "committed"
  } catch (error) {
    if (error instanceof TransactionConflict) return "conflict"
    throw error
  }
}

const scanOn = (pair: Pair, width: number): void => {
  const { real } = pair
  if (pair.scan === undefined) {
    pair.scan = { scan: real.scanVertices(null), given: [], expected: sorted(pair.model.state.vertices.keys()) }
  }
  const out = { refs: new Int32Array(width), length: 0 }
  const more = pair.scan.scan.next(width, out)
  for (let i = 0; i < out.length; i++) pair.scan.given.push(real.vertexId(out.refs[i]!))
  if (more) return
  expect(sorted(pair.scan.given)).toEqual(pair.scan.expected)
  pair.scan = undefined
}

/** Many more in a long run: RUNS=5000. */
const numRuns = Number(process.env.RUNS ?? 30)

const operation = FastCheck.tuple(FastCheck.nat(40), FastCheck.nat(99), FastCheck.nat(99), FastCheck.nat(99))

it("does what a naive graph does, with any number of open snapshots, whatever is committed meanwhile", async () => {
  await FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.array(operation, { minLength: 20, maxLength: 200, size: "max" }),
      async (operations) => {
        const graph = new MemoryGraph(tinkerTransactionGraph("test"))
        const model = new GraphModel()
        for (const key of ["age", LIST_KEY]) await graph.management.createIndex(key, "vertex")
        await graph.management.createIndex("since", "edge")
        const open: Array<Pair> = []
        for (const [what, a, b, c] of operations) {
          if (open.length === 0 || (what >= 38 && open.length < 5)) {
            open.push({ real: graph.begin(), model: model.begin(), scan: undefined })
          }
          const at = (a * 7 + c) % open.length
          const pair = open[at]!
          if (what < 28) {
            if (pair.scan === undefined) write(pair, what, a, b, c)
          } else if (what < 31) {
            if (!pair.model.changed) scanOn(pair, 1 + (b % 3))
          } else if (what < 36) {
            open.splice(at, 1)
            expect(outcome(() => pair.real.commit())).toBe(outcome(() => pair.model.commit()))
            const now = graph.begin({ readOnly: true })
            compare(now, model.committed)
            now.rollback()
          } else if (what < 37) {
            open.splice(at, 1)
            pair.real.rollback()
          }
          for (const { real, model } of open) compare(real, model.state)
        }
        for (const { real } of open) real.rollback()
        expect(graph.openTransactions).toBe(0)
        expect(graph.undoLogLength).toBe(0)
        const last = graph.begin()
        compare(last, model.committed)
        for (const ref of drain(last.scanVertices(null))) last.removeVertex(ref)
        last.commit()
        expect(graph.describe()).toBe("tinkertransactiongraph[vertices:0 edges:0]")
      }
    ),
    { numRuns }
  )
})
