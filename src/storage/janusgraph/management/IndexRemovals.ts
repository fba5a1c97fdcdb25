import { RowChanges } from "../commit/RowChanges.ts"
import type { SchemaStatus } from "../format/EnumAttributes.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { readWhole } from "../schema/SchemaRead.ts"
import { removeIndexEntries } from "./IndexRemoval.ts"
import { statusOf } from "./IndexStatus.ts"
import { untilDone } from "./PatientWork.ts"
import { applyStatus, changeSchema } from "./SchemaChange.ts"
import { removeSchemaVertex } from "./SchemaEdits.ts"
import { takeWork } from "./SharedWork.ts"

/** Removes indexes of a graph over cells with their entries, in many commits, between which other commits run. */
export class IndexRemovals {
  readonly #core: GraphCore
  /** The removals in progress, by the id of the index. */
  readonly #removing = new Map<number, Promise<void>>()

  constructor(core: GraphCore) {
    this.#core = core
  }

  /** Removes an index and its entries. `only`: the status without which the index stays. */
  remove(id: number, only?: SchemaStatus): Promise<void> {
    const known = this.#removing.get(id)
    if (known !== undefined) return known
    const done = this.#removeNow(id, only).finally(() => this.#removing.delete(id))
    this.#removing.set(id, done)
    return done
  }

  /**
   * Disables the index, then removes its entries, then its definition. An interrupted removal is completed by the next removal.
   * The next start of the server completes it, too, if no other program can write such a store: never over Cassandra.
   */
  async #removeNow(id: number, only: SchemaStatus | undefined): Promise<void> {
    if (!(await this.#mark(id, only))) return
    const taken = await takeWork(this.#core, `removal-${id}`)
    if (taken === undefined) return
    try {
      await this.#removeDiscarded(id)
    } finally {
      taken.release()
    }
  }

  /**
   * Marks an index as discarded, and returns true; false if it stays. A discarded index is marked again: other instances may not have
   * acknowledged that it is discarded. It fails with FailedAfterCommit until they have.
   */
  async #mark(id: number, only?: SchemaStatus): Promise<boolean> {
    const relation = this.#core.ids.relation()
    let isMarked = false
    await untilDone(this.#core, (attempt) =>
      changeSchema(this.#core, (batch, schema) => {
        const status = statusOf(schema, id)
        // An earlier attempt may have marked it, but other instances may not know.
        const isOwn = attempt > 0 && status === "DISCARDED"
        isMarked = status !== undefined && (only === undefined || status === only || isOwn)
        if (isMarked) applyStatus(batch, id, "DISCARDED", relation)
      })
    )
    return isMarked
  }

  /** Removes the entries of an index, whose definition stays. Fails with FailedAfterCommit while other instances may use them. */
  async discard(id: number): Promise<void> {
    if (await this.#mark(id)) await removeIndexEntries(this.#core, id)
  }

  async #removeDiscarded(id: number): Promise<void> {
    // Another process may have removed it.
    if (statusOf(this.#core.schema, id) === undefined) return
    await removeIndexEntries(this.#core, id)
    await untilDone(this.#core, (attempt) =>
      changeSchema(this.#core, (batch, schema) => {
        const status = statusOf(schema, id)
        // A commit without an answer may have removed a part of the definition, and it has told no other instance.
        if (status !== "DISCARDED" && !(attempt > 0 && status === undefined)) return
        const changes = new RowChanges()
        const read = readWhole((query) => batch.slice(query))
        removeSchemaVertex(changes, id, read)
        changes.removeRow("edgestore", rowKey(id, 0))
        changes.apply(batch)
        batch.advanceSchema()
      })
    )
  }
}
