import { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { RowChanges } from "../../../../src/storage/janusgraph/commit/RowChanges.ts"
import { connect, putSchemaVertex } from "../../../../src/storage/janusgraph/commit/SchemaCommit.ts"
import { type DefinitionCategory, javaEnum } from "../../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { JavaEnum, Parameter } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"

/** A key of an index: its type, and parameters of its field. */
export interface IndexedKey {
  readonly type: string
  readonly mapping?: string
  readonly cardinality?: "SINGLE" | "LIST" | "SET"
  readonly analyzer?: string
  /** Default: the name of the key. */
  readonly field?: string
}

/**
 * Defines a mixed index of JanusGraph with the backend `search` on new keys, with the schema that JanusGraph writes. `only`: the
 * id of the label of its elements.
 */
export const makeJanusGraphIndex = async (
  graph: CellGraph,
  name: string,
  element: "VERTEX" | "EDGE" | "PROPERTY",
  keys: Readonly<Record<string, IndexedKey>>,
  only?: number
): Promise<void> => {
  const editor = await graph.management.edit()
  const made = Object.entries(keys).map(([key, { cardinality = "SINGLE", type }]) =>
    editor.makeKey(key, dataTypeOf(type), cardinality)
  )
  await graph.management.commit(editor)
  const { core } = graph
  await core.ids.ensure("relation", 100)
  await core.ids.ensure("schema", 10)
  const id = core.ids.schema("other")
  const definitions = new Map<DefinitionCategory, unknown>([
    ["ELEMENT_CATEGORY", javaEnum("ElementCategory", element)],
    ["INDEX_CARDINALITY", javaEnum("Cardinality", "LIST")],
    ["INTERNAL_INDEX", false],
    ["BACKING_INDEX", "search"],
    ["INDEXSTORE_NAME", name]
  ])
  await Pending.toPromise(
    core.cells.commit((batch) => {
      const changes = new RowChanges()
      putSchemaVertex(changes, { id, category: "GRAPHINDEX", name, definitions }, () => core.ids.relation())
      for (const key of made) {
        const { analyzer, field = key.name, mapping } = keys[key.name]!
        const modifier = [
          new Parameter("mapped-name", field),
          new Parameter("status", new JavaEnum("SchemaStatus", "ENABLED")),
          ...(mapping === undefined ? [] : [new Parameter("mapping", new JavaEnum("Mapping", mapping))]),
          ...(analyzer === undefined ? [] : [new Parameter("text-analyzer", analyzer)])
        ]
        connect(changes, { from: id, to: key.id, category: "INDEX_FIELD", modifier }, core.ids.relation())
      }
      if (only !== undefined) {
        connect(changes, { from: id, to: only, category: "INDEX_SCHEMA_CONSTRAINT" }, core.ids.relation())
      }
      changes.apply(batch)
      batch.advanceSchema()
    })
  )
  await graph.management.schema()
}
