import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Bytecode, Instruction } from "../../../src/process/language/Bytecode.ts"
import { P, type Predicate, type SearchComparison, TextP } from "../../../src/process/language/Predicate.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { double, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { Duration, Temporal, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { runLater } from "../../process/run.ts"
import { column, fetched, settled } from "../Completion.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore, type MemoryCellStoreOptions } from "./MemoryCellStore.ts"

const words = ["Quick", "quicker", "brown", "fox", "ünï", "日本", "a\u0000b", "fox fox"]
const names = ["", "al", "alice", "Alice", "bob", "bo\u0000b", "z"]

const numbers = FastCheck.constantFrom(-2, -1, 0, 1, 2, 3, 1000)
const doubles = FastCheck.constantFrom(-0, 0.5, double(0), double(1), 1.5, Number.NaN, -3.25).map((it) => it as unknown)
const longs = FastCheck.constantFrom(-(2n ** 53n) - 1n, 0n, 1n, 2n ** 53n + 1n)
const texts = FastCheck.array(FastCheck.constantFrom(...words), { maxLength: 4 }).map((some) => some.join(" "))
const name = FastCheck.constantFrom(...names)
const degrees = FastCheck.constantFrom(-180, -179, -1, 0, 1, 44, 45, 46, 89, 90, 179, 180)
const latitude = degrees.filter((it) => Math.abs(it) <= 90)
const point = FastCheck.tuple(latitude, degrees).map(([lat, lon]) => Geoshape.point(lat, lon))
const box = FastCheck.tuple(latitude, degrees, latitude, degrees).map(([a, west, b, east]) =>
  Geoshape.box(Math.min(a, b), west, Math.max(a, b), east)
)
const circle = FastCheck.tuple(latitude, degrees, FastCheck.constantFrom(1, 120, 1000, 9000)).map(([lat, lon, km]) =>
  Geoshape.circle(lat, lon, km)
)
const corner = FastCheck.tuple(degrees, latitude)
const line = FastCheck.tuple(corner, corner).map((places) => Geoshape.line(places))
const triangle = FastCheck.tuple(corner, FastCheck.constantFrom(1, 7, 30)).map(([[lon, lat], size]) => {
  const [x, y] = [Math.min(lon, 150), Math.min(lat, 60)]
  return Geoshape.polygon([
    [x, y],
    [x + size, y],
    [x, y + size],
    [x, y]
  ])
})
const collection = FastCheck.array(FastCheck.oneof(point, line, triangle, circle), { maxLength: 3 }).map((shapes) =>
  Geoshape.of({ kind: "collection", shapes: shapes.map(({ shape }) => shape) })
)
const shape = FastCheck.oneof({ weight: 3, arbitrary: point }, box, circle, line, triangle, collection)

