import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { results, run, toy } from "../../run.ts"

describe("limit() in a repeat()", () => {
  it("counts the traversers of each round, at every depth", () => {
    const start = "g.V().order().by('name').repeat(__.both().order().by('name')"
    expect(results(toy(), `${start}.limit(2)).times(3).values('name')`)).toHaveLength(2)
    expect(results(toy(), `${start}.limit(2)).times(3).emit().count()`)).toEqual(["6"])
    expect(results(toy(), `${start}.repeat(__.both().limit(3)).times(2).limit(2)).times(2).emit().count()`)).toEqual([
      "4"
    ])
    expect(results(toy(), "g.V(1, 2).local(__.repeat(__.both().limit(1)).times(4).emit()).count()")).toEqual(["8"])
  })

  it("keeps a few bytes for each round", () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    const used = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const loop = (rounds: number): ReadonlyArray<unknown> =>
      run(toy(), `g.inject(1).repeat(__.map(__.constant(1)).limit(2)).times(${rounds})`, { as: used })
    // The code is compiled.
    loop(1_000)
    const before = used()
    const [during] = loop(200_000)
    expect((during as number) - before).toBeLessThan(20_000_000)
  })
})
