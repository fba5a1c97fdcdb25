import type { CsvColumn } from "../../protocol/csv/CsvHeader.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { Attribute } from "../../storage/janusgraph/format/Attribute.ts"
import { attributeByName, objectType } from "../../storage/janusgraph/format/Attributes.ts"
import type { CardinalityName } from "../../storage/janusgraph/format/EnumAttributes.ts"
import { makesTypes } from "../../storage/janusgraph/Options.ts"
import { inferredType } from "../../storage/janusgraph/schema/TypeInference.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { StreamedEdge, StreamedProperty, StreamedVertex } from "../../structure/graph/GraphStream.ts"

/** A key of the files. */
interface SurveyedKey {
  /** The data types that a graph would give the key, by the first value. */
  readonly types: Set<string>
  /** SET or LIST for several values in one vertex, as the values or the header say. */
  cardinality: CardinalityName
  /** False if a Double cannot hold a Long of the files exactly, or if nobody knows. */
  fitsDouble: boolean
}

/** A key whose values have several types: the type that takes all of them, and the cardinality that they need. */
interface MixedKey {
  readonly type: Attribute
  readonly cardinality: CardinalityName
}

const integers = ["Byte", "Short", "Integer", "Long"]
const numbers: ReadonlySet<string> = new Set([...integers, "Float", "Double"])

/** The narrowest type that takes the values of all types of a key without a loss; `Object` if no other one does. */
const commonType = ({ fitsDouble, types }: SurveyedKey): Attribute => {
  if ([...types].some((type) => !numbers.has(type))) return objectType
  const whole = integers.findLast((type) => types.has(type))
  if (!types.has("Double") && !types.has("Float")) return attributeByName(whole!)!
  if (whole === "Long" && !fitsDouble) return objectType
  const isNarrow = whole === undefined || whole === "Byte" || whole === "Short"
  return attributeByName(types.has("Double") || !isNarrow ? "Double" : "Float")!
}

/** What files say about keys before they are imported: the first value would decide for all others. */
export class KeySurvey {
  readonly #keys = new Map<string, SurveyedKey>()
  /** Keys with several values in some vertex of the files that were read. */
  readonly #lists = new Set<string>()
  /** The key under which the import stores the ids of the files, as texts. */
  readonly #idProperty: string | undefined

  constructor(idProperty: string | undefined) {
    this.#idProperty = idProperty
  }

  /** Reads the properties of a vertex. */
  vertex({ properties }: StreamedVertex): void {
    for (const [at, { key, meta, value }] of properties.entries()) {
      const found = this.#value(key, value)
      if (!this.#lists.has(key) && properties.findIndex((other) => other.key === key) < at) {
        this.#lists.add(key)
        if (found !== undefined) found.cardinality = "LIST"
      }
      for (const [name, each] of meta ?? []) this.#value(name, each)
    }
    this.#id(properties.some(({ key }) => key === this.#idProperty))
  }

  /** Reads the properties of an edge. */
  edge({ properties }: StreamedEdge): void {
    for (const [key, value] of properties) this.#value(key, value)
  }

  /** The import adds the id of a vertex that has no property of this key itself. */
  #id(isThere: boolean): void {
    if (this.#idProperty !== undefined && !isThere) this.#type(this.#idProperty, "String")
  }

  /** Reads the header of a CSV file, which holds vertices or edges. */
  columns(columns: ReadonlyArray<CsvColumn>, holds: ReadonlyArray<"vertices" | "edges">): void {
    if (holds.includes("vertices")) {
      this.#id(columns.some((column) => column.kind === "property" && column.key === this.#idProperty))
    }
    for (const column of columns) {
      if (column.kind === "id" && column.property !== undefined) this.#type(column.property, "String")
      if (column.kind !== "property") continue
      const { array, cardinality = array ? "set" : "single", key, type } = column
      const found = this.#type(key, type.name === "Int" ? "Integer" : type.name)
      if (cardinality === "list" || (cardinality === "set" && found.cardinality === "SINGLE")) {
        found.cardinality = cardinality === "list" ? "LIST" : "SET"
      }
      if (type.name === "Long") found.fitsDouble = false
    }
  }

  #value(key: string, value: unknown): SurveyedKey | undefined {
    if (value === null || value === undefined) return undefined
    const found = this.#type(key, inferredType(value).name)
    if (typeof value === "bigint" && BigInt(Number(value)) !== value) found.fitsDouble = false
    return found
  }

  #type(key: string, type: string): SurveyedKey {
    let found = this.#keys.get(key)
    if (found === undefined) {
      found = { types: new Set(), cardinality: "SINGLE", fitsDouble: true }
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

  /** The keys whose values have several types. */
  get mixed(): ReadonlyMap<string, MixedKey> {
    return new Map(
      [...this.#keys].flatMap(([name, key]) =>
        key.types.size > 1 ? [[name, { type: commonType(key), cardinality: key.cardinality }] as const] : []
      )
    )
  }
}

/**
 * Defines the keys that the schema does not have for the values of all their types, where the graph makes types by itself. A name that no
 * key can have is left to the import, which names its place in the file.
 */
export const defineMixed = async (
  { core, management }: CellGraph,
  keys: ReadonlyMap<string, MixedKey>
): Promise<void> => {
  const { onTypeMade, schemaMaker } = core.options
  if (keys.size === 0 || !makesTypes(schemaMaker)) return
  const editor = await management.edit()
  for (const [name, { cardinality: wanted, type }] of keys) {
    if (editor.key(name) !== undefined) continue
    // A key for values of any type cannot be a SET.
    const isList = (type === objectType && wanted === "SET") || (wanted === "SINGLE" && schemaMaker === "tp3")
    try {
      editor.makeKey(name, type, isList ? "LIST" : wanted)
      onTypeMade?.("property key", name)
    } catch (error) {
      if (!(error instanceof UnsupportedValue)) throw error
    }
  }
  if (editor.edits.length > 0) await management.commit(editor)
}
