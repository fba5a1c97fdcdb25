import type { DocumentField } from "../schema/Schema.ts"

/** The field to which JanusGraph copies all others, so that a query can search them together. */
const ALL_FIELD = "all"

type Property = Readonly<Record<string, unknown>>

/** The engine's types of values that have one form. */
export const plainTypes: Readonly<Record<string, string>> = {
  Boolean: "boolean",
  Byte: "byte",
  Date: "date",
  Double: "double",
  Float: "float",
  Instant: "date",
  Integer: "integer",
  Long: "long",
  Short: "short",
  UUID: "keyword"
}

const words = ({ textAnalyzer }: DocumentField): Property =>
  textAnalyzer === undefined ? { type: "text" } : { type: "text", analyzer: textAnalyzer }

/** A whole text is a keyword, unless it has an analyzer of its own. */
const whole = ({ stringAnalyzer }: DocumentField): Property =>
  stringAnalyzer === undefined ? { type: "keyword" } : { type: "text", analyzer: stringAnalyzer }

const shapes = ({ mapping, tree }: DocumentField): Property => {
  if (mapping === "DEFAULT") return { type: "geo_point" }
  const quadtree = { tree: "quadtree", tree_levels: tree.levels, distance_error_pct: tree.error }
  return { type: "geo_shape", ...(mapping === "PREFIX_TREE" ? quadtree : {}) }
}

const propertiesOf = (field: DocumentField): ReadonlyArray<readonly [name: string, property: Property]> => {
  const type = field.key.dataType.name
  if (type === "Geoshape") return [[field.name, shapes(field)]]
  if (type !== "String") return [[field.name, { type: plainTypes[type] }]]
  const main = [field.name, field.hasWords ? words(field) : whole(field)] as const
  return field.wholeName === undefined ? [main] : [main, [field.wholeName, whole(field)]]
}

/** The mapping of fields in the engine, as JanusGraph makes it. `copiesAll`: see JanusGraph's option use-all-field. */
export const fieldMapping = (fields: ReadonlyArray<DocumentField>, copiesAll: boolean): Property => {
  const properties: Record<string, unknown> = {}
  for (const field of fields) {
    for (const [name, property] of propertiesOf(field)) {
      // JanusGraph copies the first field of a key only.
      const isCopied = copiesAll && name === field.name && !String(property.type).startsWith("geo_")
      properties[name] = isCopied ? { ...property, copy_to: ALL_FIELD } : property
    }
  }
  if (copiesAll) properties[ALL_FIELD] = { type: "text" }
  return { properties }
}
