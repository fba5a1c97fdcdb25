import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { DocumentField, GraphIndex } from "../../storage/janusgraph/schema/Schema.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"

/**
 * What a direct index query needs to know of a mixed index: the mapping of each key (empty for values that are no text), the data type
 * of each key, and the label of its elements, or null. Throws TraversalError if there is no such index, or if it is for other elements.
 */
export const indexFields = async (graph: CellGraph, name: unknown, element: unknown): Promise<GremlinMap> => {
  const schema = await graph.management.schema()
  const { documents } = graph.core
  const isMixed = (each: GraphIndex): boolean => each.kind === "mixed" || documents?.isServed(each) === true
  const index = schema.indexes.find((each) => each.name === name && isMixed(each))
  if (index === undefined) throw new TraversalError(`Index with name [${String(name)}] is unknown or not a mixed index`)
  if (index.element !== element) {
    throw new TraversalError(`Index is not configured for the desired result type: ${String(element).toUpperCase()}`)
  }
  const keys = index.documents?.fields.map(({ key }) => key) ?? index.fields
  const mappings =
    index.documents?.fields.map(mappingOf) ??
    index.fields.map(({ dataType, name: key }, at) => {
      const forms = index.forms[at] ?? []
      if (dataType.name !== "String" && dataType.name !== "Character") return [key, ""] as const
      const isWords = forms.includes("text")
      return [key, isWords ? (forms.includes("ordered") ? "TEXTSTRING" : "TEXT") : "STRING"] as const
    })
  const only = [...schema.vertexLabels.values(), ...schema.labels.values()].find(({ id }) => id === index.onlyLabel)
  return new GremlinMap([
    ["fields", new GremlinMap(mappings)],
    ["types", new GremlinMap(keys.map(({ dataType, name: key }) => [key, dataType.name]))],
    ["label", only?.name ?? null]
  ])
}

/** A key of an index in a search engine, and its mapping. */
const mappingOf = ({ hasWords, key, wholeName }: DocumentField): readonly [key: string, mapping: string] => {
  if (key.dataType.name !== "String") return [key.name, ""]
  return [key.name, hasWords ? (wholeName === undefined ? "TEXT" : "TEXTSTRING") : "STRING"]
}