const instants = FastCheck.constantFrom(
  ...["-0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.005Z"],
  ...["2024-02-29T10:00:00Z", "+12024-02-29T10:00:00Z"]
).map((text) => new Temporal("Instant", text) as unknown)
const durations = FastCheck.constantFrom(
  new Duration(-5n, 0),
  new Duration(-1n, 5),
  new Duration(0n, 0),
  new Duration(9n, 1)
)
const shorts = FastCheck.constantFrom(-300, -1, 0, 1, 300).map((value) => new Short(value))
const dates = FastCheck.constantFrom(-1, 0, 1, 1e12).map((millis) => new Timestamp(millis))
const uuids = FastCheck.constantFrom(
  ...["00000000-0000-0000-0000-000000000001", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
).map((text) => new Uuid(text))
const arrays = FastCheck.array(FastCheck.constantFrom(0, 1), { maxLength: 2 })

/** The values of the keys. `tags` has LIST cardinality. */
const values = {
  name,
  text: texts,
  age: numbers,
  score: doubles,
  when: longs,
  place: shape,
  instant: instants,
  lasts: durations,
  size: shorts,
  day: dates,
  uuid: uuids,
  array: arrays,
  tags: texts
} as const
type Key = keyof typeof values
const keys = Object.keys(values) as ReadonlyArray<Key>

const comparison = (value: FastCheck.Arbitrary<unknown>): FastCheck.Arbitrary<Predicate> =>
  FastCheck.oneof(
    FastCheck.tuple(FastCheck.constantFrom("eq", "lt", "lte", "gt", "gte", "neq"), value).map(
      ([operator, operand]) => new P(operator as "eq", operand)
    ),
    FastCheck.tuple(FastCheck.constantFrom("between", "inside", "within"), value, value).map(
      ([operator, low, high]) => new P(operator as "between", [low, high])
    )
  )
const textual = FastCheck.tuple(
  FastCheck.constantFrom(
    ...["startingWith", "endingWith", "containing", "notContaining", "textPrefix", "textContains", "textNotContains"],
    ...["textContainsPrefix", "textContainsPhrase", "textContainsFuzzy", "textFuzzy"]
  ),
  FastCheck.oneof(name, texts, FastCheck.constantFrom("qui", "al", "FOX", "fo", ""))
).map(([operator, operand]): Predicate => new TextP(operator as SearchComparison, operand))
const regular = FastCheck.tuple(
  FastCheck.constantFrom("regex", "textRegex", "textContainsRegex"),
  FastCheck.constantFrom("qu.*", "a.", "[a-z]+", ".*", "fox")
).map(([operator, operand]): Predicate => new TextP(operator as "regex", operand))
const spatial = FastCheck.tuple(
  FastCheck.constantFrom("geoWithin", "geoIntersect", "geoContains", "geoDisjoint"),
  shape
).map(([operator, operand]): Predicate => new TextP(operator as "geoWithin", operand))
const numeric = comparison(FastCheck.oneof(numbers, doubles, longs))

const typed = {
  instant: instants,
  lasts: durations,
  size: FastCheck.oneof(shorts, numbers),
  day: dates,
  uuid: uuids,
  array: arrays
}

const conditionOf = (key: Key): FastCheck.Arbitrary<readonly [Key, Predicate]> => {
  const predicate =
    key === "place"
      ? FastCheck.oneof(
          spatial,
          shape.map((it): Predicate => new P("eq", it))
        )
      : key === "name" || key === "text" || key === "tags"
        ? FastCheck.oneof(textual, regular, comparison(FastCheck.oneof(name, texts)))
        : key in typed
          ? comparison(typed[key as keyof typeof typed])
          : numeric
  return predicate.map((it) => [key, it] as const)
}
const conditions = FastCheck.array(FastCheck.oneof(...keys.map(conditionOf)), { minLength: 1, maxLength: 3 })

const element = FastCheck.record(values, { requiredKeys: [] })
const step = FastCheck.oneof(
  FastCheck.record({
    kind: FastCheck.constant("add"),
    label: FastCheck.constantFrom("person", "thing"),
    with: element
  }),
  FastCheck.record({ kind: FastCheck.constant("change"), which: FastCheck.nat(20), with: element }),
  FastCheck.record({
    kind: FastCheck.constant("unset"),
    which: FastCheck.nat(20),
    key: FastCheck.constantFrom(...keys)
  }),
  FastCheck.record({ kind: FastCheck.constant("remove"), which: FastCheck.nat(20) }),
  FastCheck.record({
    kind: FastCheck.constant("connect"),
    which: FastCheck.nat(20),
    other: FastCheck.nat(20),
    with: element
  }),
  FastCheck.record({ kind: FastCheck.constant("commit") }),
  FastCheck.record({
    kind: FastCheck.constant("ask"),
    label: FastCheck.constantFrom(null, "person"),
    of: FastCheck.constantFrom("V", "E"),
    conditions
  })
)
type Step = typeof step extends FastCheck.Arbitrary<infer A> ? A : never

const types: Readonly<Record<Key, string>> = {
  name: "String",
  text: "String",
  age: "Integer",
  score: "Double",
  when: "Long",
  place: "Geoshape",
  instant: "java.time.Instant",
  lasts: "Duration",
  size: "Short",
  day: "Date",
  uuid: "UUID",
  array: "int[]",
  tags: "String"
}

/** A graph with all types, and with indexes of every kind if `indexed`. */
const graphOf = async (options: MemoryCellStoreOptions, indexed: boolean): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore(options), { schemaMaker: "none" })
  const editor = await graph.management.edit()
  for (const key of keys) editor.makeKey(key, dataTypeOf(types[key]), key === "tags" ? "LIST" : "SINGLE")
  const person = editor.makeVertexLabel("person", false, false)
  editor.makeVertexLabel("thing", false, false)
  editor.makeLabel("knows", "MULTI", false, [])
  await graph.management.commit(editor)
  if (indexed) await makeIndexes(graph, person.id)
  return graph
}

