import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { run, toy } from "../../run.ts"

/** Steps read elements from a list through property objects, and other elements through references. */
const ways = ["g.V()", "g.E()"].flatMap((from) =>
  [
    "valueMap()",
    "valueMap('name', 'location')",
    "valueMap('location', 'name', 'weight', 'since')",
    "valueMap('location')",
    "valueMap().with('~tinkerpop.valueMap.tokens')",
    "valueMap().by(unfold())",
    "elementMap()",
    "elementMap('weight', 'location', 'name')",
    "values()",
    "values('weight', 'location', 'name', 'nothing')",
    "values('name', 'name')"
  ].map((step) => [from, step] as const)
)

describe("Properties that are read through references", () => {
  it.each(ways)("equal those of the property objects: %s.%s", (from, step) => {
    for (const name of ["modern", "crew"] as const) {
      const direct = run(toy(name), `${from}.${step}`).map(text)
      const through = run(toy(name), `${from}.fold().unfold().${step}`).map(text)
      expect(direct).toEqual(through)
      if (step.includes("()")) expect(direct.length).toBeGreaterThan(0)
    }
  })
})
