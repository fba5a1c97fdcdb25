import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { tools } from "../../src/layers/commands/CommandOptions.ts"
import { csvType } from "../../src/protocol/csv/CsvTypes.ts"
import { MemoryGraph } from "../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../src/storage/memory/Options.ts"
import { contents, imported, written } from "../layers/tools/Graphs.ts"
import { cellGraph } from "../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../storage/janusgraph/MemoryCellStore.ts"

const text = readFileSync(new URL("../../docs/reference/tools.md", import.meta.url), "utf8")

/** The files of the document, by the names after their code fences. */
const files = Object.fromEntries(
  [...text.matchAll(/```csv (\S+)\n([\s\S]*?)```/g)].map(([, name, content]) => [name!, content!])
)

describe("docs/reference/tools.md", () => {
  it("has a section or a row for every command", () => {
    assert.deepEqual(
      tools.filter((tool) => !new RegExp(`^\\| \`${tool}[ \`]`, "m").test(text)),
      []
    )
  })

  it("has files that can be imported as described", async () => {
    assert.deepEqual(Object.keys(files), ["people.csv", "knows.csv"])
    for (const graph of [new MemoryGraph(tinkerGraph("test")), await cellGraph(new MemoryCellStore())]) {
      await imported(graph, written(files), { idProperty: "code" })
      assert.deepEqual(
        await contents(graph),
        [
          "p1 person age=Integer 31, code=String p1, name=String Ann, nick=String Annie, tags=String a, tags=String b in:1",
          "p1-knows->p2 since=Integer 1999",
          "p2 person code=String p2, name=String Bob, the builder in:1",
          "p2-knows->p1 since=Integer 2004"
        ].map((line) => line.replace(/(Integer|String) /g, "$1 "))
      )
    }
    const broken = { "people.csv": "~id,name,age:Int\na,A,1\nb,B,old\n" }
    const message = /`(people\.csv: line 3[^`]*)`|`(people\.csv: line 3[\s\S]*?Int)`/.exec(text)?.[0].slice(1, -1)
    await imported(new MemoryGraph(tinkerGraph("test")), written(broken)).then(
      () => assert.fail("it was imported"),
      (error: Error) => assert.isTrue(error.message.endsWith(String(message)), `${error.message} | ${message}`)
    )
  })

  it("names existing types", () => {
    const [section] = /\| type \|[\s\S]*?\| `\.\.\./.exec(text) ?? [""]
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
    assert.isAbove(named.length, 14)
    assert.deepEqual(
      named.filter((name) => csvType(name) === undefined),
      []
    )
  })
})
