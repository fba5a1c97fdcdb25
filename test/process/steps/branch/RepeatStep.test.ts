import { describe, expect, it } from "vitest"
import { results, run, toy } from "../../run.ts"

const answers = (script: string) => results(toy(), script)
const failing = (script: string) => () => run(toy(), script)

/** Counts the paths of a length along the edges of the modern graph. */
const walks = (length: number): bigint => {
  const edges = [
    [1, 2],
    [1, 3],
    [1, 4],
    [3, 4],
    [3, 6],
    [4, 5]
  ]
  let ways = new Map([1, 2, 3, 4, 5, 6].map((vertex) => [vertex, 1n]))
  for (let step = 0; step < length; step++) {
    const next = new Map<number, bigint>()
    for (const [a, b] of edges as Array<[number, number]>) {
      next.set(a, (next.get(a) ?? 0n) + ways.get(b)!)
      next.set(b, (next.get(b) ?? 0n) + ways.get(a)!)
    }
    ways = next
  }
  return [...ways.values()].reduce((sum, count) => sum + count, 0n)
}

describe("repeat()", () => {
  it("evaluates its body the given number of times", () => {
    expect(answers('g.V().repeat(out()).times(2).values("name")')).toEqual(["ripple", "lop"])
    expect(answers('g.V(1).repeat(out()).until(outE().count().is(0)).values("name")')).toEqual([
      "lop",
      "vadas",
      "ripple",
      "lop"
    ])
    expect(answers("g.V(1).repeat(out()).until(P.eq(1))")).toEqual([])
  })

  it("evaluates its body at least once if times() is after it", () => {
    expect(answers("g.V(1).repeat(out('created')).times(0)")).toEqual(["v[3]"])
    expect(answers("g.V(1).times(0).repeat(out('created'))")).toEqual(["v[1]"])
  })

  it("emits before or after each iteration", () => {
    expect(answers("g.V(1).repeat(out()).times(2).emit().path()")).toEqual([
      "path[v[1], v[3]]",
      "path[v[1], v[2]]",
      "path[v[1], v[4]]",
      "path[v[1], v[4], v[5]]",
      "path[v[1], v[4], v[3]]"
    ])
    expect(answers('g.V(1).emit(hasLabel("person")).repeat(out()).values("name")')).toEqual(["marko", "vadas", "josh"])
  })

  it("emits finished traversers again if until() is before the body and emit() after it", () => {
    expect(answers('g.V(1).times(2).repeat(out()).emit().values("name")')).toEqual([
      "lop",
      "vadas",
      "josh",
      "ripple",
      "lop",
      "ripple",
      "lop"
    ])
  })

  it("completes all iterations of one traverser before the next", () => {
    expect(answers("g.V(4, 1).repeat(out()).emit().path()")).toEqual([
      "path[v[4], v[5]]",
      "path[v[4], v[3]]",
      "path[v[1], v[3]]",
      "path[v[1], v[2]]",
      "path[v[1], v[4]]",
      "path[v[1], v[4], v[5]]",
      "path[v[1], v[4], v[3]]"
    ])
  })

  it("evaluates an iteration for all traversers together if its body has a barrier", () => {
    expect(answers('g.V(4, 1).repeat(out().barrier()).emit().values("name")')).toEqual([
      "ripple",
      "lop",
      "lop",
      "vadas",
      "josh",
      "ripple",
      "lop"
    ])
    expect(
      answers('g.V().repeat(both().repeat(order().by("name")).times(1)).times(1).limit(4).values("name")')
    ).toEqual(["josh", "josh", "josh", "lop"])
  })

  it("counts the iterations of loops by name, also inside other loops", () => {
    expect(answers('g.V().repeat("a", out().repeat("b", out()).times(1)).until(loops("a").is(1)).path()')).toEqual([
      "path[v[1], v[4], v[5]]",
      "path[v[1], v[4], v[3]]"
    ])
    expect(answers("g.V(1).repeat(out()).emit().times(2).loops()")).toEqual(["0", "0", "0", "0", "0"])
    expect(answers("g.V(1).repeat(out().map(loops())).times(1)")).toEqual(["0", "0", "0"])
    expect(failing('g.V(1).repeat(out().where(loops("b").is(0))).times(1)')).toThrow("Loop name not defined: b")
  })

  it("evaluates barriers of a condition in the iteration of the traverser", () => {
    expect(answers("g.V(1).repeat(out()).until(out().count().is(0)).path()")).toEqual([
      "path[v[1], v[3]]",
      "path[v[1], v[2]]",
      "path[v[1], v[4], v[5]]",
      "path[v[1], v[4], v[3]]"
    ])
  })

  it("merges traversers that reach the same element in the same iteration", () => {
    expect(answers("g.V().repeat(both()).times(30).count()")).toEqual([String(walks(30))])
    expect(answers("g.V(1).repeat(both()).until(loops().is(25)).dedup().count()")).toEqual(["6"])
    expect(answers('g.V(1).repeat(both()).emit().times(20).dedup().values("name").count()')).toEqual(["6"])
  })

  it("needs a body, and refuses steps that a body cannot contain", () => {
    expect(failing("g.V().emit()")).toThrow("The repeat()-traversal was not defined")
    expect(failing("g.V().times(2)")).toThrow("The repeat()-traversal was not defined")
    expect(failing("g.V().repeat(out().inject(1)).times(2)")).toThrow(
      "The parent of inject()-step can not be repeat()-step"
    )
    expect(failing("g.V().repeat(count()).times(2)")).toThrow("reducing/supplying barrier can not be repeat()-step")
    expect(answers("g.V(1).repeat(local(out().count()).constant(1)).times(1)")).toEqual(["1"])
  })

  it("begins another loop at a modulator that the preceding loop already has", () => {
    expect(answers("g.V(1).repeat(out()).times(1).times(1).repeat(in()).dedup().values('name')")).toEqual([
      "marko",
      "josh",
      "peter"
    ])
  })
})
