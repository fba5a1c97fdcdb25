import { describe, expect, it } from "vitest"
import { results, run, toy, unordered } from "../../run.ts"

const crew = (script: string) => results(toy("crew"), script)
const modern = (script: string) => results(toy(), script)
const failing = (script: string) => () => run(toy("crew"), script)

describe("by('key')", () => {
  it("fails in every step if a vertex has several properties with the key", () => {
    const steps = [
      "order()",
      "path()",
      "project('a')",
      "group()",
      "groupCount()",
      "dedup()",
      "as('a').select('a')",
      "aggregate('x')",
      "tree()",
      "math('_')"
    ]
    for (const step of steps) {
      expect(failing(`g.V(1).${step}.by('location')`), step).toThrow(
        'There are several properties location at one vertex, and by("location") takes the value of one'
      )
    }
    expect(failing("g.V(1).group().by('name').by('location')")).toThrow("several properties")
    expect(failing("g.V().order().by('location')")).toThrow("several properties")
    expect(failing("g.V(1).project('a').by(values('location'))")).toThrow("several properties")
    expect(crew("g.V(1).project('a').by(values('location', 'location'))")).toEqual(["{a=san diego}"])
    expect(crew("g.V(1).project('a').by(values('location').fold())")).toEqual([
      "{a=[san diego, santa cruz, brussels, santa fe]}"
    ])
  })

  it("is null for a map or a tree without the key, and so filters nothing", () => {
    expect(modern("g.V(1).valueMap('name').project('a').by('x')")).toEqual(["{a=null}"])
    expect(modern("g.V().elementMap('age').order().by('age').select('age')")).toEqual(["27", "29", "32", "35"])
    expect(modern("g.V().elementMap('age').order().by('x').count()")).toEqual(["6"])
    expect(modern("g.V(1).tree().path().by('x')")).toEqual(["path[null]"])
    expect(modern("g.V(1).project('a').group().by('b').by(count())")).toEqual(["{null=1}"])
  })
})

describe("by(values('key'))", () => {
  it("is equal to by('key'): it accepts maps, and fails for several properties with the key", () => {
    expect(modern("g.V(1).valueMap('age').path().by(values('age'))")).toEqual(["path[29, [29]]"])
    expect(failing("g.V(1).dedup().by(values('location'))")).toThrow("several properties")
    expect(
      failing("g.withoutStrategies(ByModulatorOptimizationStrategy).V(1).dedup().by(values('location'))")
    ).not.toThrow()
  })

  it("uses one value of a traverser as the second modulator of group()", () => {
    expect(crew("g.V(1).group().by('name').by(values('location'))")).toEqual(["{marko=san diego}"])
  })
})

describe("values() and properties()", () => {
  it("return a property once if its key is given twice", () => {
    expect(unordered(toy("crew"), "g.V(9).values('name', 'name')")).toEqual(["daniel"])
    expect(crew("g.V(9).properties('name', 'location', 'name').key()")).toEqual([
      "name",
      "location",
      "location",
      "location"
    ])
  })
})

describe("A property of an edge", () => {
  it("has a key, and no label", () => {
    expect(modern("g.E(7).properties().project('a').by(T.key)")).toEqual(["{a=weight}"])
    expect(failing("g.E().properties().project('a').by(T.label)")).toThrow(
      "A Property has no label: use T.key for its key"
    )
    expect(failing("g.E().properties().label()")).toThrow(
      "label() needs an element, but the traverser is at a Property"
    )
    expect(modern("g.V(1).properties('name').label()")).toEqual(["name"])
  })
})

describe("format() with the key of a property", () => {
  it("fails if a vertex has several properties with the key", () => {
    expect(failing("g.V(1).format('%{location}')")).toThrow(
      "There are several properties location at one vertex, and %{location} takes the value of one: use %{_} and by(values"
    )
    expect(crew("g.V(1).format('%{name}')")).toEqual(["marko"])
    expect(crew("g.V(1).format('%{_}').by(values('location').count())")).toEqual(["4"])
    expect(crew("g.V(1).properties('location').format('%{startTime}').limit(1)")).toEqual(["1997"])
  })
})
