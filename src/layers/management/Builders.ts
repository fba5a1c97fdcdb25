import { TraversalError } from "../../process/language/Errors.ts"
import type { CardinalityName, Multiplicity } from "../../storage/janusgraph/format/EnumAttributes.ts"
import type { FieldOptions, NewIndex } from "../../storage/janusgraph/management/IndexDefinition.ts"
import { dataTypeOf, type SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { PropertyKey } from "../../storage/janusgraph/schema/Schema.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { fieldOptionsOf } from "./FieldParameters.ts"
import { indexObject, isAnyLabel, isKey, keyObject, labelObject, vertexLabelObject } from "./SchemaObjects.ts"
import { constantOf, ScriptObject, severalOf, stringOf, subjectOf } from "./ScriptObject.ts"

/**
 * Makers and builders of JanusGraph's management API. Each method returns the maker; the last one returns the type or
 * index.
 */

/** The property key of an argument. */
export const keyOf = (value: unknown, method: string): PropertyKey =>
  subjectOf(value, isKey, method, "a property key, as getPropertyKey() and make() return it").key

/** `mgmt.makePropertyKey(name)`. */
export const propertyKeyMaker = (graph: string, editor: SchemaEditor, name: string): ScriptObject => {
  let dataType: string | undefined
  let cardinality: CardinalityName | undefined
  const maker: ScriptObject = new ScriptObject("property key maker", graph, null, {
    dataType: ([type]) => {
      if (!(type instanceof ClassName)) throw new TraversalError("dataType() takes a class, such as String.class.")
      dataType = type.simpleName
      return maker
    },
    cardinality: ([value]) => {
      cardinality = constantOf(value, ["Cardinality"], "cardinality").toUpperCase() as CardinalityName
      return maker
    },
    signature: (keys) => {
      for (const key of severalOf(keys)) keyOf(key, "signature")
      return maker
    },
    cardinalityIsSet: () => cardinality !== undefined,
    make: () => {
      const type = dataType === undefined ? undefined : dataTypeOf(dataType)
      return editor.withIds(() => keyObject(graph, editor, editor.makeKey(name, type, cardinality)))
    }
  })
  return maker
}

/** `mgmt.makeEdgeLabel(name)`. */
export const edgeLabelMaker = (graph: string, editor: SchemaEditor, name: string): ScriptObject => {
  let multiplicity: Multiplicity = "MULTI"
  let unidirected = false
  let signature: ReadonlyArray<PropertyKey> = []
  const maker: ScriptObject = new ScriptObject("edge label maker", graph, null, {
    multiplicity: ([value]) => {
      const wanted = constantOf(value, ["Multiplicity"], "multiplicity")
      if (!multiplicities.has(wanted)) {
        throw new TraversalError(
          `Multiplicity has no constant ${wanted}; the constants are ${[...multiplicities].join(", ")}.`
        )
      }
      multiplicity = wanted as Multiplicity
      return maker
    },
    unidirected: () => {
      unidirected = true
      return maker
    },
    directed: () => {
      unidirected = false
      return maker
    },
    signature: (keys) => {
      signature = severalOf(keys).map((key) => keyOf(key, "signature"))
      return maker
    },
    make: () =>
      editor.withIds(() => labelObject(graph, editor, editor.makeLabel(name, multiplicity, unidirected, signature)))
  })
  return maker
}

/** The constants of JanusGraph's Multiplicity. */
const multiplicities: ReadonlySet<string> = new Set(["MULTI", "SIMPLE", "ONE2MANY", "MANY2ONE", "ONE2ONE"])

/** `mgmt.makeVertexLabel(name)`. */
export const vertexLabelMaker = (graph: string, editor: SchemaEditor, name: string): ScriptObject => {
  let isStatic = false
  let partitioned = false
  const maker: ScriptObject = new ScriptObject("vertex label maker", graph, null, {
    setStatic: () => {
      isStatic = true
      return maker
    },
    partition: () => {
      partitioned = true
      return maker
    },
    getName: () => name,
    make: () =>
      editor.withIds(() => vertexLabelObject(graph, editor, editor.makeVertexLabel(name, isStatic, partitioned)))
  })
  return maker
}

/** `mgmt.buildIndex(name, element)`. */
export const indexBuilder = (
  graph: string,
  editor: SchemaEditor,
  name: string,
  element: "vertex" | "edge"
): ScriptObject => {
  const keys: Array<PropertyKey> = []
  const options: Array<FieldOptions> = []
  const inlineKeys: Array<PropertyKey> = []
  let unique = false
  let onlyLabel: number | undefined
  const build = (kind: NewIndex["kind"], backing?: string): ScriptObject | Promise<ScriptObject> => {
    const made = { name, element, kind, unique, keys, inlineKeys, onlyLabel }
    const mappings = options.map(({ mapping }) => mapping)
    const parameters = options.map((each) => each.parameters)
    const mixed = kind === "mixed" ? { mappings, parameters, backing: backing ?? "search" } : {}
    return editor.withIds(() => indexObject(graph, editor, editor.makeIndex({ ...made, ...mixed })))
  }
  const builder: ScriptObject = new ScriptObject("index builder", graph, null, {
    addKey: ([key, ...parameters]) => {
      keys.push(keyOf(key, "addKey"))
      options.push(fieldOptionsOf(severalOf(parameters)))
      return builder
    },
    addInlinePropertyKey: ([key]) => {
      inlineKeys.push(keyOf(key, "addInlinePropertyKey"))
      return builder
    },
    indexOnly: ([label]) => {
      const { label: only, kind } = subjectOf(label, isAnyLabel, "indexOnly", "a vertex label or an edge label")
      if ((kind === "vertexLabel") !== (element === "vertex")) {
        throw new TraversalError(`The index ${name} is for ${element} elements: indexOnly() takes a label of these.`)
      }
      onlyLabel = only.id
      return builder
    },
    unique: () => {
      unique = true
      return builder
    },
    buildCompositeIndex: () => build("equality"),
    buildOrderedIndex: () => build("ordered"),
    buildMixedIndex: ([backing]) => build("mixed", stringOf(backing, "buildMixedIndex", "the name of an index backend"))
  })
  return builder
}
