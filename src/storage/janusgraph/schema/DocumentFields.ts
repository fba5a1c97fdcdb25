import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { JavaEnum, Parameter } from "../format/JavaValues.ts"
import type { DocumentField, DocumentStore, PropertyKey } from "./Schema.ts"

/** Fields of mixed indexes, as the schema stores them. */

/** The parameter of a field of an index with JanusGraph's Mapping. */
export const MAPPING = "mapping"
/** JanusGraph's name of the status of a field of a mixed index. */
export const FIELD_STATUS = "status"
/** JanusGraph's name of the parameter with the name of the field in the documents. */
export const MAPPED_NAME = "mapped-name"

/** The parameter of a field of an index with its position. */
export const POSITION = "index-pos"

/** The parameters of a field of shapes with the mapping PREFIX_TREE, and JanusGraph's defaults. */
const TREE_LEVELS = "index-geo-max-levels"
const TREE_ERROR = "index-geo-dist-error-pct"
const DEFAULT_TREE_LEVELS = 20
const DEFAULT_TREE_ERROR = 0.025

/** The name of a stored constant. */
export const constant = (value: unknown, otherwise: string): string =>
  (value as JavaEnum | undefined)?.name ?? otherwise

/** The value of a parameter of a field; undefined if the field does not have it. As in JanusGraph, the case of names has no meaning. */
export const parameter = (modifier: unknown, name: string): unknown =>
  ((modifier ?? []) as ReadonlyArray<Parameter>).find(({ key }) => key.toLowerCase() === name)?.value

/** The status of a field of a mixed index in a search engine. */
export const fieldStatusOf = (modifier: unknown): SchemaStatus =>
  constant(parameter(modifier, FIELD_STATUS), "ENABLED") as SchemaStatus

/** From the least advanced one. A disabled field counts only if the others are disabled, too. */
const order: ReadonlyArray<SchemaStatus> = ["INSTALLED", "REGISTERED", "ENABLED", "DISABLED", "DISCARDED"]

/** The status of a mixed index in a search engine: that of its least advanced field. */
export const engineStatusOf = (modifiers: ReadonlyArray<unknown>): SchemaStatus => {
  const found = modifiers.map(fieldStatusOf)
  return order.find((status) => found.includes(status)) ?? "ENABLED"
}

/** True for a field that the documents of a mixed index in a search engine contain. */
export const isEngineField = (modifier: unknown): boolean =>
  !["DISABLED", "DISCARDED"].includes(fieldStatusOf(modifier))

/** JanusGraph's Mapping of a field. Programs may give JanusGraph its name as a text in upper or lower case, which is then stored. */
export const mappingOf = (modifier: unknown): string => {
  const mapping = parameter(modifier, MAPPING)
  return typeof mapping === "string" ? mapping.toUpperCase() : constant(mapping, "DEFAULT")
}

/** The name of the field of a key, unless the schema names another one. */
export const defaultFieldName = (key: string): string => key.replaceAll(" ", FIELD_SPACE)

/** The documents of an index of JanusGraph; undefined if this server cannot write one of its fields. */
export const documentsOf = (
  store: string,
  fields: ReadonlyArray<{ readonly key: PropertyKey; readonly modifier: unknown }>
): DocumentStore | undefined => {
  const found: Array<DocumentField> = []
  for (const { key, modifier } of fields) {
    if (!isEngineField(modifier)) continue
    const parameters = (modifier ?? []) as ReadonlyArray<Parameter>
    const mapping = mappingOf(modifier)
    const isText = key.dataType.name === "String"
    const isShape = key.dataType.name === "Geoshape" && shapeMappings.has(mapping)
    const isPlain = mapping === "DEFAULT" && plainFields.has(key.dataType.name)
    const isKnown = isText ? textMappings.has(mapping) : isShape || isPlain
    if (!isKnown || parameters.some((each) => !fieldParameterNames.has(each.key.toLowerCase()))) return undefined
    const name = String(parameter(modifier, MAPPED_NAME) ?? key.name)
    const [textAnalyzer, stringAnalyzer] = ["text-analyzer", "string-analyzer"].map((analyzer) => {
      const given = parameter(modifier, analyzer)
      return given === undefined ? undefined : String(given)
    })
    found.push({
      key,
      name,
      wholeName: mapping === "TEXTSTRING" ? `${name}__STRING` : undefined,
      hasWords: isText && mapping !== "STRING",
      mapping,
      textAnalyzer,
      stringAnalyzer,
      hasAnalyzer: textAnalyzer !== undefined || stringAnalyzer !== undefined,
      tree: {
        levels: Number(parameter(modifier, TREE_LEVELS) ?? DEFAULT_TREE_LEVELS),
        error: Number(parameter(modifier, TREE_ERROR) ?? DEFAULT_TREE_ERROR)
      },
      status: fieldStatusOf(modifier)
    })
  }
  return { store, fields: found }
}

/** What JanusGraph writes instead of a space in the name of a field. */
const FIELD_SPACE = "\u2022"

/** JanusGraph's mappings of Geoshape for all shapes. */
const shapeMappings: ReadonlySet<string> = new Set(["PREFIX_TREE", "BKD"])

/** True for a field of shapes; a field of places has points only. */
export const hasShapes = ({ mapping }: DocumentField): boolean => shapeMappings.has(mapping)

const textMappings: ReadonlySet<string> = new Set(["DEFAULT", "TEXT", "STRING", "TEXTSTRING"])

/** The types of values that documents have in one form. */
const plainFields: ReadonlySet<string> = new Set(
  "Boolean Byte Date Double Float Geoshape Instant Integer Long Short UUID".split(" ")
)

/** The parameters of a field that this server understands. */
const fieldParameterNames: ReadonlySet<string> = new Set([
  MAPPING,
  FIELD_STATUS,
  POSITION,
  TREE_LEVELS,
  TREE_ERROR,
  MAPPED_NAME,
  "string-analyzer",
  "text-analyzer"
])
