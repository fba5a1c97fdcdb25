import { readFileSync } from "node:fs"

const folder = new URL("../../fixtures/janusgraph-format/", import.meta.url)

/** The text of a file of fixtures. */
export const fixtureText = (name: string): string => readFileSync(new URL(name, folder), "utf8")

/** The lines of a file of fixtures, without the header. */
export const fixtureLines = (name: string): ReadonlyArray<string> => fixtureText(name).trimEnd().split("\n").slice(1)

/** A cell of a dump of JanusGraph's tables. */
export interface DumpedCell {
  readonly key: Buffer
  readonly column: Buffer
  readonly value: Buffer
}

/** The cells of a dumped table, in the order of the dump. */
export const dumpedCells = (name: string): ReadonlyArray<DumpedCell> =>
  fixtureLines(name).map((line) => {
    const [key, column, value] = line.split(",").map((hex) => Buffer.from(hex, "hex"))
    return { key: key!, column: column!, value: value! }
  })

interface GraphProperty {
  readonly key: string
  readonly type: string
  readonly value: unknown
  readonly relationId: string
  readonly id: string
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A graph as JanusGraph reads it. */
export interface ExpectedGraph {
  readonly vertices: ReadonlyArray<{
    readonly id: string
    readonly label: string
    readonly properties: ReadonlyArray<GraphProperty>
  }>
  readonly edges: ReadonlyArray<{
    readonly id: string
    readonly relationId: string
    readonly label: string
    readonly out: string
    readonly in: string
    readonly properties: Readonly<Record<string, unknown>>
  }>
}

/** The graph of a dump as JanusGraph reads it. */
export const expectedGraph = (name: string): ExpectedGraph => JSON.parse(fixtureText(`${name}.graph.json`))
