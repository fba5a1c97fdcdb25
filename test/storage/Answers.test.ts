import { expect, it } from "vitest"
import type { Pending } from "../../src/scheduling/Pending.ts"
import { CommitLine } from "../../src/storage/memory/CommitLine.ts"
import { FakeCluster } from "./cassandra/FakeCluster.ts"
import { lmdbStore } from "./lmdb/Stores.ts"

/** What reaches the process as uncaught while something runs. */
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

/** Hands over three commits at once, of which the first one's callback throws; the others' answers. */
const answered = async (add: (name: string) => Pending | undefined): Promise<ReadonlyArray<unknown>> => {
  const calls: Array<Error | undefined> = []
  const first = add("first")!
  first.onDone((error) => {
    calls.push(error)
    throw new Error("the callback has a defect")
  })
  const others = ["second", "third"].map(add)
  const answers = others.map((later) => new Promise((resume) => later?.onDone(resume)))
  return [...(await Promise.all(answers)), calls]
}

const stores = {
  "the files of lmdb": async () => {
    const store = await lmdbStore()
    // Those that come while another one is on its way to the disk are one group.
    store.commit(put("before"))
    return { add: (name: string) => store.commit(put(name)), close: () => store.close() }
  },
  "a cluster": async () => {
    const store = await new FakeCluster().store()
    return { add: (name: string) => store.commit(put(name)), close: () => store.close() }
  },
  memory: async () => {
    const line = new CommitLine(() => undefined)
    const commit = (isLong: boolean) => ({ isLong, run: () => undefined, pieces: () => [undefined].values() })
    // Those behind a long one wait for it, in one line.
    line.add(commit(true))
    return { add: () => line.add(commit(false)), close: async () => undefined }
  }
}

it.each(Object.entries(stores))(
  "a callback that throws keeps no other commit without its answer, and is called once: %s",
  async (_, open) => {
    const { add, close } = await open()
    const found = await uncaughtDuring(async () => {
      expect(await answered(add)).toEqual([undefined, undefined, [undefined]])
      await close()
    })
    expect(found).toEqual(["uncaughtException: the callback has a defect"])
  }
)
