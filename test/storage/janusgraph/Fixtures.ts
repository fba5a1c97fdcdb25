import { readFileSync } from "node:fs"

const folder = new URL("../../fixtures/janusgraph-format/", import.meta.url)

export const fixtureText = (name: string): string => readFileSync(new URL(name, folder), "utf8")

/** Lines behind the header. */
export const fixtureLines = (name: string): ReadonlyArray<string> => fixtureText(name).trimEnd().split("\n").slice(1)

export interface DumpedCell {
  readonly key: Buffer
  readonly column: Buffer
  readonly value: Buffer
}

/** All cells of a table, in the order of the dump. */
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

/** The graph as JanusGraph reads it. */
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

export const expectedGraph = (name: string): ExpectedGraph => JSON.parse(fixtureText(`${name}.graph.json`))
