import { texts } from "../texts.ts"
import { decode, parseJson } from "../wire/Decode.ts"
import { Vertex } from "../wire/Values.ts"
import type { NewEdge, NewVertex, ParsedFile } from "./ParsedFile.ts"

const record = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : {}

/** A line of GraphSON: a vertex with its outgoing edges. */
const lineOf = (json: unknown): { readonly vertex: NewVertex; readonly edges: ReadonlyArray<NewEdge> } => {
  const { id, label, outE, properties } = record(json)
  const vertex = decode({ "@type": "g:Vertex", "@value": { id, label, properties } })
  if (!(vertex instanceof Vertex)) throw new Error(texts.data.noVertex)
  const key = vertex.id.text
  const edges = Object.entries(record(outE)).flatMap(([name, list]) =>
    (Array.isArray(list) ? list : []).map((edge: unknown) => {
      const { inV, properties: own } = record(edge)
      const pairs = Object.entries(record(own)).map(([key, value]) => [key, decode(value)] as const)
      return { from: key, to: String(decode(inV)), label: name, properties: pairs }
    })
  )
  const pairs = [...vertex.properties].flatMap(([name, values]) => values.map((value) => [name, value] as const))
  return { vertex: { key, label: vertex.label, properties: pairs }, edges }
}

/** Reads GraphSON as TinkerPop writes it: one vertex a line, or a list of them. */
export const readGraphson = (text: string): ParsedFile => {
  const trimmed = text.trim()
  const lines = trimmed.startsWith("[")
    ? (parseJson(trimmed) as ReadonlyArray<unknown>)
    : trimmed
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "")
        .map(parseJson)
  const all = lines.map(lineOf)
  const types = new Map<string, string>()
  for (const { vertex } of all) for (const [name, value] of vertex.properties) types.set(name, typeof value)
  return {
    vertices: all.map(({ vertex }) => vertex),
    edges: all.flatMap(({ edges }) => edges),
    columns: [...types].map(([name, type]) => ({ name, type }))
  }
}