const makeIndexes = async (graph: CellGraph, person: number): Promise<void> => {
  const editor = await graph.management.edit()
  const some = (...wanted: ReadonlyArray<Key>) => wanted.map((key) => editor.key(key)!)
  for (const of of ["vertex", "edge"] as const) {
    const index = { element: of, unique: false }
    editor.makeIndex({ ...index, name: `${of}Exact`, kind: "equality", keys: some("name", "age") })
    editor.makeIndex({ ...index, name: `${of}Ordered`, kind: "ordered", keys: some("age") })
    editor.makeIndex({ ...index, name: `${of}Instants`, kind: "ordered", keys: some("instant") })
    editor.makeIndex({ ...index, name: `${of}Sizes`, kind: "ordered", keys: some("size", "lasts") })
    editor.makeIndex({ ...index, name: `${of}Days`, kind: "ordered", keys: some("day", "uuid") })
    editor.makeIndex({ ...index, name: `${of}Arrays`, kind: "equality", keys: some("array") })
    editor.makeIndex({ ...index, name: `${of}ExactInstants`, kind: "equality", keys: some("instant", "lasts") })
    editor.makeIndex({ ...index, name: `${of}Scores`, kind: "ordered", keys: some("score", "when") })
    const mappings = ["TEXT", "TEXTSTRING", "DEFAULT", "DEFAULT", "DEFAULT", "TEXTSTRING"]
    const mixed = some("text", "name", "when", "score", "place", "tags")
    editor.makeIndex({ ...index, name: `${of}Mixed`, kind: "mixed", keys: mixed, mappings, backing: "search" })
  }
  const index = { name: "people", element: "vertex", kind: "ordered", unique: false } as const
  editor.makeIndex({ ...index, keys: some("tags", "age"), onlyLabel: person })
  await graph.management.commit(editor)
  for (const { name } of editor.indexes) await graph.management.built(name)
}

class Driver {
  readonly graph: CellGraph
  #transaction: GraphTransaction
  #vertices: Array<unknown> = []

  constructor(graph: CellGraph) {
    this.graph = graph
    this.#transaction = graph.begin()
  }

  async take(step: Step): Promise<void> {
    const transaction = this.#transaction
    switch (step.kind) {
      case "commit":
        await settled(transaction.commit())
        this.#transaction = this.graph.begin()
        return
      case "ask":
        await this.compare(step as Extract<Step, { conditions: unknown }>)
        return
      case "add": {
        const { label, with: properties } = step as { label: string; with: Partial<Record<Key, unknown>> }
        await fetched(transaction, { kind: "vertexIds", ids: [] })
        const ref = transaction.addVertex(label, undefined)
        this.#vertices.push(transaction.vertexId(ref))
        this.#write(ref, properties)
        return
      }
      default:
        await this.#change(step as { kind: string; which: number; other: number; key: Key; with: object })
    }
  }

  async #change(step: { kind: string; which: number; other: number; key: Key; with: object }): Promise<void> {
    const transaction = this.#transaction
    const ref = await this.#ref(step.which)
    if (ref === -1) return
    if (step.kind === "change") this.#write(ref, step.with)
    else if (step.kind === "unset") {
      for (const property of transaction.vertex(ref).properties([step.key])) transaction.removeVertexProperty(property)
    } else if (step.kind === "remove") {
      transaction.removeVertex(ref)
      this.#vertices = this.#vertices.filter((id) => id !== transaction.vertexId(ref))
    } else {
      const other = await this.#ref(step.other)
      if (other === -1) return
      const edge = transaction.addEdge(ref, "knows", other, undefined)
      for (const [key, value] of Object.entries(step.with)) transaction.setEdgeProperty(edge, key, value)
    }
  }

  async #ref(which: number): Promise<number> {
    if (this.#vertices.length === 0) return -1
    const transaction = this.#transaction
    const id = this.#vertices[which % this.#vertices.length]
    await fetched(transaction, { kind: "vertexIds", ids: [id] })
    const ref = transaction.vertexRef(id)
    if (ref === -1) return ref
    const at = column(transaction, ref)
    await fetched(transaction, { kind: "adjacent", ...at, direction: "BOTH", labels: null, edges: true })
    return ref
  }

  #write(ref: number, properties: object): void {
    for (const [key, value] of Object.entries(properties)) {
      const cardinality = key === "tags" ? Cardinality.list : Cardinality.single
      this.#transaction.setVertexProperty(ref, cardinality, key, value)
    }
  }

  /** Compares the result of an index with that of a full scan. */
  async compare(asked: {
    readonly of: string
    readonly label: string | null
    readonly conditions: ReadonlyArray<readonly [Key, Predicate]>
  }): Promise<void> {
    const filters = asked.conditions.map(([key, predicate]) => new Instruction("has", [key, predicate]))
    const label = asked.label === null || asked.of === "E" ? [] : [new Instruction("hasLabel", [asked.label])]
    const all = (between: ReadonlyArray<Instruction>) =>
      new Bytecode([], [new Instruction(asked.of, []), ...between, ...label, ...filters, new Instruction("id", [])])
    const options = { transaction: this.#transaction }
    const found = await runLater(this.graph, all([]), options)
    // No strategy moves a filter across these two steps, so that no index is used.
    const scanned = [new Instruction("fold", []), new Instruction("unfold", [])]
    const expected = await runLater(this.graph, all(scanned), options)
    expect(found.map(String).sort()).toEqual(expected.map(String).sort())
  }

  end(): void {
    this.#transaction.rollback()
  }
}

