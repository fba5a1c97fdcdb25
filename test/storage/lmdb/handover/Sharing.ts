import type { CellBatch } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { Environment } from "../../../../src/storage/lmdb/Environment.ts"
import { GroupCommit } from "../../../../src/storage/lmdb/GroupCommit.ts"
import { Handover } from "../../../../src/storage/lmdb/handover/Handover.ts"
import { noLockWait } from "../../../../src/storage/lmdb/LockWait.ts"
import { newFolder } from "../../../Folders.ts"
import { settled } from "../../Completion.ts"

/** The commits of one of two processes. */
export interface Side {
  readonly commits: GroupCommit
  readonly handover: Handover
}

const key = Buffer.from("row")
const column = (name: string): Buffer => Buffer.from(name)

/** Sets a cell, after a read of its row. */
export const put =
  (name: string, value: string) =>
  (batch: CellBatch): void => {
    batch.slice({ table: "graphindex", key: column(name) })
    batch.change("graphindex", column(name), [{ column: key, value: Buffer.from(value) }])
  }

/** Adds one to the number in a cell. */
export const increment =
  (name: string) =>
  (batch: CellBatch): void => {
    const cursor = new CellCursor().over(batch.slice({ table: "graphindex", key: column(name) }).cells)
    const number = cursor.next() ? Number(Buffer.from(cursor.value()).toString()) : 0
    batch.change("graphindex", column(name), [{ column: key, value: Buffer.from(String(number + 1)) }])
  }

/** The values of all cells that {@link put} has set. */
export const cellsOf = (environment: Environment): Readonly<Record<string, string>> => {
  const cells: Record<string, string> = {}
  for (const { key: name, value } of environment.table("graphindex").getRange({ start: Buffer.from([0]) })) {
    // The length of the key and the key; the cell ends with its value.
    const text = value.toString("latin1")
    cells[name.toString("latin1", 1)] = text.slice(text.indexOf("row") + "row".length)
  }
  return cells
}

/**
 * Two processes in one: each has commits of its own, and both write the files of one folder. They have seen commits of each other, so they
 * share transactions, on a disk of any speed.
 */
export const twoSides = async () => {
  const directory = newFolder()
  const open = (): Environment => new Environment({ directory, sync: "none", readOnly: false })
  const environments: Array<Environment> = []
  const side = (): Side => {
    const environment = open()
    environment.second()
    environments.push(environment)
    const handover = new Handover(environment, { directory, server: "shared", slowSync: 0 })
    const options = { directory, flush: undefined, isShared: true, handover, lockWait: noLockWait }
    return { handover, commits: new GroupCommit(environment, { ...options, onFailure: () => undefined }) }
  }
  const [left, right] = [side(), side()]
  for (let i = 0; i < 2; i++)
    for (const { commits } of [left, right]) await settled(commits.commit(put("warm", String(i))))
  const environment = open()
  environments.push(environment)
  /** Holds the write mutex until the function that it returns is called. */
  const hold = async (): Promise<() => Promise<void>> => {
    let release = (): void => undefined
    const isFree = new Promise<void>((resolve) => {
      release = resolve
    })
    let done: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve) => {
      done = environment.root.childTransaction(() => {
        resolve()
        return isFree
      })
    })
    return async () => {
      release()
      await done
    }
  }
  const close = async (): Promise<void> => {
    for (const { commits, handover } of [left, right]) {
      await commits.end()
      handover.close()
    }
    for (const each of environments) await each.close()
  }
  return { directory, environment, left, right, hold, close }
}
