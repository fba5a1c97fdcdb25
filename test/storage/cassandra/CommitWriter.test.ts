import { expect, it } from "vitest"
import { CommitWriter } from "../../../src/storage/cassandra/CommitWriter.ts"
import type { EntryGuard } from "../../../src/storage/cassandra/EntryGuard.ts"
import { requestFailure } from "../../../src/storage/cassandra/Failures.ts"
import type { PlannedRow, WritePlan } from "../../../src/storage/cassandra/WriteOrder.ts"
import { CommitOutcomeUnknown } from "../../../src/structure/errors/StoreErrors.ts"

type Parts = ConstructorParameters<typeof CommitWriter>[0]
type Batch = Parameters<CommitWriter["write"]>[0]

const failed = (error: object): Error => requestFailure("cql:a/g", "written", Object.assign(new Error("no"), error))
const refused = failed({ code: 0x2100 })
const late = failed({ name: "OperationTimedOutError" })

const rowOf = (key: number): PlannedRow =>
  ({
    row: { table: "graphindex", key: Buffer.alloc(9, key), changes: [], removed: false },
    what: "all"
  }) as unknown as PlannedRow

/** Two writes that run at the same time, as those of entries under locks do. The first error counts when both have ended. */
const guard = {
  write: async (rows: ReadonlyArray<PlannedRow>, write: (rows: ReadonlyArray<PlannedRow>) => Promise<void>) => {
    const ended = await Promise.allSettled(rows.map((row) => write([row])))
    for (const each of ended) if (each.status === "rejected") throw each.reason
  }
} as unknown as EntryGuard

/** What a commit fails with whose only writes, of two rows, fail with these errors. */
const failureOf = async (
  errors: ReadonlyArray<Error | undefined>,
  written: (rows: Iterable<string>, isKnown: boolean) => void = () => undefined
): Promise<unknown> => {
  const left = [...errors]
  const parts = {
    columns: {
      mutate: async () => {
        const error = left.shift()
        if (error !== undefined) throw error
      }
    },
    coordination: { clock: { now: () => 1000n } },
    recent: { write: () => undefined, finish: () => undefined },
    siblings: undefined,
    cache: { writing: () => undefined, written }
  } as unknown as Parts
  const plan: WritePlan = { phases: [[rowOf(1), rowOf(2)]], changed: new Map() }
  const batch = { advancesSchema: false, many: [] } as unknown as Batch
  return new CommitWriter(parts).write(batch, plan, "write", undefined, guard).catch((error: unknown) => error)
}

it("The outcome of a commit is unknown if one of the writes that run with a refused one may be applied", async () => {
  expect(await failureOf([refused, refused])).toBe(refused)
  for (const other of [late, undefined]) {
    expect(await failureOf([refused, other])).toBeInstanceOf(CommitOutcomeUnknown)
    expect(await failureOf([other, refused])).toBeInstanceOf(CommitOutcomeUnknown)
  }
})

it("The cache keeps away only the rows of a commit whose outcome is unknown", async () => {
  const known: Array<boolean> = []
  for (const errors of [
    [undefined, undefined],
    [refused, refused],
    [refused, undefined],
    [late, late]
  ]) {
    await failureOf(errors, (_, isKnown) => known.push(isKnown))
  }
  expect(known).toEqual([true, true, false, false])
})
