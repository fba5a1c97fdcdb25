import type { JavaEnum, Parameter } from "../format/JavaValues.ts"
import type { DocumentField, DocumentStore, PropertyKey } from "./Schema.ts"

/** Fields of mixed indexes, as the schema stores them. */

/** The parameter of a field of an index with JanusGraph's Mapping. */
export const MAPPING = "mapping"
/** JanusGraph's name of the status of a field of a mixed index. */
const FIELD_STATUS = "status"

/** The parameter of a field of an index with its position. */
export const POSITION = "index-pos"

/** The name of a stored constant. */
export const constant = (value: unknown, otherwise: string): string =>
  (value as JavaEnum | undefined)?.name ?? otherwise

/** The value of a parameter of a field; undefined if the field does not have it. */
export const parameter = (modifier: unknown, name: string): unknown =>
  ((modifier ?? []) as ReadonlyArray<Parameter>).find(({ key }) => key === name)?.value

/** True for a field of JanusGraph's mixed index that JanusGraph updates. */
export const isKeptOutside = (modifier: unknown): boolean =>
  !["DISABLED", "DISCARDED"].includes(constant(parameter(modifier, FIELD_STATUS), "ENABLED"))

/** JanusGraph's Mapping of a field. */
export const mappingOf = (modifier: unknown): string => constant(parameter(modifier, MAPPING), "DEFAULT")

/** The documents of an index of JanusGraph; undefined if this server cannot write one of its fields. */
export const documentsOf = (
  store: string,
  fields: ReadonlyArray<{ readonly key: PropertyKey; readonly modifier: unknown }>
): DocumentStore | undefined => {
  const found: Array<DocumentField> = []
  for (const { key, modifier } of fields) {
    if (!isKeptOutside(modifier)) continue
    const parameters = (modifier ?? []) as ReadonlyArray<Parameter>
    const mapping = mappingOf(modifier)
    const isText = key.dataType.name === "String"
    const isKnown = isText ? textMappings.has(mapping) : mapping === "DEFAULT" && plainFields.has(key.dataType.name)
    if (!isKnown || parameters.some((each) => !fieldParameterNames.has(each.key))) return undefined
    const name = String(parameter(modifier, "mapped-name") ?? key.name).replaceAll(" ", FIELD_SPACE)
    found.push({
      key,
      name,
      wholeName: mapping === "TEXTSTRING" ? `${name}__STRING` : undefined,
      hasWords: isText && mapping !== "STRING",
      hasAnalyzer: parameters.some((each) => each.key.endsWith("-analyzer")),
      isEnabled: constant(parameter(modifier, FIELD_STATUS), "ENABLED") === "ENABLED"
    })
  }
  return { store, fields: found }
}

/** What JanusGraph writes instead of a space in the name of a field. */
const FIELD_SPACE = "\u2022"

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
  "mapped-name",
  "string-analyzer",
  "text-analyzer"
])
