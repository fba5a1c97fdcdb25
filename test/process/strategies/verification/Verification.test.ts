import { describe, expect, it } from "vitest"
import { Cardinality } from "../../../../src/structure/scalars/Enums.ts"
import { prepare, results, toy } from "../../run.ts"

/** The message with which the compiler refuses a traversal; undefined if it accepts it. */
const refusal = (script: string): string | undefined => {
  try {
    prepare(script, new Map([["x", Cardinality.single]]))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe("EdgeLabelVerificationStrategy", () => {
  const verified = (traversal: string, others = ""): string | undefined =>
    refusal(`g.withStrategies(new EdgeLabelVerificationStrategy(throwException: true)${others}).${traversal}`)

  it.each([
    'V().inE().hasLabel("created")',
    'V().outE().has(T.label, "created")',
    'V().bothE().has("created", "weight", 1.0)',
    'V().inE().has("weight").hasLabel("created", "knows")',
    'V().inE().hasLabel(P.eq("created").or(P.eq("knows")))',
    'V().inE().or(hasLabel("created"), and(hasLabel("knows")))',
    'V().inE().or(hasLabel("created"))',
    'V().inE().filter(has("weight", 1.0).hasLabel("created"))',
    'V().inE().as("a").hasLabel("created").as("b").select("a", "b")',
    'V().inE().dedup().hasLabel("created")',
    'V().inE().order().hasLabel("created")',
    'V().where(outE().hasLabel("knows").count().is(gt(1)))',
    'V().repeat(bothE().hasLabel("knows").otherV()).times(2)',
    'V().outE("created").hasLabel("knows")'
  ])("accepts %s, because the label of hasLabel() becomes that of the step", (traversal) => {
    expect(verified(traversal)).toBeUndefined()
  })

  it("accepts steps to which SubgraphStrategy adds a label", () => {
    expect(verified("V().out()", ', new SubgraphStrategy(edges: hasLabel("knows"))')).toBeUndefined()
  })

  it.each([
    'V().out().hasLabel("person")',
    'V().inE().hasLabel(P.neq("created"))',
    'V().inE().hasLabel(P.eq("created").or(P.neq("knows")))',
    'V().inE().or(hasLabel("created"), has("weight", 1.0))',
    'V().inE().limit(1).hasLabel("created")',
    'V().inE().barrier().hasLabel("created")',
    "V().outE().hasLabel(null)",
    "V().outE().hasLabel(within([]))"
  ])("refuses %s", (traversal) => {
    expect(verified(traversal)).toMatch(/vertex step without any specified edge label/)
  })

  it("refuses hasLabel() after a step without InlineFilterStrategy", () => {
    expect(
      refusal(
        "g.withStrategies(new EdgeLabelVerificationStrategy(throwException: true)).withoutStrategies(InlineFilterStrategy).V().inE().hasLabel('a')"
      )
    ).toMatch(/without any specified edge label/)
  })
})

describe("ReservedKeysVerificationStrategy", () => {
  const verified = (options: string, traversal: string): string | undefined =>
    refusal(`g.withStrategies(new ReservedKeysVerificationStrategy(throwException: true${options})).${traversal}`)

  it("refuses keys of properties and of their meta-properties", () => {
    expect(verified("", 'addV("x").property("id", 1)')).toMatch(/reserved word: id/)
    expect(verified("", 'addV("x").property("name", 1, "id", 4)')).toMatch(/AddPropertyStep.* reserved word: id/)
    expect(verified("", 'V().property("name", "id", "label", 3)')).toMatch(/reserved word: label/)
    expect(verified(', keys: ["age"]', 'addV("x").property("age", 1)')).toMatch(/reserved word: age/)
  })

  it("refuses keys after a cardinality, also if it is null or a variable", () => {
    for (const cardinality of ["single", "null", "x"]) {
      expect(verified("", `addV("x").property(${cardinality}, "id", 1)`), cardinality).toMatch(/reserved word: id/)
      expect(verified("", `V().property(${cardinality}, "a", 1, "label", 1)`), cardinality).toMatch(
        /reserved word: label/
      )
      expect(verified("", `V().property(${cardinality}, "a", "id", "b", "label")`), cardinality).toBeUndefined()
    }
  })

  it("accepts a reserved key as a value, and every key if the list of keys is empty", () => {
    expect(verified("", 'addV("x").property("name", "id", "since", "label")')).toBeUndefined()
    expect(verified(", keys: []", 'addV("x").property("id", 1)')).toBeUndefined()
  })
})

describe("A hasLabel() that became the label of a step to edges", () => {
  it.each([
    ['g.V().outE().hasLabel("knows").hasLabel("created").count()', ["0"]],
    ['g.V().outE().hasLabel("knows").hasLabel(within("knows", "created")).count()', ["2"]],
    ['g.V().outE("knows", "created").hasLabel("knows").count()', ["2"]],
    ['g.V().outE().hasLabel(within("knows", null)).count()', ["2"]],
    ["g.V().outE().hasLabel(within([])).count()", ["0"]],
    ['g.V(1).outE().hasLabel("created").has("weight", 0.4).as("a").inV().select("a").label()', ["created"]]
  ])("selects the same edges: %s", (script, expected) => {
    expect(results(toy(), script)).toEqual(expected)
  })
})

describe("An option of a strategy", () => {
  const criteria = "vertices: __.hasLabel('person')"
  const partition = "partitionKey: 'p', readPartitions: ['a']"

  it.each([
    ["EdgeLabelVerificationStrategy(throwException: 1)", "throwException"],
    ["ReservedKeysVerificationStrategy(throwException: 'maybe')", "throwException"],
    [`SubgraphStrategy(${criteria}, checkAdjacentVertices: 0)`, "checkAdjacentVertices"],
    [`PartitionStrategy(${partition}, includeMetaProperties: 'ja')`, "includeMetaProperties"]
  ])("is true or false: %s", (strategy, key) => {
    const name = strategy.slice(0, strategy.indexOf("("))
    expect(refusal(`g.withStrategies(new ${strategy}).V().out()`)).toContain(`${name} needs true or false as ${key}`)
  })

  it("may be the word that TinkerPop takes for true or false", () => {
    const labels = (word: string) =>
      refusal(`g.withStrategies(new EdgeLabelVerificationStrategy(throwException: '${word}')).V().out()`)
    expect(labels("true")).toContain("without any specified edge label")
    expect(labels("Yes")).toContain("without any specified edge label")
    expect(labels("FALSE")).toBeUndefined()
    const all = `g.withStrategies(new SubgraphStrategy(${criteria}, checkAdjacentVertices: 'false')).E().count()`
    expect(results(toy(), all)).toEqual(["6"])
  })

  it("has a string as the key of ElementIdStrategy", () => {
    expect(refusal("g.withStrategies(new ElementIdStrategy(idPropertyKey: 5)).V()")).toContain("needs a string")
  })
})

describe("SeedStrategy", () => {
  it.each(["1.5", "5.0", "NaN", "Infinity", "'x'", "null", "'9223372036854775808'", "[1]"])(
    "takes an integer of 64 bits, not %s",
    (given) => {
      expect(refusal(`g.withStrategies(new SeedStrategy(seed: ${given})).V()`)).toContain("needs an integer of 64 bits")
    }
  )

  it("takes the text of an integer, as TinkerPop does", () => {
    const drawn = (given: string) =>
      results(toy(), `g.withStrategies(new SeedStrategy(seed: ${given})).V().order().by(shuffle).id()`)
    expect(drawn("'5'")).toEqual(drawn("5"))
    expect(drawn("'+5'")).toEqual(drawn("5L"))
  })
})
