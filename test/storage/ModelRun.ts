import * as FastCheck from "effect/FastCheck"
import { expect } from "vitest"
import type { Ref } from "../../src/structure/elements/Element.ts"
import { TransactionConflict } from "../../src/structure/errors/StoreErrors.ts"
import type { DirectionName, RefScan } from "../../src/structure/graph/GraphReads.ts"
import type { GraphStore, GraphTransaction } from "../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../src/structure/scalars/Enums.ts"
import { column, fetched, settled } from "./Completion.ts"
import { GraphModel, LIST_KEY, type ModelState, type ModelTransaction } from "./GraphModel.ts"
import { around } from "./Reads.ts"

/** A store that is compared with the model. */
export interface ModelSubject {
  /** An empty graph with indexes on `age` and the LIST key of vertices and on `since` of edges. */
  readonly open: () => Promise<GraphStore>
  /** True when the test chooses the ids. Otherwise the graph does, and uses no id twice, except where `vertexId` is given. */
  readonly givesIds: boolean
  /**
   * The ids that the test chooses for vertices, in a graph that chooses the ids of edges: the id for a number below
   * {@link VERTEX_IDS}. They are few, so that transactions use them again.
   */
  readonly vertexId?: (name: number) => unknown
  /** The number of runs, unless the variable RUNS is set. Default 30. */
  readonly runs?: number
  /** The part of an edge id that does not change; absent: the whole id. */
  readonly edgeKey?: (id: unknown) => unknown
  /** The maximum number of concurrent transactions. Default 5; 1 for a store without snapshots. */
  readonly together?: number
  /** Called when no transaction is open. */
  readonly check?: (graph: GraphStore) => void
}

const LABELS = ["person", "place"]
const EDGE_LABELS = ["knows", "created", "uses"]
/** The number of ids that the test chooses from. */
const IDS = 8
/** The number of ids that the test chooses from in a graph that chooses the ids of edges. */
const VERTEX_IDS = 4
const SINGLES = ["age", "name"]

const sorted = (values: Iterable<unknown>): Array<unknown> => [...values].sort((a, b) => Number(a) - Number(b))

/** The names by which the model and the test refer to elements whose ids the graph chooses. */
class Names {
  readonly givesIds: boolean
  /** The number of names, if the test gives the ids. */
  readonly size: number
  readonly #idOf: (name: number) => unknown
  readonly #keyOf: (id: unknown) => unknown
  readonly #ids = new Map<number, unknown>()
  readonly #names = new Map<unknown, number>()
  #next = 0

  constructor(
    givesIds: boolean,
    { idOf, keyOf }: { idOf?: ((name: number) => unknown) | undefined; keyOf?: ((id: unknown) => unknown) | undefined }
  ) {
    this.givesIds = givesIds
    this.size = idOf === undefined ? IDS : VERTEX_IDS
    this.#idOf = idOf ?? ((name) => name)
    this.#keyOf = keyOf ?? ((id) => id)
  }

  /** The name of a new element. */
  next(wanted: number): number {
    return this.givesIds ? wanted : this.#next++
  }

  set(name: number, id: unknown): void {
    this.#ids.set(name, id)
    this.#names.set(this.#keyOf(id), name)
  }

  id(name: number): unknown {
    return this.givesIds ? this.#idOf(name) : (this.#ids.get(name) ?? -1)
  }

  name(id: unknown): unknown {
    return this.#names.get(this.#keyOf(id))
  }
}

interface Run {
  readonly vertices: Names
  readonly edges: Names
}

interface Pair {
  readonly real: GraphTransaction
  readonly model: ModelTransaction
  /** A scan that was begun earlier, the elements that it has returned so far, and those that it must return. */
  scan: { readonly scan: RefScan; readonly given: Array<unknown>; readonly expected: Array<unknown> } | undefined
}

