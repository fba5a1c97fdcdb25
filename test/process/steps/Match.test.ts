import { describe, expect, it } from "vitest"
import type { Path } from "../../../src/structure/Path.ts"
import { text } from "../../../src/structure/Text.ts"
import { run, toy } from "../run.ts"

const found = (script: string): ReadonlyArray<string> => run(toy(), script).map(text).sort()

describe("match()", () => {
  it("takes alternatives whose labels other patterns bind", () => {
    const either = "__.or(__.as('b').has('name', 'lop'), __.as('b').has('age', P.gt(30)))"
    const names = ["josh", "lop", "lop", "lop"]
    expect(found(`g.V().match(__.as('a').out().as('b'), ${either}).select('b').values('name')`)).toEqual(names)
    expect(found(`g.V().match(${either}, __.as('a').out().as('b')).select('b').values('name')`)).toEqual(names)
  })

  it("gives what alternatives give in the order of the rows", () => {
    const either = "__.or(__.as('a').out('knows').as('b'), __.as('a').out('created').as('b'))"
    const script = `g.V(1).as('a').out().as('b').match(__.as('a').label().as('l'), ${either}).select('b').values('name')`
    expect(run(toy(), script)).toEqual(run(toy(), "g.V(1).out().values('name')"))
  })

  it("has what its patterns went through on whole paths", () => {
    const script = "g.V().match(__.as('a').out('knows').as('b'), __.as('b').out('created').as('c')).path()"
    expect(run(toy(), `${script}.unfold().dedup().count()`).map(text)).toEqual(["6"])
    const paths = run(toy(), script) as ReadonlyArray<Path>
    expect(paths[0]!.objects.slice(0, -1).map(text)).toEqual(["v[1]", "v[1]", "v[4]", "v[4]", "v[5]"])
    expect(paths[0]!.labels.map((labels) => [...labels].join())).toEqual(["a", "", "b", "", "c", ""])
  })

  it("says which label nothing binds", () => {
    expect(() =>
      found("g.V().match(__.as('a').out().as('b'), __.as('c').in().as('a'), __.as('a').in().as('c'))")
    ).not.toThrow()
    expect(() => found("g.V().as('a').match(__.as('a').out().as('b'), __.as('c').in().as('d'))")).toThrow(
      "The provided match pattern is unsolvable: nothing binds c"
    )
  })
})
