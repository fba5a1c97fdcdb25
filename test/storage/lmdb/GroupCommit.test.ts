import { describe, expect, it } from "vitest"
import { Environment } from "../../../src/storage/lmdb/Environment.ts"
import { GroupCommit } from "../../../src/storage/lmdb/GroupCommit.ts"
import { noLockWait } from "../../../src/storage/lmdb/LockWait.ts"
import { StorageFailure } from "../../../src/structure/errors/StoreErrors.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../Completion.ts"

/** A store's commits, and the version of the newest one. */
const opened = () => {
  const directory = newFolder()
  const environment = new Environment({ directory, sync: "none", readOnly: false })
  const commits = new GroupCommit(environment, {
    directory,
    flush: undefined,
    isShared: false,
    lockWait: noLockWait,
    onFailure: () => undefined
  })
  return { commits, environment, version: () => environment.state().version }
}

describe("A commit", () => {
  it("is not written when the store stops while the commit waits for its transaction", async () => {
    const { commits, environment, version } = opened()
    const before = version()
    const answer = settled(commits.commit(() => undefined))
    // The transaction begins in a later turn of the event loop.
    commits.stop(new StorageFailure("another server has the folder"))
    await expect(answer).rejects.toThrow("another server has the folder")
    expect(version()).toBe(before)
    await environment.root.close()
  })

  it("in time slices is not written when the store stops during its work", async () => {
    const { commits, environment, version } = opened()
    const before = version()
    const work = commits.commitLong(function* () {
      yield
      commits.stop(new StorageFailure("another server has the folder"))
    })
    await expect(settled(work)).rejects.toThrow("another server has the folder")
    expect(version()).toBe(before)
    await environment.root.close()
  })
})

it("A commit in time slices is told how long other work has interrupted it", async () => {
  const { commits, environment } = opened()
  let paused = 0
  const spin = (milliseconds: number): void => {
    for (const until = performance.now() + milliseconds; performance.now() < until; );
  }
  await settled(
    commits.commitLong(function* (_, pauses) {
      setImmediate(() => spin(20))
      // Longer than a slice.
      spin(5)
      yield
      paused = pauses!.pausedMs
    })
  )
  expect(paused).toBeGreaterThanOrEqual(20)
  await environment.root.close()
})