describe.each<readonly [string, MemoryCellStoreOptions]>([
  ["synchronous reads", {}],
  ["synchronous reads and small pages", { pageSize: 3 }],
  ["asynchronous reads", { answersLater: true }]
])("An index over cells with %s", (_, options) => {
  it("finds the same elements as a full scan, inside transactions with changes and after commits", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(step, { minLength: 10, maxLength: 60, size: "max" }), async (steps) => {
        const driver = new Driver(await graphOf(options, true))
        for (const each of steps) await driver.take(each)
        driver.end()
        await driver.graph.close()
      }),
      { numRuns: Number(process.env.RUNS ?? 40), endOnFailure: process.env.SHRINK === undefined }
    )
  })

  it("finds the elements that existed before the index was created", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(step, { minLength: 10, maxLength: 40, size: "max" }),
        FastCheck.array(step, { minLength: 10, maxLength: 20, size: "max" }),
        async (before, after) => {
          const driver = new Driver(await graphOf(options, false))
          for (const each of before) if (each.kind !== "ask") await driver.take(each)
          await driver.take({ kind: "commit" } as Step)
          await makeIndexes(driver.graph, driver.graph.core.schema.vertexLabels.get("person")!.id)
          await driver.take({ kind: "commit" } as Step)
          for (const each of after) await driver.take(each)
          driver.end()
          await driver.graph.close()
        }
      ),
      { numRuns: Number(process.env.RUNS ?? 15), endOnFailure: process.env.SHRINK === undefined }
    )
  })
})

it("An ordered index over several keys contains elements without the later keys, after those with them", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const editor = await graph.management.edit()
  const keys = ["state", "age", "size"].map((key) => editor.makeKey(key, dataTypeOf("Integer"), "SINGLE"))
  editor.makeIndex({ name: "ordered", element: "vertex", kind: "ordered", unique: false, keys })
  await graph.management.commit(editor)
  const vertices = [[1], [1, 5], [1, undefined, 7], [1, 3, 7], [2], [undefined, 4]]
  for (const [state, age, size] of vertices) {
    const properties = Object.entries({ state, age, size }).flatMap(([key, value]) =>
      value === undefined ? "" : `.property('${key}', ${value})`
    )
    await runLater(graph, `g.addV()${properties.join("")}.none()`)
  }
  const asked = async (traversal: string): Promise<ReadonlyArray<unknown>> => {
    expect(text((await runLater(graph, `${traversal}.profile()`))[0])).toContain("ordered")
    return runLater(graph, traversal)
  }
  expect(await asked("g.V().has('state', 1).count()")).toEqual([4n])
  expect(await asked("g.V().has('state', P.gt(0)).count()")).toEqual([5n])
  expect(await asked("g.V().has('state', 1).has('age', P.gt(3)).values('age')")).toEqual([5])
  expect(await asked("g.V().has('state', 1).has('age', P.lt(5)).values('age')")).toEqual([3])
  expect(await asked("g.V().has('state', 1).has('size', 7).count()")).toEqual([2n])
  expect(await asked("g.V().has('state', 1).order().by('age').limit(3).values('age')")).toEqual([3, 5])
  expect(await asked("g.V().has('state', 1).order().by('age', desc).limit(1).values('age')")).toEqual([5])
  expect(await asked("g.V().order().by('state').limit(9).values('state')")).toEqual([1, 1, 1, 1, 2])
  await graph.close()
})

it("An ordered index over an old key and a new one is built, because it has the elements without the new key, too", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  await runLater(graph, "g.addV().property('age', 40).addV().property('age', 20).none()")
  const editor = await graph.management.edit()
  const keys = [editor.key("age")!, editor.makeKey("score", dataTypeOf("Integer"), "SINGLE")]
  editor.makeIndex({ name: "ordered", element: "vertex", kind: "ordered", unique: false, keys })
  await graph.management.commit(editor)
  await graph.management.built("ordered")
  expect(await runLater(graph, "g.V().has('age', P.gt(30)).values('age')")).toEqual([40])
  expect(await runLater(graph, "g.V().order().by('age').limit(5).values('age')")).toEqual([20, 40])
  await graph.close()
})
