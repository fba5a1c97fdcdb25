import { SaxesParser } from "saxes"
import { texts } from "../texts.ts"
import type { NewProperty, ParsedFile } from "./ParsedFile.ts"
import { type FileType, typedProperty } from "./TypedValue.ts"

/** A declared key: the name of a property, or of the label, and its type. */
interface Key {
  readonly name: string
  readonly type: string
}

/** A node or an edge, with the texts of its data by their key. */
interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly data: Array<readonly [key: string, text: string]>
}

/** The parts of a GraphML text. The parser of the browser is not used: its report of an error has styles that the policy refuses. */
const partsOf = (
  text: string
): { readonly keys: ReadonlyMap<string, Key>; readonly elements: ReadonlyArray<XmlElement> } => {
  const parser = new SaxesParser()
  const keys = new Map<string, Key>()
  const elements: Array<XmlElement> = []
  // The graphs, nodes, edges and ports around the current place. The data of graphs and ports has no meaning here.
  const open: Array<XmlElement | undefined> = []
  let data: { readonly key: string; text: string } | undefined
  // The depth in the current data element, which may contain elements of other programs.
  let depth = 0
  parser.on("error", (error) => {
    throw new Error(texts.data.noXml(error.message))
  })
  parser.on("opentag", ({ attributes, name }) => {
    const given = attributes as Readonly<Record<string, string>>
    if (depth > 0) depth++
    else if (name === "key") {
      const id = given.id ?? ""
      keys.set(id, { name: given["attr.name"] ?? id, type: given["attr.type"] ?? "string" })
    } else if (name === "node" || name === "edge") {
      const element = { name, attributes: given, data: [] }
      open.push(element)
      elements.push(element)
    } else if (name === "graph" || name === "port") open.push(undefined)
    else if (name === "hyperedge") throw new Error(texts.data.hyperedge)
    else if (name === "data") {
      depth = 1
      if (open.at(-1) !== undefined) data = { key: given.key ?? "", text: "" }
    }
  })
  const take = (more: string): void => {
    if (data !== undefined) data.text += more
  }
  parser.on("text", take)
  parser.on("cdata", take)
  parser.on("closetag", ({ name }) => {
    if (depth > 0) {
      if (--depth > 0) return
      if (data !== undefined) open.at(-1)?.data.push([data.key, data.text])
      data = undefined
    } else if (/^(?:node|edge|graph|port)$/.test(name)) open.pop()
  })
  parser.write(text.replace(/^\ufeff/, "")).close()
  return { keys, elements }
}

/** The types of GraphML. */
const TYPES: ReadonlyArray<string> = ["string", "int", "long", "float", "double", "boolean"] satisfies Array<FileType>

const typeOf = (type: string, key: string): FileType => {
  if (TYPES.includes(type)) return type as FileType
  throw new Error(texts.data.unknownType(type, key))
}

/** Reads GraphML. */
export const readGraphml = (text: string, label: string): ParsedFile => {
  const { elements, keys } = partsOf(text)
  const isLabel = ({ key }: NewProperty): boolean => key === "labelV" || key === "labelE"
  const contentOf = ({ data }: XmlElement) => {
    const values = data.map(([key, value]) => {
      const { name, type } = keys.get(key) ?? { name: key, type: "string" }
      return typedProperty(name, value, typeOf(type, name))
    })
    return { label: String(values.find(isLabel)?.value ?? label), properties: values.filter((own) => !isLabel(own)) }
  }
  const vertices = elements
    .filter(({ name }) => name === "node")
    .map((node) => ({ key: node.attributes.id ?? "", ...contentOf(node) }))
  const edges = elements
    .filter(({ name }) => name === "edge")
    .map((edge) => ({ from: edge.attributes.source ?? "", to: edge.attributes.target ?? "", ...contentOf(edge) }))
  return { vertices, edges, columns: [...keys.values()].filter(({ name }) => !/^label[VE]$/.test(name)) }
}
