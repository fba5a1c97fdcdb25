import { describe, expect, it } from "vitest"
import { GraphDrops } from "../../../../src/layers/graphs/dynamic/GraphDrops.ts"
import type { OtherWorkers } from "../../../../src/layers/graphs/dynamic/OtherWorkers.ts"

/** Worker 2, whose drops the other workers answer so. */
const workerTwo = (
  released: Awaited<ReturnType<OtherWorkers["release"]>>,
  drops: Awaited<ReturnType<OtherWorkers["drops"]>> = []
) =>
  new GraphDrops({
    own: 2,
    changed: () => Promise.resolve(),
    release: () => Promise.resolve(released),
    drops: () => Promise.resolve(drops)
  })

const close = () => Promise.resolve()

describe("A graph that another worker drops", () => {
  it("is not opened until that drop has ended, whatever other drops end", async () => {
    const drops = workerTwo([])
    expect(await drops.begun("a", 3, close)).toBe("closed")
    expect(await drops.begun("a", 4, close)).toBe("closed")
    drops.ended("b", 3)
    drops.ended("a", 4)
    expect(() => drops.assertKept("a")).toThrow("The graph 'a' is being dropped.")
    drops.ended("a", 3)
    drops.assertKept("a")
  })

  it("is not opened by a worker that has started meanwhile", async () => {
    const others = ["a", "b"].map((name) => ({ worker: 3, name }))
    const drops = workerTwo([], others)
    drops.assertKept("a")
    await drops.learn()
    expect(() => drops.assertKept("a")).toThrow("The graph 'a' is being dropped.")
    drops.ended("a", 3)
    drops.assertKept("a")
    expect(() => drops.assertKept("b")).toThrow("The graph 'b' is being dropped.")
  })

  it("is opened by a worker that has started meanwhile if the drop has ended before its list arrives", async () => {
    const drops = workerTwo([], [{ worker: 3, name: "a" }])
    const learned = drops.learn()
    drops.ended("a", 3)
    await learned
    drops.assertKept("a")
  })

  it("is closed before the answer", async () => {
    const drops = workerTwo([])
    let isClosed = false
    await drops.begun("a", 1, async () => {
      await Promise.resolve()
      isClosed = true
    })
    expect(isClosed).toBe(true)
  })
})

describe("Two workers that drop one graph", () => {
  it("do not wait for each other: the one with the lower number goes first", async () => {
    const drops = workerTwo([])
    await drops.run("a", async () => {
      expect(await drops.begun("a", 3, () => Promise.reject(new Error("it must not be closed")))).toBe("dropping")
      expect(await drops.begun("a", 1, close)).toBe("closed")
      expect(await drops.begun("b", 3, close)).toBe("closed")
    })
    expect(await drops.begun("a", 3, close)).toBe("closed")
  })

  it("answer the second request that the graph is being dropped", async () => {
    await expect(workerTwo(undefined).release("a")).rejects.toMatchObject({
      problem: "missing",
      message: "The graph 'a' is being dropped."
    })
    await expect(workerTwo([3]).release("a")).rejects.toThrow("Worker 3 has not closed it in time")
    await workerTwo([]).release("a")
  })
})
