import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { run, toy } from "../../run.ts"

describe("tree()", () => {
  it("has one branch for paths with equal beginnings, in any order of the paths", () => {
    const trees = [
      "g.V(1).out().out().tree()",
      "g.V(1).out().out().tree().by('name')",
      "g.V(1).out().out().tree('t').cap('t')"
    ].map((script) => run(toy(), script).map(text))
    expect(trees).toEqual([
      ["{v[1]={v[4]={v[5]={}, v[3]={}}}}"],
      ["{marko={josh={ripple={}, lop={}}}}"],
      ["{v[1]={v[4]={v[5]={}, v[3]={}}}}"]
    ])
    const paths = run(toy(), "g.V(1).both().both().both().path().dedup().count()")
    const leaves = run(toy(), "g.V(1).both().both().both().order().by(id).tree()")
    const count = (tree: { children: Iterable<[unknown, never]> }): number => {
      const below = [...tree.children].map(([, child]) => count(child))
      return below.length === 0 ? 1 : below.reduce((a, b) => a + b, 0)
    }
    expect(count(leaves[0] as never)).toBe(Number(paths[0]))
  })
})