const valuesText = (properties: Iterable<readonly [string, ReadonlyArray<unknown>]>, inOrder: boolean) =>
  [...properties].map(([key, values]) => [key, inOrder ? values : [...values].sort()]).sort()

/** All elements of the model as text. */
const modelText = (state: ModelState, inOrder: boolean): string => {
  const lines: Array<unknown> = []
  const vertices = [...state.vertices].sort(([a], [b]) => a - b)
  const edges = [...state.edges].sort(([a], [b]) => a - b)
  const ids = (found: ReadonlyArray<readonly [number, unknown]>) => found.map(([id]) => id)
  lines.push(["V", ids(vertices)], ["E", ids(edges)])
  for (const label of LABELS) lines.push([label, ids(vertices.filter(([, vertex]) => vertex.label === label))])
  for (const label of EDGE_LABELS) lines.push([label, ids(edges.filter(([, edge]) => edge.label === label))])
  for (const [id, vertex] of vertices) {
    lines.push([id, vertex.label, valuesText(vertex.properties, inOrder)])
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

const drained = async (real: GraphTransaction, scan: RefScan, width = 7): Promise<Array<Ref>> => {
  const out = { refs: real.newRefs(width), length: 0 }
  const found: Array<Ref> = []
  for (let more = true; more; out.length = 0) {
    await fetched(real, { kind: "scan", scan, max: width })
    more = scan.next(width, out)
    for (let i = 0; i < out.length; i++) found.push(out.refs[i]!)
  }
  scan.close()
  return found
}

/** All elements that a transaction reads, in the same format. */
const realText = async (real: GraphTransaction, run: Run, state: ModelState): Promise<string> => {
  const lines: Array<unknown> = []
  const inOrder = run.edges.givesIds
  const nameOf = (ref: Ref) => run.vertices.name(real.vertexId(ref))
  const edgeName = (ref: Ref) => run.edges.name(real.edgeId(ref))
  const vertexRefs = await drained(real, real.scanVertices(null))
  const edgeRefs = await drained(real, real.scanEdges(null))
  const vertices = sorted(vertexRefs.map(nameOf))
  const edges = sorted(edgeRefs.map(edgeName))
  const counts = [real.counts.vertices(null), real.counts.edges(null)]
  if (counts[0] !== undefined) expect(counts).toEqual([vertices.length, edges.length])
  lines.push(["V", vertices], ["E", edges])
  for (const label of LABELS) {
    const found = await drained(real, real.scanVertices([label]))
    expect(real.counts.vertices([label]) ?? found.length).toBe(found.length)
    lines.push([label, sorted(found.map(nameOf))])
  }
  for (const label of EDGE_LABELS) {
    const found = await drained(real, real.scanEdges([label]))
    expect(real.counts.edges([label]) ?? found.length).toBe(found.length)
    lines.push([label, sorted(found.map(edgeName))])
  }
  const all = column(real, ...vertexRefs)
  await fetched(real, { kind: "vertex", ...all, keys: null })
  await fetched(real, { kind: "adjacent", ...all, direction: "BOTH", labels: null, edges: true })
  for (const ref of [...vertexRefs].sort((a, b) => Number(nameOf(a)) - Number(nameOf(b)))) {
    vertexLines(real, ref, lines, nameOf, edgeName, inOrder)
  }
  const since = real.edgeReader("since")
  await fetched(real, { kind: "edge", ...column(real, ...edgeRefs), keys: null })
  for (const ref of [...edgeRefs].sort((a, b) => Number(edgeName(a)) - Number(edgeName(b)))) {
    const { label, outVertex, inVertex } = real.edge(ref)
    const properties = real.edgeProperties(ref, null).map(({ key, value }) => [key, value])
    const ends = [run.vertices.name(outVertex.id), run.vertices.name(inVertex.id)]
    lines.push([edgeName(ref), label, ...ends, properties, since.value(ref)])
  }
  for (let value = 0; value < 4; value++) {
    lines.push(sorted((await indexed(real, "age", value)).map(nameOf)))
    lines.push(sorted((await indexed(real, LIST_KEY, `t${value}`)).map(nameOf)))
    lines.push(sorted((await indexed(real, "since", value, "edge")).map(edgeName)))
  }
  await idLines(real, run, state)
  return lines.map((line) => JSON.stringify(line)).join("\n")
}

const indexed = (
  real: GraphTransaction,
  key: string,
  value: unknown,
  element: "vertex" | "edge" = "vertex"
): Promise<Array<Ref>> => {
  const query = { element, labels: null, conditions: [{ key, operator: "eq" as const, value }] }
  const choice = real.chooseIndex(query)
  if (choice === undefined) throw new Error(`No index answers for ${key}`)
  return drained(real, real.searchIndex(query, choice))
}

/** Checks that each id is found exactly if the model has it. */
const idLines = async (real: GraphTransaction, run: Run, state: ModelState): Promise<void> => {
  const { edges: edgeNames, vertices } = run
  const all = ({ size }: Names) => Array.from({ length: size }, (_, name) => name)
  const names = vertices.givesIds ? all(vertices) : [...state.vertices.keys()]
  const edges = edgeNames.givesIds ? all(edgeNames) : [...state.edges.keys()]
  await fetched(real, { kind: "vertexIds", ids: names.map((name) => run.vertices.id(name)) })
  await fetched(real, { kind: "edgeIds", ids: edges.map((name) => run.edges.id(name)) })
  for (const name of names) {
    if ((real.vertexRef(run.vertices.id(name)) !== -1) !== state.vertices.has(name)) expect.fail(`vertex ${name}`)
  }
  for (const name of edges) {
    if ((real.edgeRef(run.edges.id(name)) !== -1) !== state.edges.has(name)) expect.fail(`edge ${name}`)
  }
}

const vertexLines = (
  real: GraphTransaction,
  ref: Ref,
  lines: Array<unknown>,
  nameOf: (ref: Ref) => unknown,
  edgeName: (ref: Ref) => unknown,
  inOrder: boolean
): void => {
  const properties = new Map<string, Array<unknown>>()
  for (const { key, value } of real.vertex(ref).properties()) {
    properties.set(key, [...(properties.get(key) ?? []), value])
  }
  expect(real.hasVertex(ref) && real.vertexKeys(ref).join() === [...properties.keys()].join()).toBe(true)
  lines.push([nameOf(ref), real.vertexLabel(ref), valuesText(properties, inOrder)])
  lines.push(SINGLES.map((key) => real.vertexReader(key).value(ref)))
  for (const labels of [null, ["knows"], ["created", "uses"]]) {
    const edges = (direction: DirectionName) => sorted(around(real, ref, direction, labels, true, 1).map(edgeName))
    const others = (direction: DirectionName) => sorted(around(real, ref, direction, labels, false).map(nameOf))
    const set = labels === null ? null : real.edgeLabels(labels)
    const degrees = [real.degree(ref, "OUT", set), real.degree(ref, "BOTH", set)]
    lines.push([edges("OUT"), edges("IN"), edges("BOTH"), ...degrees], [others("OUT"), others("IN")])
  }
}

const compare = async (real: GraphTransaction, state: ModelState, run: Run): Promise<void> => {
  const text = await realText(real, run, state)
  const expected = modelText(state, run.edges.givesIds)
  if (text !== expected) expect(text).toBe(expected)
}

const pick = (names: Iterable<number>, number: number, { givesIds, size }: Names): number => {
  if (givesIds) return number % size
  const all = [...names]
  return all.length === 0 ? -1 : all[number % all.length]!
}

/** Makes a random write in the graph and in the model. */
const write = async ({ real, model }: Pair, run: Run, what: number, a: number, b: number, c: number): Promise<void> => {
  const { vertices, edges } = model.state
  const { givesIds } = run.vertices
  const vertex = pick(vertices.keys(), a, run.vertices)
  const refOf = async (name: number): Promise<Ref> => {
    await fetched(real, { kind: "vertexIds", ids: [run.vertices.id(name)] })
    return real.vertexRef(run.vertices.id(name))
  }
  const edgeRefOf = async (name: number): Promise<Ref> => {
    await fetched(real, { kind: "edgeIds", ids: [run.edges.id(name)] })
    return real.edgeRef(run.edges.id(name))
  }
  const hasVertex = vertices.has(vertex)
  switch (what % 10) {
    case 0:
    case 1: {
      if (givesIds && hasVertex) return
      const name = run.vertices.next(vertex)
      await fetched(real, { kind: "vertexIds", ids: givesIds ? [run.vertices.id(name)] : [] })
      model.addVertex(name, LABELS[b % 2]!)
      const ref = real.addVertex(LABELS[b % 2]!, givesIds ? run.vertices.id(name) : undefined)
      run.vertices.set(name, real.vertexId(ref))
      return
    }
    case 2:
    case 3: {
      const other = pick(vertices.keys(), b, run.vertices)
      const givesEdgeIds = run.edges.givesIds
      if (!hasVertex || !vertices.has(other) || (givesEdgeIds && edges.has(c % IDS))) return
      const name = run.edges.next(c % IDS)
      model.addEdge(name, vertex, EDGE_LABELS[(a + b) % 3]!, other)
      const [out, into] = [await refOf(vertex), await refOf(other)]
      const ref = real.addEdge(out, EDGE_LABELS[(a + b) % 3]!, into, givesEdgeIds ? name : undefined)
      run.edges.set(name, real.edgeId(ref))
      return
    }
    case 4:
    case 5: {
      if (!hasVertex) return
      const key = SINGLES[b % 2]!
      model.setSingle(vertex, key, c % 4)
      real.setVertexProperty(await refOf(vertex), Cardinality.single, key, c % 4)
      return
    }
    case 6: {
      if (!hasVertex) return
      const key = SINGLES[b % 2]!
      model.removeSingle(vertex, key)
      for (const property of real.vertex(await refOf(vertex)).properties([key])) real.removeVertexProperty(property)
      return
    }
    case 7:
      if (!hasVertex) return
      model.append(vertex, `t${c % 4}`)
      real.setVertexProperty(await refOf(vertex), Cardinality.list, LIST_KEY, `t${c % 4}`)
      return
    case 8: {
      const edge = pick(edges.keys(), a, run.edges)
      if (!edges.has(edge)) return
      if (b % 2 === 0) {
        model.removeEdge(edge)
        real.removeEdge(await edgeRefOf(edge))
      } else {
        model.setEdgeProperty(edge, "since", c % 4)
        real.setEdgeProperty(await edgeRefOf(edge), "since", c % 4)
      }
      return
    }
    default: {
      if (!hasVertex || b % 2 !== 0) return
      model.removeVertex(vertex)
      const ref = await refOf(vertex)
      await fetched(real, {
        kind: "adjacent",
        ...column(real, ref),
        direction: "BOTH",
        labels: null,
        edges: true
      })
      real.removeVertex(ref)
    }
  }
}

const outcome = async (commit: () => Promise<void>): Promise<string> => {
  try {
    await commit()
    return "committed"
  } catch (error) {
    if (error instanceof TransactionConflict) return "conflict"
    throw error
  }
}

const scanOn = async (pair: Pair, run: Run, width: number): Promise<void> => {
  const { real } = pair
  if (pair.scan === undefined) {
    pair.scan = { scan: real.scanVertices(null), given: [], expected: sorted(pair.model.state.vertices.keys()) }
  }
  const out = { refs: real.newRefs(width), length: 0 }
  await fetched(real, { kind: "scan", scan: pair.scan.scan, max: width })
  const more = pair.scan.scan.next(width, out)
  for (let i = 0; i < out.length; i++) pair.scan.given.push(run.vertices.name(real.vertexId(out.refs[i]!)))
  if (more) return
  expect(sorted(pair.scan.given)).toEqual(pair.scan.expected)
  pair.scan = undefined
}

/** Makes some writes and rolls them back to a savepoint, where the store has savepoints. */
const lostRequest = async ({ model, real, scan }: Pair, run: Run, a: number, b: number, c: number): Promise<void> => {
  if (real.savepoint === undefined) return
  real.savepoint()
  const lost = { real, model: model.apart(), scan }
  for (let i = 0; i < 2 + (b % 7); i++) await write(lost, run, (a + 3 * i) % 28, a + i, b + 5 * i, c + 11 * i)
  real.rollbackToSavepoint!()
}

const operation = FastCheck.tuple(FastCheck.nat(40), FastCheck.nat(99), FastCheck.nat(99), FastCheck.nat(99))

/**
 * Runs random concurrent transactions in a graph and in the model. Both must read the same after every step, and the
 * same commits must conflict.
 */
export const compareWithModel = (subject: ModelSubject): Promise<void> =>
  FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.array(operation, { minLength: 20, maxLength: 200, size: "max" }),
      async (operations) => {
        const graph = await subject.open()
        const model = new GraphModel(!subject.givesIds)
        const { edgeKey, givesIds, vertexId } = subject
        const run = {
          vertices: new Names(givesIds || vertexId !== undefined, { idOf: vertexId }),
          edges: new Names(givesIds, { keyOf: edgeKey })
        }
        const open: Array<Pair> = []
        for (const [what, a, b, c] of operations) {
          if (open.length === 0 || (what >= 38 && open.length < (subject.together ?? 5))) {
            open.push({ real: graph.begin(), model: model.begin(), scan: undefined })
          }
          const at = (a * 7 + c) % open.length
          const pair = open[at]!
          if (what < 28) {
            if (pair.scan === undefined) await write(pair, run, what, a, b, c)
          } else if (what === 30 || what === 37) {
            if (pair.scan === undefined) await lostRequest(pair, run, a, b, c)
          } else if (what < 31) {
            if (!pair.model.changed) await scanOn(pair, run, 1 + (b % 3))
          } else if (what < 36) {
            open.splice(at, 1)
            const real = await outcome(() => settled(pair.real.commit()))
            expect(real).toBe(await outcome(async () => pair.model.commit()))
            const now = graph.begin({ readOnly: true })
            await compare(now, model.committed, run)
            now.rollback()
          } else if (what < 37) {
            open.splice(at, 1)
            pair.real.rollback()
          }
          // A commit must be invisible to transactions that began before it, and any other step to other transactions.
          const seeing = what >= 31 && what < 36 ? open : open.filter((each) => each === pair)
          for (const { real, model } of seeing) await compare(real, model.state, run)
        }
        for (const { real } of open) real.rollback()
        subject.check?.(graph)
        const last = graph.begin()
        await compare(last, model.committed, run)
        const refs = await drained(last, last.scanVertices(null))
        const all = column(last, ...refs)
        await fetched(last, { kind: "adjacent", ...all, direction: "BOTH", labels: null, edges: true })
        for (const ref of refs) last.removeVertex(ref)
        await settled(last.commit())
        const empty = graph.begin()
        expect(await drained(empty, empty.scanVertices(null))).toEqual([])
        empty.rollback()
        subject.check?.(graph)
        await graph.close()
      }
    ),
    // RUNS=5000 makes a long test. MODEL_SEED=n, with the seed of the message of a failure, repeats it. SHRINK=1 finds
    // the smallest failing case, which takes long.
    {
      numRuns: Number(process.env.RUNS ?? subject.runs ?? 30),
      endOnFailure: process.env.SHRINK === undefined,
      ...(process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) })
    }
  )
