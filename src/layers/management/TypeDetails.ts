import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import {
  type EdgeLabel,
  EXPIRES,
  type PropertyKey,
  type Schema,
  type VertexLabel
} from "../../storage/janusgraph/schema/Schema.ts"

/** The types that a script sees: those of a schema, with the changes of a management that is not committed yet. */
export type SchemaTypes = Pick<SchemaEditor, "keys" | "labels" | "vertexLabels" | "schema" | "edits">

/** The types of a committed schema. Most methods of a type read none of the lists, so each is made when it is read. */
export const committedTypes = (schema: Schema): SchemaTypes => ({
  get keys() {
    return [...schema.keys.values()].filter(({ name }) => name !== EXPIRES)
  },
  get labels() {
    return [...schema.labels.values()]
  },
  get vertexLabels() {
    return [...schema.vertexLabels.values()]
  },
  schema,
  edits: []
})

/** The TTL of a type in seconds; 0 when it has none. */
export const secondsToLive = ({ edits, schema }: SchemaTypes, id: number): number => {
  const changes = edits.filter((edit) => edit.kind === "timeToLive")
  return changes.findLast(({ type }) => type === id)?.seconds ?? schema.timeToLive(id)
}

/** The property keys that elements with a label may have by the constraints of the schema. */
export const keysOfLabel = (types: SchemaTypes, label: number): ReadonlyArray<PropertyKey> => {
  const { edits, schema } = types
  const ids = new Set(schema.modifiers.properties.get(label))
  for (const edit of edits)
    if (edit.kind === "properties" && edit.label === label) for (const id of edit.keys) ids.add(id)
  return ids.size === 0 ? [] : types.keys.filter(({ id }) => ids.has(id))
}

/** The labels of an edge that is allowed, and of its vertices. */
export interface LabelConnection {
  readonly edge: EdgeLabel
  readonly out: VertexLabel
  readonly into: VertexLabel
}

/** The connections of the schema that a test accepts. */
export const connectionsOf = (
  types: SchemaTypes,
  accepts: (connection: LabelConnection) => boolean
): ReadonlyArray<LabelConnection> => {
  const { edits, labels, schema, vertexLabels } = types
  const all = [
    ...schema.modifiers.connections.map(({ edge, into, out }) => ({
      edge: labels.find(({ name }) => name === edge),
      out,
      into
    })),
    ...edits.filter((edit) => edit.kind === "connection")
  ]
  return all.flatMap(({ edge, into, out }) => {
    const [from, to] = [out, into].map((id) => vertexLabels.find((label) => label.id === id))
    if (edge === undefined || from === undefined || to === undefined) return []
    const connection = { edge, out: from, into: to }
    return accepts(connection) ? [connection] : []
  })
}
