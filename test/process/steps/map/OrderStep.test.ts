import { describe, expect, it } from "vitest"
import { results, run, toy } from "../../run.ts"

describe.each([
  ["order()", ".order()", ""],
  ["order(local)", ".fold().order(Scope.local)", ".unfold()"]
])("%s by a random criterion", (_name, steps, after) => {
  const names = (bys: string): ReadonlyArray<string> => results(toy(), `g.V()${steps}${bys}${after}.values('name')`)

  it("sorts by the criteria after a random one that is the first", () => {
    expect(names(".by(Order.shuffle).by('name')")).toEqual(["josh", "lop", "marko", "peter", "ripple", "vadas"])
    expect(names(".by(Order.shuffle).by(label).by('name', Order.desc)")).toEqual([
      "vadas",
      "peter",
      "marko",
      "josh",
      "ripple",
      "lop"
    ])
  })

  it("leaves out objects without a value of an earlier criterion", () => {
    expect(names(".by('age').by(Order.shuffle).by('name')").toSorted()).toEqual(["josh", "marko", "peter", "vadas"])
  })

  it("is random if that criterion is the last one", () => {
    const found = new Set<string>()
    for (let runs = 0; found.size < 2; runs++) {
      if (runs === 1_000) throw new Error("the order is always the same")
      found.add(run(toy(), `g.V()${steps}.by('name').by(Order.shuffle)${after}.values('name')`).join())
    }
  })
})

describe("A random criterion after another one", () => {
  const names = (steps: string): ReadonlyArray<string> => results(toy(), `g.V()${steps}.values('name')`)

  it("makes order() sort by the criteria after the last random one alone", () => {
    expect(names(".order().by(label).by(Order.shuffle).by(T.id).by(Order.shuffle).by('name')")).toEqual([
      "josh",
      "lop",
      "marko",
      "peter",
      "ripple",
      "vadas"
    ])
  })

  it("makes no difference in order(local)", () => {
    const sorted = ["marko", "vadas", "josh", "peter", "lop", "ripple"]
    const local =
      ".fold().order(Scope.local).by(label).by(Order.shuffle).by(T.id).by(Order.shuffle).by('name').unfold()"
    expect(names(local)).toEqual(sorted)
    expect(names(".fold().order(Scope.local).by(label).by('name', Order.shuffle).by(T.id).unfold()")).toEqual(sorted)
  })
})
