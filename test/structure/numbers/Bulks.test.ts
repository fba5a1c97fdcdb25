import { describe, expect, it } from "vitest"
import { results, toy } from "../../process/run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

/** Number of walks of a length in the toy graph `modern`, by exact arithmetic. */
const walks = (length: number): bigint => {
  const edges = [
    [1, 2],
    [1, 4],
    [1, 3],
    [4, 5],
    [4, 3],
    [6, 3]
  ] as const
  let ends = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, 1n]))
  for (let step = 0; step < length; step++) {
    const next = new Map([...ends.keys()].map((id) => [id, 0n]))
    for (const [a, b] of edges) {
      next.set(a, next.get(a)! + ends.get(b)!)
      next.set(b, next.get(b)! + ends.get(a)!)
    }
    ends = next
  }
  return [...ends.values()].reduce((sum, count) => sum + count)
}

describe("the number of equal traversers", () => {
  it("is exact beyond 2^53", () => {
    // The total is beyond 2^53, while the bulk of each vertex is not.
    expect(walks(40)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER))
    expect(given("g.V().repeat(__.both()).times(40).count()")).toEqual([String(walks(40))])
    expect(given("g.V().repeat(__.both()).times(42).count()")).toEqual([String(walks(42))])
    expect(given("g.V().repeat(__.both()).times(40).groupCount().by(__.constant('all'))")).toEqual([
      `{all=${walks(40)}}`
    ])
    expect(given("g.V().repeat(__.both()).times(40).groupCount('x').by(__.constant('all')).cap('x')")).toEqual([
      `{all=${walks(40)}}`
    ])
  })

  it.each([60, 400])("is refused where a bulk is not exact, after %d rounds", (rounds) => {
    const traversal = `g.V().repeat(__.both()).times(${rounds})`
    for (const end of ["count()", "groupCount().by(__.constant('all'))", "groupCount('x')", "values('age').sum()"]) {
      expect(() => given(`${traversal}.${end}`), end).toThrow("More than 9007199254740991 equal traversers")
    }
  })

  it.each([60, 400])("does not matter where nothing counts them, after %d rounds", (rounds) => {
    const traversal = `g.V().repeat(__.both()).times(${rounds})`
    expect(given(`${traversal}.dedup().count()`)).toEqual(["6"])
    expect(given(`${traversal}.limit(1).count()`)).toEqual(["1"])
    expect(given(`${traversal}.id().max()`)).toEqual(["6"])
    expect(given(`${traversal}.skip(3).limit(2).count()`)).toEqual(["2"])
    expect(given(`${traversal}.tail(2).count()`)).toEqual(["2"])
    expect(given(`${traversal}.coin(0.0).count()`)).toEqual(["0"])
    expect(given(`g.V().where(__.repeat(__.both()).times(${rounds}).hasId(1)).count()`)).toEqual(["6"])
    expect(given(`g.V().repeat(__.both()).emit().times(${rounds}).dedup().count()`)).toEqual(["6"])
  })

  it("keeps no limit of tail() busy, behind rows that are not exact", () => {
    const twice = "__.constant(5).repeat(__.union(__.identity(), __.identity()).barrier()).times(54)"
    const many = "__.repeat(__.union(__.identity(), __.identity(), __.identity(), __.identity())).times(8)"
    expect(given(`g.inject(0).union(${many}, ${twice}).tail(60000).count()`)).toEqual(["60000"])
    expect(given(`g.inject(0).union(${twice}, ${many}).tail(65537).groupCount()`)).toEqual(["{5=1, 0=65536}"])
    expect(given(`g.inject(0).union(${twice}).tail(0).count()`)).toEqual(["0"])
  })

  it("is exact in what skip(), range() and tail() leave", () => {
    const thrice = "repeat(__.union(__.identity(), __.identity(), __.identity()).barrier()).times(33)"
    expect(given(`g.inject(1, 2, 3).${thrice}.skip(1).count()`)).toEqual([String(3n ** 34n - 1n)])
    expect(given(`g.inject(1, 2, 3).${thrice}.range(1, -1).count()`)).toEqual([String(3n ** 34n - 1n)])
    const twice = "__.constant(5).repeat(__.union(__.identity(), __.identity()).barrier()).times(52)"
    expect(given(`g.inject(1).union(__.${thrice}, ${twice}).tail(5).count()`)).toEqual(["5"])
    expect(given(`g.inject(1).union(${twice}, __.constant(6), __.constant(7)).tail(3)`)).toEqual(["5", "6", "7"])
  })

  it("is refused where a count is beyond a Long", () => {
    const large = "__.repeat(__.union(__.identity(), __.identity()).barrier()).times(52)"
    const many = Array.from({ length: 12 }, () => "__.constant(1)").join(", ")
    const rows = `g.inject(0).${large.slice(3)}.union(${Array.from({ length: 200 }, (_, i) => `__.constant(${i})`).join(", ")})`
    expect(given(`${rows}.count()`)).toEqual([String(200n * 2n ** 52n)])
    expect(() => given(`${rows}.union(${many}).count()`)).toThrow("long overflow")
    expect(() => given(`${rows}.union(${many}).groupCount().by(__.constant('all'))`)).toThrow("long overflow")
    expect(() => given(`${rows}.union(${many}).groupCount('x').by(__.constant('all')).cap('x')`)).toThrow(
      "long overflow"
    )
  })

  it("is refused where a side effect cannot hold it", () => {
    const large = "g.inject(0).repeat(__.union(__.identity(), __.identity()).barrier()).times(52)"
    expect(() =>
      given(`${large}.union(__.constant(1), __.constant(2), __.constant(3)).aggregate('x').cap('x')`)
    ).toThrow("equal traversers")
  })
})
