import { describe, expect, it } from "vitest"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import type { Task } from "../../../src/scheduling/Task.ts"
import { CommitLine } from "../../../src/storage/memory/CommitLine.ts"
import { FakeCluster } from "../cassandra/FakeCluster.ts"
import { lmdbStore } from "../lmdb/Stores.ts"

/** The uncaught errors of the process while `run` runs. */
const uncaughtDuring = async (run: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  const events = ["uncaughtException", "unhandledRejection"] as const
  const before = events.map((event) => process.rawListeners(event))
  const found: Array<string> = []
  for (const event of events) {
    process.removeAllListeners(event)
    process.on(event, (error: unknown) => void found.push(`${event}: ${(error as Error).message}`))
  }
  try {
    await run()
    for (let turn = 0; turn < 3; turn++) await new Promise((resume) => setImmediate(resume))
  } finally {
    events.forEach((event, at) => {
      process.removeAllListeners(event)
      for (const listener of before[at]!) process.on(event, listener as () => void)
    })
  }
  return found
}

const put = (key: string) => (batch: { change: (table: "edgestore", key: Buffer, cells: []) => void }) =>
  batch.change("edgestore", Buffer.from(key), [])

/**
 * Makes three commits at once, of which the callback of the first throws. The outcomes of the others and the calls of
 * that callback.
 */
const answered = async (add: (name: string) => Pending | undefined): Promise<ReadonlyArray<unknown>> => {
  const calls: Array<Error | undefined> = []
  const first = add("first")!
  first.onDone((error) => {
    calls.push(error)
    throw new Error("the callback has a defect")
  })
  const others = ["second", "third"].map(add)
  const answers = others.map((pending) => new Promise((resume) => pending?.onDone(resume)))
  return [...(await Promise.all(answers)), calls]
}

function* oneYield(): Task {
  yield
}

const stores = {
  "the files of lmdb": async () => {
    const store = await lmdbStore()
    // Commits that arrive while another one is being written are one group.
    store.commit(put("before"))
    return { add: (name: string) => store.commit(put(name)), close: () => store.close() }
  },
  "a cluster": async () => {
    const store = await new FakeCluster().store()
    return { add: (name: string) => store.commit(put(name)), close: () => store.close() }
  },
  memory: async () => {
    const line = new CommitLine(() => undefined)
    const commit = (isLong: boolean) => ({ isLong, run: () => undefined, task: oneYield })
    // Commits that arrive during a long one wait for it.
    line.add(commit(true))
    return { add: () => line.add(commit(false)), close: async () => undefined }
  }
}

describe("A commit whose callback throws", () => {
  it.each(Object.entries(stores))(
    "calls it once and keeps no other commit without its outcome: %s",
    async (_, open) => {
      const { add, close } = await open()
      const found = await uncaughtDuring(async () => {
        expect(await answered(add)).toEqual([undefined, undefined, [undefined]])
        await close()
      })
      expect(found).toEqual(["uncaughtException: the callback has a defect"])
    }
  )
})
