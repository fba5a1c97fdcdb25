import { describe, expect, it } from "vitest"
import { WorkUnderWay } from "../../../src/storage/shared/WorkUnderWay.ts"

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("Work that is under way", () => {
  it("has ended at once when there is none", async () => {
    await new WorkUnderWay().ended()
  })

  it("has ended for all who wait when the last of several works ends", async () => {
    const work = new WorkUnderWay()
    let resumed = 0
    work.begin()
    work.begin()
    const waits = [work.ended(), work.ended()].map((wait) => wait.then(() => resumed++))
    work.end()
    await turn()
    expect(resumed).toBe(0)
    work.end()
    await Promise.all(waits)
    expect(resumed).toBe(2)
  })

  it("has not ended for those who wait when other work begins in the turn of its end", async () => {
    const work = new WorkUnderWay()
    let isResumed = false
    work.begin()
    const wait = work.ended().then(() => {
      isResumed = true
    })
    work.end()
    work.begin()
    await turn()
    expect(isResumed).toBe(false)
    work.end()
    await wait
  })
})
