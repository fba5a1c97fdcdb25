import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { type NewIndex, nameOfRelationIndex } from "../../storage/janusgraph/management/IndexDefinition.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type {
  EdgeLabel,
  GraphIndex,
  PropertyKey,
  RelationIndex,
  VertexLabel
} from "../../storage/janusgraph/schema/Schema.ts"
import { HostConstant } from "../../structure/collections/HostConstant.ts"
import { arrayClassName, ClassName } from "../../structure/scalars/ClassNames.ts"
import { Direction, Order } from "../../structure/scalars/Enums.ts"
import { ReadingObject } from "./AccessObjects.ts"
import { parameterObject } from "./FieldParameters.ts"
import { refuseSurplus, type ScriptObject, subjectOf } from "./ScriptObject.ts"
import {
  committedTypes,
  connectionsOf,
  keysOfLabel,
  type LabelConnection,
  type SchemaTypes,
  secondsToLive
} from "./TypeDetails.ts"

/** Types and indexes as objects of scripts. Their methods only read: what gives them to a script checks its own access. */

/** The type or index of a script object. */
export type SchemaSubject =
  | { readonly kind: "key"; readonly key: PropertyKey }
  | { readonly kind: "label"; readonly label: EdgeLabel }
  | { readonly kind: "vertexLabel"; readonly label: VertexLabel }
  | { readonly kind: "index"; readonly index: GraphIndex | NewIndex }
  | { readonly kind: "relationIndex"; readonly index: RelationIndex }

const isSubject = (subject: unknown): subject is SchemaSubject =>
  typeof subject === "object" && subject !== null && "kind" in subject

type Of<K extends SchemaSubject["kind"]> = Extract<SchemaSubject, { kind: K }>

const is =
  <K extends SchemaSubject["kind"]>(...kinds: ReadonlyArray<K>) =>
  (subject: unknown): subject is Of<K> =>
    isSubject(subject) && (kinds as ReadonlyArray<string>).includes(subject.kind)

/** True for a property key. */
export const isKey = is("key")
/** True for an edge label. */
export const isLabel = is("label")
/** True for a vertex label. */
export const isVertexLabel = is("vertexLabel")
/** True for an edge label or a vertex label. */
export const isAnyLabel = is("label", "vertexLabel")
/** True for a property key, an edge label or a vertex label. */
export const isType = is("key", "label", "vertexLabel")
/** True for a graph index or a vertex-centric index. */
export const isIndex = is("index", "relationIndex")
/** True for any type or index. */
export const isElement = is("key", "label", "vertexLabel", "index", "relationIndex")
/** True for a property key or an edge label. */
export const isRelationType = is("key", "label")

const javaPackages: Readonly<Record<string, string>> = {
  Date: "java.util.",
  UUID: "java.util.",
  Geoshape: "org.janusgraph.core.attribute.",
  Instant: "java.time.",
  Duration: "java.time.",
  OffsetDateTime: "java.time.",
  BigInteger: "java.math.",
  BigDecimal: "java.math."
}

/** The full name of a data type's Java class: `java.lang.Integer`, `[I` for `int[]`. */
export const javaName = (simple: string): string => {
  if (simple.endsWith("[]")) return arrayClassName(memberName(simple.slice(0, -2)))
  return `${javaPackages[simple] ?? "java.lang."}${simple}`
}

/** The members of arrays are primitives, which have no package, or texts. */
const memberName = (simple: string): string => (simple === "String" ? "java.lang.String" : simple)

/** A property key. */
export const keyObject = (graph: string, types: SchemaTypes, key: PropertyKey): ScriptObject =>
  new ReadingObject(
    "property key",
    graph,
    { kind: "key", key } satisfies SchemaSubject,
    {
      name: () => key.name,
      id: () => BigInt(key.id),
      longId: () => BigInt(key.id),
      dataType: () => new ClassName(javaName(key.dataType.name)),
      cardinality: () => new HostConstant("Cardinality", key.cardinality),
      getTTL: () => secondsToLive(types, key.id),
      isPropertyKey: () => true,
      isEdgeLabel: () => false,
      toString: () => key.name
    },
    key.name
  )

/** An edge label. */
export const labelObject = (graph: string, types: SchemaTypes, label: EdgeLabel): ScriptObject =>
  new ReadingObject(
    "edge label",
    graph,
    { kind: "label", label } satisfies SchemaSubject,
    {
      name: () => label.name,
      id: () => BigInt(label.id),
      longId: () => BigInt(label.id),
      multiplicity: () => new HostConstant("Multiplicity", label.multiplicity),
      isDirected: () => !label.unidirected,
      isUnidirected: () => label.unidirected,
      mappedProperties: () => keysOfLabel(types, label.id).map((key) => keyObject(graph, types, key)),
      mappedConnections: () =>
        connectionsOf(types, ({ edge }) => edge.id === label.id).map((each) => connectionObject(graph, types, each)),
      getTTL: () => secondsToLive(types, label.id),
      isPropertyKey: () => false,
      isEdgeLabel: () => true,
      toString: () => label.name
    },
    label.name
  )

