import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { cqlGraphOptions } from "../../../src/layers/config/CqlGraphOptions.ts"
import { isOption } from "../../../src/layers/config/JanusGraphOptions.ts"

const page = readFileSync(new URL("../../../docs/reference/graph-options.md", import.meta.url), "utf8")

/** Names of the first column of a table row. A name such as `.keyspace` has the namespace of the name before it. */
const namesOf = (cell: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const [, name = ""] of cell.matchAll(/`([^`]+)`/g)) {
    const first = names[0] ?? ""
    if (name.startsWith(".")) names.push(first.slice(0, first.lastIndexOf(".")) + name)
    else names.push(name)
  }
  return names
}

/** Rows of the tables of the page: names, and the text of the default. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(" | "))
  .map(([names = "", otherwise = "", meaning = ""]) => ({ names: namesOf(names), otherwise, meaning }))

describe("The options of a graph in Cassandra", () => {
  it("are JanusGraph's", () => {
    expect(cqlGraphOptions.filter(({ key }) => !isOption(key))).toEqual([])
  })

  it("have keys of their own", () => {
    expect(new Set(cqlGraphOptions.map(({ key }) => key)).size).toBe(cqlGraphOptions.length)
  })

  it("are all documented", () => {
    const documented = rows.flatMap(({ meaning, names }) => [...names, ...namesOf(`\`${names[0]}\` ${meaning}`)])
    expect(cqlGraphOptions.map(({ key }) => key).filter((key) => !documented.includes(key))).toEqual([])
  })

  it("have the documented defaults", () => {
    const wrong = cqlGraphOptions.filter(({ key, otherwise }) => {
      const row = rows.find(({ names }) => names.length === 1 && names[0] === key)
      return row !== undefined && otherwise !== undefined && row.otherwise !== `\`${otherwise}\``
    })
    expect(wrong).toEqual([])
  })
})
