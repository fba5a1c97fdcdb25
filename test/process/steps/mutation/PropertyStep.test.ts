import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { run } from "../../run.ts"

const ask = (script: string, variables: Record<string, unknown> = {}): ReadonlyArray<unknown> =>
  run(toyGraph("modern"), script, { as: text, variables: new Map(Object.entries(variables)) })

describe("property(T.id) and property(T.label) after other steps of the creation", () => {
  it.each([
    ["g.addV('person').property(single, 'name', 'x').property(T.id, 100)", "v[100]"],
    ["g.addV('person').property(list, 'name', 'x').property('name', 'y', 'acl', 1).property(T.id, 100)", "v[100]"],
    ["g.addV('person').as('p').property(T.id, 100)", "v[100]"],
    ["g.addV('person').as('p').property(single, 'name', 'x').as('q').property(T.id, 100)", "v[100]"],
    ["g.addV().property([(T.id): 100, (T.label): 'person', name: 'x'])", "v[100]"],
    ["g.addV().property(single, [name: 'x', (T.id): 100])", "v[100]"],
    ["g.V(1).addE('e').to(__.V(2)).as('e').property(T.id, 9999)", "e[9999][1-e->2]"],
    ["g.V(1).addE('e').to(__.V(2)).property(single, 'w', 1).property(T.id, 9999)", "e[9999][1-e->2]"],
    ["g.V(1).addE('e').property([w: 1, (T.id): 9999]).to(__.V(2))", "e[9999][1-e->2]"]
  ])("names the element: %s", (script, element) => {
    expect(ask(script)).toEqual([element])
  })

  it("sets the label of an element without one", () => {
    expect(ask("g.addV().property(single, 'name', 'x').property(T.label, 'a').label()")).toEqual(["a"])
    expect(ask("g.addV().property([(T.label): 'a', name: 'x']).project('l', 'n').by(T.label).by('name')")).toEqual([
      "{l=a, n=x}"
    ])
    expect(ask("g.addV('vertex').property(T.label, 'a').label()")).toEqual(["a"])
    expect(ask("g.V(1).addE('edge').to(__.V(2)).property(T.label, 'a').label()")).toEqual(["a"])
  })

  it("is refused a second time", () => {
    const id = "Element T.id has already been set"
    expect(() => ask("g.addV().property(T.id, 100).property(T.id, 101)")).toThrow(id)
    expect(() => ask("g.addV().property(T.id, 100).property('a', 1).property([(T.id): 101])")).toThrow(id)
    expect(() => ask("g.V(1).addE('e').to(__.V(2)).property(T.id, 9999).property(T.id, 9998)")).toThrow(id)
    const label = "Element T.label has already been set to [a] and cannot be overridden"
    expect(() => ask("g.addV('a').property(T.label, 'b')")).toThrow(label)
    expect(() => ask("g.V(1).addE('a').to(__.V(2)).property(T.label, 'b')")).toThrow(label)
    expect(() => ask("g.addV(__.constant('a')).property(T.label, 'b')")).toThrow("has already been set to [[")
  })

  it("is refused for null, and on an element that exists", () => {
    expect(() => ask("g.addV().property(T.id, null)")).toThrow("Value of T cannot be null")
    expect(() => ask("g.addV().property(T.id, x)", { x: null })).toThrow("Value of T cannot be null")
    expect(() => ask("g.V(1).property(T.id, 100)")).toThrow("T.id is immutable on existing elements")
    expect(() => ask("g.V(1).property([(T.label): 'a'])")).toThrow("T.label is immutable on existing elements")
    expect(() => ask("g.addV().identity().property(T.id, 100)")).toThrow("T.id is immutable on existing elements")
    expect(() => ask("g.V(1).property(T.key, 'a')")).toThrow("T.key is immutable on existing elements")
  })
})

describe("property() after addE()", () => {
  it.each([
    "g.V(1).addE('e').property(single, 'w', 1).to(__.V(2)).values('w')",
    "g.V(1).addE('e').as('e').property('w', 1).to(__.V(2)).values('w')",
    "g.V(1).addE('e').property('w', 1, 'acl', 2).to(__.V(2)).values('w')",
    "g.V(1).addE('e').property([w: 1]).to(__.V(2)).values('w')"
  ])("is a part of the creation, so that to() may follow: %s", (script) => {
    expect(ask(script)).toEqual(["1"])
  })

  it("takes no cardinality but single", () => {
    expect(() => ask("g.V(1).addE('e').to(__.V(2)).property(list, 'w', 1)")).toThrow(
      "Multi-property cardinality of [list] can only be set for a Vertex but is being used for addE() with key: w"
    )
  })
})

describe("property() after addV()", () => {
  it("is a part of the creation without a cardinality and meta-properties, wherever it stands", () => {
    expect(ask("g.addV('a').property(single, 'age', 1).property('age', 2).values('age')")).toEqual(["1"])
    expect(ask("g.addV('a').property(list, 'age', 1).property('age', 2).values('age')")).toEqual(["2", "1"])
    expect(ask("g.addV('a').property(['age': list(1)]).property('age', 2).values('age')")).toEqual(["2", "1"])
  })

  it("reads the object before the new vertex", () => {
    const of = (step: string) => ask(`g.V(1).addV('a')${step}.property('n', __.values('name')).values('n')`)
    expect(of("")).toEqual(["marko"])
    expect(of(".as('a')")).toEqual(["marko"])
    expect(of(".property(single, 'x', 1)")).toEqual(["marko"])
  })
})

describe("property() with a map", () => {
  it("writes its entries one after the other, as as many property() steps do", () => {
    expect(ask("g.V(1).property([a: 1, b: __.values('a')]).values('b')")).toEqual(["1"])
    expect(ask("g.V(1).property(single, [a: 1, b: __.values('a'), c: __.values('b')]).values('c')")).toEqual(["1"])
  })
})

describe("A cardinality in property()", () => {
  it.each(["single", "list", "set"])("is refused on elements without cardinalities: %s", (name) => {
    const message = (type: string, key: string) =>
      `Property cardinality can only be set for a Vertex but the traversal encountered ${type} for key: ${key}`
    expect(() => ask(`g.E(7).property(${name}, 'weight', 1.0)`)).toThrow(message("Edge", "weight"))
    expect(() => ask(`g.E(7).property([weight: ${name}(1.0)])`)).toThrow(message("Edge", "weight"))
    expect(() => ask(`g.V(1).addE('e').to(__.V(2)).identity().property(${name}, 'w', 1)`)).toThrow(message("Edge", "w"))
    expect(() => ask(`g.V(1).properties('name').property(${name}, 'acl', 1)`)).toThrow(message("VertexProperty", "acl"))
  })
})
