import { describe, expect, it } from "vitest"
import { results, toy } from "../../run.ts"

const names = (filter: string): ReadonlyArray<string> => results(toy(), `g.V().${filter}.values('name')`)

describe("A count in a filter", () => {
  it.each(["math('_')", "path()", "project('a')"])(
    "counts what %s gives, which may drop objects without a value",
    (step) => {
      const count = `__.out().${step}.by('age').count()`
      const others = ["vadas", "lop", "josh", "ripple", "peter"]
      const kept = step !== "project('a')"
      expect(names(`where(${count}.is(P.gt(1)))`)).toEqual(kept ? ["marko"] : ["marko", "josh"])
      expect(names(`where(${count}.is(P.gt(0)))`)).toEqual(kept ? ["marko"] : ["marko", "josh", "peter"])
      expect(names(`not(${count}.is(P.lt(2)))`)).toEqual(kept ? ["marko"] : ["marko", "josh"])
      expect(names(`where(${count}.is(0))`)).toEqual(kept ? others : ["vadas", "lop", "ripple"])
    }
  )

  it("counts the results of such a step up to a limit()", () => {
    expect(names("where(__.out().math('_').by('age').limit(1).count().is(P.gt(0)))")).toEqual(["marko"])
  })
})
