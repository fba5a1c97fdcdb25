import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts")
)
const textOf = (file: string): string => readFileSync(join(root, "src", file), "utf8")

/**
 * Built-in classes whose objects are immutable, or hold only data of their keys. Typed arrays are accepted without a look at what they are:
 * constants, tables, caches or scratch.
 */
const HARMLESS = /^(?:RegExp|TextEncoder|TextDecoder|WeakMap|WeakSet|\w*Array|Intl)$/
const COLLECTION = /^(?:Map|Set)$/

/** Constants at the top level of a module that hold an object which may change. */
const changeable = (file: string): ReadonlyArray<string> => {
  const text = textOf(file)
  const objects = Array.from(
    text.matchAll(/^(?:export )?const (\w+)(?:: ([^=\n]+))? = new (\w+)/gm),
    ([, name = "", type = "", made = ""]) => ({ name, type, made })
  ).filter(({ name, type, made }) => {
    if (HARMLESS.test(made)) return false
    if (!COLLECTION.test(made)) return true
    // Tables are filled where the module is loaded, which no indentation of a function body precedes.
    return (
      !type.startsWith("Readonly") && new RegExp(`^ {2,}.*\\b${name}\\.(?:set|add|delete|clear)\\(`, "m").test(text)
    )
  })
  const lists = Array.from(
    text.matchAll(/^(?:export )?const (\w+): Array<[^\n]+> = (?:\[\]|new Array)/gm),
    ([, name = ""]) => ({ name })
  )
  return [...objects, ...lists].map(({ name }) => `${file} ${name}`)
}

/**
 * Each with the reason why it is no hidden state: "scratch" is overwritten by each call before it is read, and calls do not
 * overlap; "constant" does not change; "table" is filled when the module is loaded; "cache" is bounded, and answers the same
 * with and without an entry; "process" is a resource that the process has once.
 */
const reasons: Readonly<Record<string, "scratch" | "constant" | "table" | "cache" | "process">> = {
  "gremlin/Parser.ts sharedContext": "scratch",
  "gremlin/parser/Imports.ts fullNames": "table",
  "gremlin/parser/Names.ts shortTable": "table",
  "gremlin/script/values/AbsentProperty.ts ABSENT_PROPERTY": "constant",
  "gremlin/script/dates/Zones.ts UTC": "constant",
  "main.ts output": "process",
  "process/predicates/RegularExpression.ts cache": "cache",
  "protocol/WriteMode.ts longInside": "constant",
  "protocol/graphbinary/ByteReader.ts interned": "cache",
  "protocol/graphbinary/GraphBinarySerializer.ts writer": "scratch",
  "protocol/graphson/AdjacencyDecoder.ts EMPTY": "constant",
  "scheduling/ResumableDescent.ts sliceOver": "constant",
  "storage/janusgraph/cells/Cells.ts noCells": "constant",
  "storage/janusgraph/cells/Slab.ts pool": "cache",
  "storage/janusgraph/commit/RelationCells.ts writer": "scratch",
  "storage/janusgraph/commit/SchemaCommit.ts writer": "scratch",
  "storage/janusgraph/format/Attributes.ts byName": "table",
  "storage/janusgraph/format/Attributes.ts byNumber": "table",
  "storage/janusgraph/format/EnumAttributes.ts known": "table",
  "storage/janusgraph/format/ScalarForms.ts scratch": "scratch",
  "storage/janusgraph/indexes/IndexEntries.ts writer": "scratch",
  "storage/janusgraph/indexes/OrderedValues.ts writer": "scratch",
  "storage/janusgraph/rows/Adjacency.ts cursor": "scratch",
  "storage/janusgraph/rows/Adjacency.ts reader": "scratch",
  "storage/janusgraph/rows/PropertyCells.ts cursor": "scratch",
  "storage/janusgraph/rows/PropertyCells.ts reader": "scratch",
  "storage/janusgraph/rows/Row.ts cursor": "scratch",
  "storage/janusgraph/rows/SystemCells.ts labelCursor": "scratch",
  "storage/janusgraph/rows/SystemCells.ts labelReader": "scratch",
  "storage/janusgraph/schema/Schema.ts emptySchema": "constant",
  "storage/lmdb/Chunks.ts cursor": "scratch",
  "storage/lmdb/Chunks.ts writer": "scratch",
  "storage/lmdb/ColumnSlices.ts copies": "cache",
  "storage/lmdb/ProcessEnd.ts watched": "process",
  "storage/lmdb/ProcessEnd.ts works": "process",
  "structure/memory/HeapRoom.ts heapRoom": "process"
}

describe("A module of src", () => {
  it("has no variables: state belongs to objects that callers create", () => {
    const found = files.flatMap((file) =>
      Array.from(textOf(file).matchAll(/^(?:export )?(?:let|var) .*/gm), ([line]) => `${file}: ${line}`)
    )
    expect(found).toEqual([])
  })

  it("shares no mutable object between callers, except those with a reason", () => {
    expect(files.flatMap(changeable).sort()).toEqual(Object.keys(reasons).sort())
  })
})
