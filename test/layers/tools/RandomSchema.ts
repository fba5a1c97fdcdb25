import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { NewIndex } from "../../../src/storage/janusgraph/management/IndexDefinition.ts"
import { dataTypeOf, type SchemaEditor } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"

/** A seeded generator of numbers and of values made from them. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** The mulberry32 generator. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  oneIn(some: number): boolean {
    return this.below(some) === 0
  }

  pick<A>(list: ReadonlyArray<A>): A {
    return list[this.below(list.length)]!
  }

  /** A random value for a key. */
  value(key: string): unknown {
    if (key === "s" || key === "l") return this.pick(["", "ab", "abc", "fox bar", "b", "Foo"])
    return key === "f" ? this.pick([0.5, -0, 1.5, -3.25]) : this.below(6)
  }

  /** A random has() step for a key. */
  condition(key: string): string {
    const predicates =
      key === "s" || key === "l"
        ? ["eq('ab')", "startingWith('ab')", "textContains('fox')", "gt('aa')", "within('b','Foo')", "textRegex('a.*')"]
        : ["eq(1)", "gt(2)", "lt(3)", "between(1,4)", "within(1,2,5)", "gte(0.5d)", "inside(0,4)", "neq(2)"]
    return `.has('${key}', ${this.pick(predicates)})`
  }
}

const keys = {
  a: "Integer",
  s: "String",
  l: "String",
  t: "Integer",
  u: "Integer",
  m: "Integer",
  f: "Double",
  w: "Integer"
}
const labels = {
  multi: "MULTI",
  simple: "SIMPLE",
  one: "ONE2ONE",
  mother: "MANY2ONE",
  children: "ONE2MANY",
  mortal: "ONE2ONE",
  away: "MULTI",
  awayOnce: "SIMPLE",
  awayMother: "MANY2ONE"
} as const

export const edgeLabels = Object.keys(labels)
/** Multiplicity of an edge label. */
export const multiplicityOf = (label: string): string => labels[label as keyof typeof labels]
/** True when only the out-vertex stores an edge. */
export const isUnidirected = (label: string): boolean => label.startsWith("away")
/** Elements of the last label have a TTL, and cannot be changed. */
export const vertexLabels = ["person", "thing", "vertex", "ending"]

/** Creates types of all kinds, some with TTLs. */
export const makeTypes = async ({ management }: CellGraph): Promise<void> => {
  const editor = await management.edit()
  for (const [name, type] of Object.entries(keys)) {
    editor.makeKey(name, dataTypeOf(type), name === "l" ? "LIST" : name === "t" ? "SET" : "SINGLE")
  }
  for (const [name, multiplicity] of Object.entries(labels))
    editor.makeLabel(name, multiplicity, isUnidirected(name), [])
  for (const name of ["person", "thing"]) editor.makeVertexLabel(name, false, false)
  editor.setTimeToLive(editor.makeVertexLabel("ending", true, false), 20)
  for (const name of ["w", "t"]) editor.setTimeToLive(editor.key(name)!, 10)
  editor.setTimeToLive(editor.label("mortal")!, 15)
  await management.commit(editor)
}

let made = 0

/** The kinds of changes of a schema. */
export const schemaChanges = [
  ...["index", "relation index", "disabled index", "enabled index", "rebuilt index"],
  ...["key of an index", "time to live", "dropped index"]
] as const

/** Makes one random change of indexes or TTLs, and waits for its end. Returns the kind of the change. */
export const changeSchema = async (
  { core, management }: CellGraph,
  random: Random
): Promise<(typeof schemaChanges)[number]> => {
  const { indexes, relationIndexes } = core.schema
  const all = [...indexes.map(({ id }) => id), ...relationIndexes.map(({ type }) => type.id)]
  const kind = all.length === 0 ? 0 : random.below(all.length < 8 ? 12 : 16)
  const id = random.pick(all)
  const settled = async (change: (typeof schemaChanges)[number]) => {
    for (const each of all) await management.done(each)
    return change
  }
  if (kind < 5) {
    const name = `index ${made++}`
    await edited(management, (editor) => makeIndex(editor, name, random))
    await management.built(name)
    return settled("index")
  }
  if (kind < 6) {
    await edited(management, (editor) => {
      const base = editor.label(random.pick(edgeLabels)) ?? editor.key("l")!
      const direction = random.pick(["OUT", "IN", "BOTH"] as const)
      const sortKey = random.oneIn(2) ? ["a"] : ["f", "s"]
      const sorted = sortKey.map((key) => editor.key(key)!)
      editor.makeRelationIndex(base, `index ${made++}`, direction, random.oneIn(2), sorted)
    })
    return settled("relation index")
  }
  if (kind < 7) {
    await management.setStatus(id, "DISABLED")
    return settled("disabled index")
  }
  if (kind < 9) {
    await management.enable(id)
    return settled("enabled index")
  }
  if (kind < 10) {
    await management.rebuild(id)
    return settled("rebuilt index")
  }
  if (kind < 11) {
    await edited(management, (editor) => {
      const mixed = editor.schema.indexes.find((index) => index.kind === "mixed")
      if (mixed !== undefined) editor.addIndexKey(mixed, editor.key(random.pick(["a", "u", "w", "f"]))!)
    })
    return settled("key of an index")
  }
  if (kind < 12) {
    const seconds = random.pick([0, 5, 20])
    await edited(management, (editor) => editor.setTimeToLive(editor.label(random.pick(edgeLabels))!, seconds))
    return settled("time to live")
  }
  await management.drop(id)
  return settled("dropped index")
}

const edited = async (
  management: CellGraph["management"],
  change: (editor: SchemaEditor) => unknown
): Promise<void> => {
  const editor = await management.edit()
  change(editor)
  await management.commit(editor)
}

const makeIndex = (editor: SchemaEditor, name: string, random: Random): void => {
  const element = random.oneIn(3) ? "edge" : "vertex"
  const how = random.pick(["equality", "unique", "ordered", "mixed"] as const)
  const possible =
    element === "edge" ? ["a", "s", "u", "f"] : ["a", "s", "u", "f", "w", ...(how === "unique" ? [] : ["l", "t"])]
  const wanted = new Set([random.pick(possible), random.pick(possible)])
  const index: NewIndex = {
    name,
    element,
    kind: how === "unique" ? "equality" : how,
    unique: how === "unique",
    keys: [...wanted].map((key) => editor.key(key)!),
    inlineKeys: element === "vertex" && how === "equality" ? [editor.key("w")!] : [],
    onlyLabel: random.oneIn(3)
      ? (element === "vertex" ? editor.vertexLabel("person") : editor.label("mortal"))!.id
      : undefined
  }
  editor.makeIndex(how === "mixed" ? { ...index, mappings: index.keys.map(() => "DEFAULT") } : index)
}
