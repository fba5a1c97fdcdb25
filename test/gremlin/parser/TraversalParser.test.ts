import { describe, expect, it } from "vitest"
import { FakeHost } from "../FakeHost.ts"

/** The value of a script whose traversals have the results 3, 1, 2 and 2. */
const value = (script: string, language?: string): unknown =>
  new FakeHost(() => [3, 1, 2, 2]).run(script, undefined, undefined, language)

describe("A method of Groovy's iterators that has the name of a step", () => {
  it.each([
    ["g.V().any { it > 2 }", true],
    ["g.V().any { it > 3 }", false],
    ["g.V().max { -it }", 1],
    ["g.V().min { -it }", 3],
    ["g.V().sum { it * 2 }", 16],
    ["g.V().count { it == 2 }", 2],
    ["g.V().out().count({ it == 2 })", 2],
    ["t = g.V(); t.max { -it }", 1],
    ["g.V().unique { it % 2 }.toList()", [3, 2]],
    ["g.V().max().max { -it }", 1]
  ])("takes the results of a traversal when it has a closure: %s", (script, expected) => {
    expect(value(script)).toEqual(expected)
  })

  it("is the step otherwise", () => {
    const host = new FakeHost(() => [3])
    host.run("g.V().count().next(); g.V().max(local).next()")
    expect(host.calls.filter((call) => call !== "begun")).toEqual([
      "list g.V().count() limit 1",
      "list g.V().max(Scope.local) limit 1"
    ])
  })

  it("is refused inside of a traversal", () => {
    expect(() => value("g.V().where(out().count { it > 1 })")).toThrow("count")
  })
})