/** A vertex label. */
export const vertexLabelObject = (graph: string, types: SchemaTypes, label: VertexLabel): ScriptObject =>
  new ReadingObject(
    "vertex label",
    graph,
    { kind: "vertexLabel", label } satisfies SchemaSubject,
    {
      name: () => label.name,
      id: () => BigInt(label.id),
      longId: () => BigInt(label.id),
      isPartitioned: () => label.partitioned,
      isStatic: () => label.static,
      mappedProperties: () => keysOfLabel(types, label.id).map((key) => keyObject(graph, types, key)),
      mappedConnections: () =>
        connectionsOf(types, ({ out }) => out.id === label.id).map((each) => connectionObject(graph, types, each)),
      getTTL: () => secondsToLive(types, label.id),
      toString: () => label.name
    },
    label.name
  )

/** A connection: vertex labels between which edges with a label are allowed. */
const connectionObject = (graph: string, types: SchemaTypes, { edge, into, out }: LabelConnection): ScriptObject =>
  new ReadingObject("connection", graph, null, {
    getEdgeLabel: () => edge.name,
    getOutgoingVertexLabel: () => vertexLabelObject(graph, types, out),
    getIncomingVertexLabel: () => vertexLabelObject(graph, types, into)
  })

const keysOf = (index: GraphIndex | NewIndex): ReadonlyArray<PropertyKey> =>
  "fields" in index ? index.fields : index.keys

/** The status of an index; that of a mixed index in another system is the least advanced status of its keys. */
export const indexStatus = (index: GraphIndex | NewIndex): string =>
  "status" in index ? (index.engineStatus ?? index.status) : "INSTALLED"

/** The constant of a status, which `SchemaStatus.ENABLED` of a script is equal to. */
export const schemaStatus = (status: string): HostConstant => new HostConstant("SchemaStatus", status)

/** The status of a key of an index, or without a key that of the index. Fails with TraversalError, as JanusGraph, for another key. */
const askedStatus = (index: GraphIndex | NewIndex, args: ReadonlyArray<unknown>): HostConstant => {
  refuseSurplus("getIndexStatus", args, 1)
  if (args.length === 0) return schemaStatus(indexStatus(index))
  const { key } = subjectOf(args[0], isKey, "getIndexStatus", "a property key, as getPropertyKey() returns it")
  positionOf(index, key)
  return fieldStatus(index, key)
}

/** The status of a key of an index: in a search engine each has its own, and documents have all fields but the disabled ones. */
const fieldStatus = (index: GraphIndex | NewIndex, key: PropertyKey): HostConstant => {
  if (!("engineStatus" in index) || index.documents === undefined) return schemaStatus(indexStatus(index))
  return schemaStatus(fieldOf(index, key)?.status ?? "DISABLED")
}

/** The position of a key in an index. Fails with TraversalError if the index lacks the key. */
const positionOf = (index: GraphIndex | NewIndex, key: PropertyKey): number => {
  const keys = keysOf(index)
  const at = keys.findIndex(({ id }) => id === key.id)
  if (at >= 0) return at
  const names = keys.map(({ name }) => name)
  throw new TraversalError(
    `Provided key is not part of this index: ${key.name}. The keys of the index ${index.name} are: ${names.join(", ")}.`
  )
}

/** The field that a mixed index in a search engine has for a key. */
const fieldOf = (index: GraphIndex, key: PropertyKey) => index.documents?.fields.find((each) => each.key.id === key.id)

/** The kind of an index, as JanusGraph names it. */
export const indexKind = (index: GraphIndex | NewIndex): GraphIndex["kind"] =>
  "engineStatus" in index && index.engineStatus !== undefined ? "mixed" : index.kind

/** The key or label with an id; null when there is none. */
const typeObject = (graph: string, editor: SchemaEditor, id: number | undefined): ScriptObject | null => {
  const has = (type: { readonly id: number }): boolean => type.id === id
  const [key, label, vertexLabel] = [editor.keys.find(has), editor.labels.find(has), editor.vertexLabels.find(has)]
  if (key !== undefined) return keyObject(graph, editor, key)
  if (label !== undefined) return labelObject(graph, editor, label)
  return vertexLabel === undefined ? null : vertexLabelObject(graph, editor, vertexLabel)
}

