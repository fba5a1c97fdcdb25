import { describe, expect, it } from "vitest"
import { results, toy } from "../../run.ts"

/** Results on the crew graph, of whose properties only those with the meta-property startTime, and the names, are visible. */
const visible = (steps: string) =>
  results(
    toy("crew"),
    `g.withStrategies(new SubgraphStrategy(vertexProperties: or(has('startTime'), hasKey('name')))).V(1).${steps}`
  )

describe("by('key') with a criterion for vertex properties", () => {
  it("takes the entry of a map, and null if it is missing", () => {
    expect(visible("project('a').by('name').order().by('a')")).toEqual(["{a=marko}"])
    expect(visible("valueMap('name').group().by('name')")).toEqual(["{[marko]=[{name=[marko]}]}"])
    expect(visible("elementMap('name').project('a', 'b').by('name').by('x')")).toEqual(["{a=marko, b=null}"])
  })

  it("takes visible properties of an element only", () => {
    expect(visible("project('a').by('name')")).toEqual(["{a=marko}"])
    expect(visible("properties('location').limit(1).project('a').by('startTime')")).toEqual(["{a=1997}"])
    const hidden =
      "g.withStrategies(new SubgraphStrategy(vertexProperties: has('startTime'))).V(1).project('a').by('name')"
    expect(results(toy("crew"), hidden)).toEqual(["{}"])
  })
})
