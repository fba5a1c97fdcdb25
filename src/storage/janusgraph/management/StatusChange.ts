import { FailedAfterCommit, UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import type { GraphCore } from "../GraphCore.ts"
import { isGone, nameOf, statusOf, wasDropped } from "./IndexStatus.ts"
import { untilDone } from "./PatientWork.ts"
import { applyStatus, changeSchema } from "./SchemaChange.ts"

/**
 * Changes the status of an index, or announces it again. Throws UnsupportedValue when it was dropped. Fails with FailedAfterCommit while
 * other instances have not acknowledged it.
 */
export const setStatus = async (core: GraphCore, id: number, status: SchemaStatus): Promise<void> => {
  const relation = core.ids.relation()
  await changeSchema(core, (batch, schema) => {
    const before = statusOf(schema, id)
    if (isGone(before) && before !== status) throw wasDropped()
    applyStatus(batch, id, status, relation)
  })
}

/**
 * Changes the status of an index in a job, which goes on while the store is slow. Somebody may set another status meanwhile, which takes
 * minutes at worst: the index keeps that one, and the answer is false. `fields`: in an index in a search engine, the statuses
 * of the fields that change.
 */
export const moveStatus = async (
  core: GraphCore,
  id: number,
  from: SchemaStatus,
  to: SchemaStatus,
  fields: ReadonlyArray<SchemaStatus> = [from]
): Promise<boolean> => {
  const relation = core.ids.relation()
  let mayBe: ReadonlyArray<SchemaStatus | undefined> = [from]
  let isMoved = false
  await untilDone(core, async () => {
    try {
      await changeSchema(core, (batch, schema) => {
        isMoved = mayBe.includes(statusOf(schema, id))
        if (isMoved) applyStatus(batch, id, to, relation, fields)
      })
    } catch (error) {
      // A commit without an answer may have been applied. After one that has, `from` is what somebody has set since.
      mayBe = error instanceof FailedAfterCommit && isMoved ? [to] : mayBe.includes(from) ? [from, to] : mayBe
      throw error
    }
  })
  return isMoved
}

/** The error of a build of an index that has got another status, or was dropped, since the build began. */
export const wasChanged = ({ schema }: GraphCore, id: number): UnsupportedValue => {
  const status = statusOf(schema, id)
  if (isGone(status)) return wasDropped()
  return new UnsupportedValue(
    `The index ${nameOf(schema, id)} has got the status ${status} since its build began, which ends the build. Build the index again.`
  )
}