/** The label to which an index is restricted; null when there is none. */
export const onlyLabelObject = (
  graph: string,
  editor: SchemaEditor,
  { onlyLabel }: GraphIndex | NewIndex
): ScriptObject | null => typeObject(graph, editor, onlyLabel)

/** The parameters of a key of an index. Only mixed indexes have some. Fails with TraversalError if the index lacks the key. */
const parametersOf = (index: GraphIndex | NewIndex, key: PropertyKey): ReadonlyArray<ScriptObject> => {
  const at = positionOf(index, key)
  if (indexKind(index) !== "mixed") return []
  const mapping = mappingOf(index, at)
  const own = mapping === "DEFAULT" ? [] : [parameterObject("mapping", new HostConstant("Mapping", mapping))]
  if (!("fields" in index)) {
    return [...own, ...(index.parameters?.[at] ?? []).map((each) => parameterObject(each.key, each.value))]
  }
  const field = fieldOf(index, key)
  if (field !== undefined) own.push(parameterObject("mapped-name", field.name))
  return [...own, parameterObject("status", fieldStatus(index, key))]
}

/** JanusGraph's Mapping of a key of a mixed index. */
const mappingOf = (index: GraphIndex | NewIndex, at: number): string => {
  if (!("fields" in index)) return index.mappings?.[at] ?? "DEFAULT"
  const key = index.fields[at]!
  const field = fieldOf(index, key)
  if (field !== undefined) return field.mapping
  if (key.dataType.name !== "String") return "DEFAULT"
  const [form, another] = index.forms[at] ?? []
  return another !== undefined ? "TEXTSTRING" : form === "ordered" ? "STRING" : "DEFAULT"
}

/** The classes of the elements of graph indexes. */
const indexedClasses = { vertex: "Vertex", edge: "Edge", property: "JanusGraphVertexProperty" } as const

/** A graph index. */
export const indexObject = (graph: string, editor: SchemaEditor, index: GraphIndex | NewIndex): ScriptObject =>
  new ReadingObject(
    "graph index",
    graph,
    { kind: "index", index } satisfies SchemaSubject,
    {
      name: () => index.name,
      isUnique: () => index.unique,
      isCompositeIndex: () => indexKind(index) === "equality",
      isMixedIndex: () => indexKind(index) === "mixed",
      getBackingIndex: () => (indexKind(index) === "equality" ? "internalindex" : (index.backing ?? "search")),
      getIndexedElement: () => new ClassName(indexedClasses[index.element]),
      getFieldKeys: () => keysOf(index).map((key) => keyObject(graph, editor, key)),
      getInlineFieldKeys: () => (index.inlineKeys ?? []).map(({ name }) => name),
      getParametersFor: ([key]) => parametersOf(index, subjectOf(key, isKey, "getParametersFor", "a property key").key),
      getIndexStatus: (args) => askedStatus(index, args),
      getSchemaTypeConstraint: () => onlyLabelObject(graph, editor, index),
      toString: () => index.name
    },
    index.name
  )

/** A vertex-centric index. */
export const relationIndexObject = (graph: string, editor: SchemaEditor, index: RelationIndex): ScriptObject =>
  new ReadingObject(
    "vertex-centric index",
    graph,
    { kind: "relationIndex", index } satisfies SchemaSubject,
    {
      name: () => nameOfRelationIndex(index),
      getDirection: () => Direction[index.direction],
      getSortKey: () => index.type.sortKey.map(({ id }) => typeObject(graph, editor, id)),
      getSortOrder: () => (index.type.descending ? Order.desc : Order.asc),
      getIndexStatus: () => schemaStatus(index.status),
      getType: () => typeObject(graph, editor, index.base),
      toString: () => nameOfRelationIndex(index)
    },
    nameOfRelationIndex(index)
  )

/** The label of vertices without one, as JanusGraph names it. It is in no schema. */
const DEFAULT_LABEL: VertexLabel = { id: 0, name: "vertex", partitioned: false, static: false }

/** The type of an element by its kind and name; null when the schema has none. Resolves when the schema is known. */
export const typeOfElement = async (graph: CellGraph, kind: unknown, name: string): Promise<ScriptObject | null> => {
  const schema = await graph.management.schema()
  const types = committedTypes(schema)
  if (kind === "vertexLabel") {
    const label = schema.vertexLabels.get(name) ?? (name === DEFAULT_LABEL.name ? DEFAULT_LABEL : undefined)
    return label === undefined ? null : vertexLabelObject(graph.name, types, label)
  }
  const key = kind === "key" ? schema.keys.get(name) : undefined
  if (key !== undefined) return keyObject(graph.name, types, key)
  const label = schema.labels.get(name)
  return label === undefined ? null : labelObject(graph.name, types, label)
}
