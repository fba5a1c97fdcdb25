import { reasonOf } from "../../../structure/errors/Reason.ts"
import { FailedAfterCommit } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch } from "../cells/CellStore.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { Id } from "../format/Ids.ts"
import type { GraphCore } from "../GraphCore.ts"
import type { Schema } from "../schema/Schema.ts"
import { fetchSchema } from "../schema/SchemaFetch.ts"
import { readSchema, readWhole } from "../schema/SchemaRead.ts"
import { commitLater } from "./IndexBuild.ts"
import { changeStatus } from "./IndexDefinition.ts"
import { indexOf, statusOf } from "./IndexStatus.ts"
import { putEdit, relationsOf, type SchemaEdit } from "./SchemaEdits.ts"

/** Reads the newest schema for all later transactions of the graph. */
export const refreshSchema = async (core: GraphCore): Promise<void> => {
  const snapshot = core.cells.snapshot()
  try {
    if (snapshot.schemaVersion === core.schema.version) return
    core.setSchema(core.cells.answersLater ? await fetchSchema(snapshot) : core.schemaOf(snapshot))
  } finally {
    snapshot.close()
  }
}

/**
 * Changes the schema in one commit, then reads it again. `work` gets the schema that the commit sees. Fails with
 * FailedAfterCommit when a step after the commit fails: the change itself is stored then.
 */
export const changeSchema = async (
  core: GraphCore,
  work: (batch: CellBatch, schema: Schema) => void
): Promise<void> => {
  let failure: unknown
  try {
    await commitLater(core, (batch) => {
      core.assertWritable()
      const read = readWhole((query) => batch.slice(query))
      work(batch, readSchema(batch.schemaVersion, read))
      core.cache.changesSchema(batch.version)
    })
  } catch (error) {
    if (!(error instanceof FailedAfterCommit)) throw error
    failure = error
  }
  try {
    await refreshSchema(core)
  } catch (cause) {
    const reason = reasonOf(cause)
    failure ??= new FailedAfterCommit(`the changed schema could not be read. ${reason}`, { cause })
  }
  if (failure !== undefined) throw failure
}

/** Applies edits in one commit. Fails with UnsupportedValue when the newest schema does not allow one of them. */
export const commitEdits = async (core: GraphCore, edits: ReadonlyArray<SchemaEdit>): Promise<void> => {
  const { ids } = core
  const count = edits.reduce((sum, edit) => sum + relationsOf(edit), 0)
  await ids.ensure("relation", count)
  const relations: ReadonlyArray<Id> = Array.from({ length: count }, () => ids.relation())
  await changeSchema(core, (batch, schema) => {
    const changes = new RowChanges()
    let next = 0
    const nextRelation = (): Id => relations[next++]!
    const context = {
      batch,
      changes,
      schema,
      made: madeBy(edits),
      added: new Map(),
      names: namesOf(edits),
      nextRelation
    }
    for (const edit of edits) putEdit(edit, context)
    // An index that gets an existing key is not queried until it holds the values of that key.
    for (const id of grownBy(edits, context.made)) {
      // A search engine keeps the status of each key.
      const isInEngine = indexOf(schema, id)?.engineStatus !== undefined
      if (!isInEngine && statusOf(schema, id) === "ENABLED")
        changeStatus(batch, changes, id, { status: "REGISTERED" }, nextRelation())
    }
    changes.apply(batch)
    batch.advanceSchema()
  })
}

/** Writes the status of an index in a change of the schema. See {@link changeStatus}. */
export const applyStatus = (
  batch: CellBatch,
  id: number,
  status: SchemaStatus,
  relation: Id,
  from?: ReadonlyArray<SchemaStatus>
): void => {
  const changes = new RowChanges()
  changeStatus(batch, changes, id, { status, from }, relation)
  changes.apply(batch)
}

/** Ids of the types that the edits create. */
const madeBy = (edits: ReadonlyArray<SchemaEdit>): ReadonlySet<number> => {
  const made = new Set<number>()
  for (const edit of edits) {
    if (edit.kind === "key") made.add(edit.key.id)
    else if (edit.kind === "label" || edit.kind === "vertexLabel") made.add(edit.label.id)
  }
  return made
}

/** The names that the edits give to existing types, by the ids of the types. */
const namesOf = (edits: ReadonlyArray<SchemaEdit>): ReadonlyMap<number, string> =>
  new Map(edits.flatMap((edit) => (edit.kind === "name" ? [[edit.id, edit.name]] : [])))

/** Ids of the indexes to which the edits add a key that existing elements may have. */
const grownBy = (edits: ReadonlyArray<SchemaEdit>, made: ReadonlySet<number>): ReadonlySet<number> => {
  const grown = new Set<number>()
  for (const edit of edits) if (edit.kind === "indexKey" && !made.has(edit.key.id)) grown.add(edit.index.id)
  return grown
}
