import { describe, expect, it } from "vitest"
import { results, toy } from "../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("from() and to() of path(), simplePath() and cyclicPath()", () => {
  it("cut the path at the last objects with the labels", () => {
    const names = "by('name')"
    expect(given(`g.V().as('x').out().as('y').out().path().from('y').${names}`)).toEqual([
      "path[josh, ripple]",
      "path[josh, lop]"
    ])
    expect(given(`g.V().as('x').out().as('y').out().path().from('x').to('y').${names}`)).toEqual([
      "path[marko, josh]",
      "path[marko, josh]"
    ])
  })

  it("name labels that are on the path", () => {
    for (const step of ["path()", "simplePath()", "cyclicPath()"]) {
      expect(() => given(`g.V().out().${step}.from('x')`)).toThrow("Could not locate path from-label: x")
      expect(() => given(`g.V().as('a').out().${step}.to('x')`)).toThrow("Could not locate path to-label: x")
    }
  })
})

describe("ProductiveByStrategy over group()", () => {
  const grouped = (by: string): ReadonlyArray<string> =>
    given(`g.withStrategies(ProductiveByStrategy).V(1, 3).group().by('name').by(${by})`)

  it("gives null for a value traversal that gives nothing, and leaves out what has no value of a key", () => {
    expect(grouped("__.values('age')")).toEqual(["{marko=29, lop=null}"])
    expect(grouped("'age'")).toEqual(["{marko=[29], lop=[]}"])
  })
})
