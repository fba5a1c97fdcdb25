import { describe, expect, it } from "vitest"
import { prepare, results, toy } from "../../run.ts"

const rounds = (body: string, source = "g"): ReadonlyArray<string> => {
  const script = `${source}.V().as("z").repeat(__.out().as("x").${body}.aggregate("s")).cap("s").unfold().values("name")`
  return results(toy(), script).sort()
}

/** Passes only in the first round, if the path keeps every x. */
const once = 'filter(__.select(all, "x").count(local).is(1))'
const firstRound = ["josh", "lop", "lop", "lop", "ripple", "vadas"]
const bothRounds = ["josh", "lop", "lop", "lop", "lop", "ripple", "ripple", "vadas"]

describe("Path retraction in repeat()", () => {
  it("drops labels after each round if only children of earlier steps read them", () => {
    expect(rounds(`${once}.as("q").select("q")`)).toEqual(bothRounds)
    expect(rounds(`as("q").select("q").${once}.select("q")`)).toEqual(bothRounds)
    expect(rounds(`${once}.where(__.in().as("z"))`)).toEqual(
      bothRounds.filter((name, at) => name !== "ripple" || at < 6)
    )
    expect(rounds(`local(__.${once}.as("y").select("y"))`)).toEqual(bothRounds)
    expect(rounds(`${once}.local(__.as("y").select("y"))`)).toEqual(bothRounds)
  })

  it("keeps labels that a step of the body itself or a later step reads", () => {
    expect(rounds(once)).toEqual(firstRound)
    expect(rounds(`as("q").select("q").${once}`)).toEqual(firstRound)
    expect(rounds(`${once}.where("x", P.neq("z"))`)).toEqual(firstRound)
    expect(rounds(`${once}.where(P.neq("z"))`)).toEqual(firstRound)
    const bound = `${once}.match(__.as("q").in().as("r")).select("q")`
    expect(String(prepare(`g.V().repeat(__.out().as("x").${bound})`).compiled.traversal)).not.toContain("Retraction")
    expect(results(toy(), `g.V().as("z").repeat(__.out().as("x").${once}.as("q").select("q")).select("x")`)).toEqual([])
    const body = `__.out().as("x").${once}.as("q").select("q").aggregate("s")`
    const script = `g.V().as("z").repeat(${body}).cap("s").map(__.select("x")).count()`
    expect(String(prepare(script).compiled.traversal)).not.toContain("PathRetractionStep")
  })

  it("keeps all labels if repeat() has another child, or if whole paths are read", () => {
    const body = `__.out().as("x").${once}.as("q").select("q")`
    for (const tail of [".times(2)", ".until(__.loops().is(2))", ".emit()", ".path()"]) {
      expect(String(prepare(`g.V().as("z").repeat(${body})${tail}`).compiled.traversal)).not.toContain("Retraction")
    }
    const script = `g.V().as("z").union(__.identity(), __.repeat(${body}))`
    expect(String(prepare(script).compiled.traversal)).not.toContain("Retraction")
    expect(String(prepare(`g.withPath().V().repeat(${body})`).compiled.traversal)).not.toContain("Retraction")
  })

  it("is switched off by withoutStrategies()", () => {
    expect(rounds(`${once}.as("q").select("q")`, "g.withoutStrategies(PathRetractionStrategy)")).toEqual(firstRound)
  })
})
