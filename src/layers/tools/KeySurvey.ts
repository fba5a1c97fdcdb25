import type { CsvColumn } from "../../protocol/csv/CsvHeader.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { objectType } from "../../storage/janusgraph/format/Attributes.ts"
import type { CardinalityName } from "../../storage/janusgraph/format/EnumAttributes.ts"
import { makesTypes } from "../../storage/janusgraph/Options.ts"
import { inferredType } from "../../storage/janusgraph/schema/TypeInference.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { StreamedEdge, StreamedProperty, StreamedVertex } from "../../structure/graph/GraphStream.ts"

/** A key of the files. */
interface SurveyedKey {
  /** The data types that a graph would give the key, by the first value. */
  readonly types: Set<string>
  /** True for several values in one vertex, as the values or the header say. */
  isList: boolean
}

/** What files say about keys before they are imported: the first value would decide for all others. */
export class KeySurvey {
  readonly #keys = new Map<string, SurveyedKey>()
  /** Keys with several values in some vertex of the files that were read. */
  readonly #lists = new Set<string>()

  /** Reads the properties of a vertex. */
  vertex({ properties }: StreamedVertex): void {
    for (const [at, { key, meta, value }] of properties.entries()) {
      const found = this.#value(key, value)
      if (!this.#lists.has(key) && properties.findIndex((other) => other.key === key) < at) {
        this.#lists.add(key)
        if (found !== undefined) found.isList = true
      }
      for (const [name, each] of meta ?? []) this.#value(name, each)
    }
  }

  /** Reads the properties of an edge. */
  edge({ properties }: StreamedEdge): void {
    for (const [key, value] of properties) this.#value(key, value)
  }

  /** Reads the header of a CSV file. */
  columns(columns: ReadonlyArray<CsvColumn>): void {
    for (const column of columns) {
      if (column.kind === "id" && column.property !== undefined) this.#type(column.property, "String")
      if (column.kind !== "property") continue
      const { array, cardinality = array ? "set" : "single", key, type } = column
      const found = this.#type(key, type.name === "Int" ? "Integer" : type.name)
      if (cardinality !== "single") found.isList = true
    }
  }

  #value(key: string, value: unknown): SurveyedKey | undefined {
    return value === null || value === undefined ? undefined : this.#type(key, inferredType(value).name)
  }

  #type(key: string, type: string): SurveyedKey {
    let found = this.#keys.get(key)
    if (found === undefined) {
      found = { types: new Set(), isList: false }
      this.#keys.set(key, found)
    }
    found.types.add(type)
    return found
  }

  /** The properties of a vertex, with the cardinality that the vertices which were read ask for. */
  withLists(properties: ReadonlyArray<StreamedProperty>): ReadonlyArray<StreamedProperty> {
    if (this.#lists.size === 0) return properties
    return properties.map((property) =>
      this.#lists.has(property.key) ? { ...property, cardinality: "list" } : property
    )
  }

  /** The keys whose values have several types, with those that need the cardinality LIST. */
  get mixed(): ReadonlyMap<string, { readonly isList: boolean }> {
    return new Map([...this.#keys].filter(([, { types }]) => types.size > 1))
  }
}

/**
 * Defines the keys that the schema does not have for values of any type, where the graph makes types by itself. A name that no key can
 * have is left to the import, which names its place in the file.
 */
export const defineMixed = async (
  { core, management }: CellGraph,
  keys: ReadonlyMap<string, { readonly isList: boolean }>
): Promise<void> => {
  const { onTypeMade, schemaMaker } = core.options
  if (keys.size === 0 || !makesTypes(schemaMaker)) return
  const editor = await management.edit()
  for (const [name, { isList }] of keys) {
    if (editor.key(name) !== undefined) continue
    // A key for values of any type cannot be a SET.
    const cardinality: CardinalityName = isList || schemaMaker === "tp3" ? "LIST" : "SINGLE"
    try {
      editor.makeKey(name, objectType, cardinality)
      onTypeMade?.("property key", name)
    } catch (error) {
      if (!(error instanceof UnsupportedValue)) throw error
    }
  }
  if (editor.edits.length > 0) await management.commit(editor)
}
