import { texts } from "../texts.ts"
import { decode, isTyped, parseWritten, typed } from "../wire/Decode.ts"
import { textOf } from "../wire/Values.ts"
import type { NewEdge, NewProperty, NewVertex, ParsedFile } from "./ParsedFile.ts"

const record = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : {}

const list = (json: unknown): ReadonlyArray<unknown> => (Array.isArray(json) ? json : [])

/** A property as the file has it, with the types of the file. */
const propertyOf = (key: string, json: unknown, properties?: unknown): NewProperty => {
  const meta = Object.entries(record(properties)).map(([name, own]) => [name, typed(own)] as const)
  return { key, value: decode(json), sent: typed(json), ...(meta.length === 0 ? {} : { meta }) }
}

/** The values of a key of a vertex. JSON that the console saves has the value itself in their place, without its type. */
const valuesOf = (values: unknown): ReadonlyArray<unknown> => {
  if (!Array.isArray(values)) throw new Error(texts.data.plainJson)
  return values
}

/** A line of GraphSON: a vertex with its outgoing edges. */
const lineOf = (json: unknown): { readonly vertex: NewVertex; readonly edges: ReadonlyArray<NewEdge> } => {
  const { from, id, inV, label, outE, outV, properties, to } = record(json)
  if (id === undefined || id === null) throw new Error(texts.data.noVertex)
  if ((inV ?? outV) !== undefined) throw new Error(texts.data.edgeAlone)
  // An edge as the console saves it in JSON.
  if ((from ?? to) !== undefined) throw new Error(texts.data.plainJson)
  const key = textOf(decode(id))
  const edges = Object.entries(record(outE)).flatMap(([name, all]) =>
    list(all).map((edge: unknown) => {
      const { inV, properties: own } = record(edge)
      const pairs = Object.entries(record(own)).map(([key, value]) => propertyOf(key, value))
      return { from: key, to: textOf(decode(inV)), label: name, properties: pairs }
    })
  )
  const pairs = Object.entries(record(properties)).flatMap(([name, values]) =>
    valuesOf(values).map((one) => {
      const { properties: meta, value } = record(isTyped(one) ? one["@value"] : one)
      if (value === undefined) throw new Error(texts.data.plainJson)
      return propertyOf(name, value, meta)
    })
  )
  return { vertex: { key, label: String(label ?? "vertex"), properties: pairs }, edges }
}

/** The vertices of a text: one a line, a list of them, or an object that has the list. */
const verticesOf = (text: string): ReadonlyArray<unknown> => {
  if (text.startsWith("[")) return list(parseWritten(text))
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map(parseWritten)
  return lines.flatMap((line) => {
    const { edges, id, vertices } = record(line)
    if (id !== undefined || !Array.isArray(vertices)) return [line]
    if (list(edges).length > 0) throw new Error(texts.data.edgeAlone)
    return vertices
  })
}

/** Reads GraphSON as TinkerPop writes it: one vertex a line, or a list of them. */
export const readGraphson = (text: string): ParsedFile => {
  if (/"@class"\s*:/.test(text)) throw new Error(texts.data.classNames)
  const all = verticesOf(text.trim()).map(lineOf)
  const types = new Map<string, string>()
  for (const { vertex } of all)
    for (const { key, sent, value } of vertex.properties) types.set(key, isTyped(sent) ? sent["@type"] : typeof value)
  return {
    vertices: all.map(({ vertex }) => vertex),
    edges: all.flatMap(({ edges }) => edges),
    columns: [...types].map(([name, type]) => ({ name, type }))
  }
}
