import { expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

it.each([
  ["import static java.lang.Math.*; [sqrt(16), floorMod(-7, 2), PI]", "[4.0, 1, 3.141592653589793]"],
  ["import static java.lang.Math.sqrt\n[sqrt(16), sqrt(9)]", "[4.0, 3.0]"],
  ["import static java.lang.Math.PI; PI * 2", "6.283185307179586"],
  ["import static java.lang.Math.PI; [(PI): 1][Math.PI]", "1"],
  ["import static org.janusgraph.core.schema.Mapping.STRING; [(STRING): 1][Mapping.STRING]", "1"],
  ["import static org.janusgraph.core.attribute.Contain.*; [(IN): 1][Direction.IN]", "1"],
  ["import static org.janusgraph.core.Cardinality.SINGLE; [SINGLE.name(), SINGLE]", "[SINGLE, SINGLE]"],
  ["import static org.apache.tinkerpop.gremlin.process.traversal.GType.LIST; [LIST == GType.LIST]", "[true]"],
  [
    "import static org.apache.tinkerpop.gremlin.process.traversal.GType.SET as S; [S == GType.SET, SET == S]",
    "[true, false]"
  ],
  ["[LIST == GType.LIST, LIST.name()]", "[false, LIST]"],
  ["import static java.lang.Math.max as larger; larger(3, 5)", "5"],
  ["import static java.lang.Integer.MAX_VALUE as LARGEST; LARGEST", "2147483647"],
  ["import static java.util.stream.Collectors.*; [1, 2].stream().map { it + 1 }.collect(toList())", "[2, 3]"],
  ["import static java.util.stream.Collectors.joining; ['a', 'b'].stream().collect(joining('-'))", "a-b"],
  ["import static java.util.UUID.randomUUID; randomUUID().toString().length()", "36"],
  ["import static java.time.LocalDate.of; of(2020, 1, 2).toString()", "2020-01-02"],
  ["import static java.util.concurrent.TimeUnit.*; SECONDS.toMillis(3)", "3000"],
  ["import static java.time.temporal.ChronoUnit.HOURS; Duration.of(3, HOURS).toMinutes()", "180"]
])("A static import lets a script use members without their class: %s", (script, result) => {
  expect(shown(script)).toBe(result)
})

it.each([
  ["import static java.lang.Integer.MAX_VALUE; import static java.lang.Long.*; MAX_VALUE", "2147483647"],
  ["import static java.lang.Long.*; import static java.lang.Integer.MAX_VALUE; MAX_VALUE", "2147483647"],
  ["import static java.lang.Long.*; import static java.lang.Integer.*; MAX_VALUE.class.simpleName", "Long"],
  ["import static java.lang.Integer.valueOf; import static java.lang.Long.*; valueOf('5').class.simpleName", "Integer"],
  ["import static java.lang.Long.*; import static java.lang.Integer.*; valueOf('5').class.simpleName", "Long"],
  [
    "import static java.lang.Long.valueOf; import static java.lang.Integer.valueOf; valueOf('5').class.simpleName",
    "Integer"
  ]
])("A member that an import names comes before those of *, and the first * before the next: %s", (script, result) => {
  expect(shown(script)).toBe(result)
})

it("A constant of a static import can be a hole of a string, unless a variable has its name", () => {
  expect(shown('import static java.lang.Math.PI; "$PI"')).toBe("3.141592653589793")
  expect(shown('import static java.lang.Math.PI; def PI = 3; "$PI"')).toBe("3")
})

it("A variable or a function of the script comes before a static import of the same name", () => {
  expect(shown("import static java.lang.Math.*; def PI = 3; def sqrt(x) { x }; [PI, sqrt(16)]")).toBe("[3, 16]")
})

it("A statically imported method with another number of arguments stays the step", () => {
  expect(shown("import static java.lang.Math.max; max(3, 5)")).toBe("5")
  expect(() => resultOf("import static java.lang.Math.max; x = max(); 1")).not.toThrow()
})

it("A static import is valid for its script only, and its members are unknown before it", () => {
  expect(() => resultOf("sqrt(16)")).toThrow("there is no step, predicate or function sqrt()")
  expect(() => resultOf("x = sqrt(16); import static java.lang.Math.sqrt; x")).toThrow("sqrt()")
})

it("A call of a static import that its class does not have names the class", () => {
  expect(() => resultOf("import static java.time.LocalDate.nothing; nothing(1)")).toThrow(
    "scripts do not have the method LocalDate.nothing()"
  )
  expect(() => resultOf("import static java.lang.Math.TAU; TAU")).toThrow("Math has no constant TAU")
})

it.each([
  ["org.janusgraph.core.Cardinality.SINGLE", "SINGLE == Cardinality.SINGLE"],
  [
    "org.janusgraph.core.Cardinality.*",
    "[SINGLE, LIST, SET] == [Cardinality.SINGLE, Cardinality.LIST, Cardinality.SET]"
  ],
  ["org.janusgraph.core.Multiplicity.*", "ONE2MANY == Multiplicity.ONE2MANY"],
  ["org.janusgraph.core.schema.SchemaAction.*", "REINDEX == SchemaAction.REINDEX"],
  ["org.janusgraph.core.schema.SchemaStatus.*", "ENABLED == SchemaStatus.ENABLED"],
  ["org.janusgraph.core.schema.ConsistencyModifier.*", "LOCK == ConsistencyModifier.LOCK"],
  ["org.janusgraph.core.schema.Mapping.*", "STRING == Mapping.STRING"],
  ["org.janusgraph.core.attribute.Cmp.*", "EQUAL == Cmp.EQUAL"],
  ["org.janusgraph.core.attribute.Contain.IN", "IN == Contain.IN"],
  ["org.janusgraph.core.attribute.Text.CONTAINS", "CONTAINS == Text.CONTAINS"],
  ["org.janusgraph.core.attribute.Text.PREFIX as BEGINS", "BEGINS == Text.PREFIX"],
  ["org.janusgraph.core.attribute.Geo.*", "WITHIN == Geo.WITHIN"]
])("A static import of JanusGraph's enumerations gives their constants: %s", (imported, expression) => {
  expect(shown(`import static ${imported}; ${expression}`)).toBe("true")
})

it.each([
  ["org.janusgraph.core.schema.Mapping.*", "g.inject('a').is(typeOf(STRING))", "typeOf(GType.STRING)"],
  ["org.janusgraph.core.Cardinality.*", "g.inject([1]).is(typeOf(LIST))", "typeOf(GType.LIST)"],
  ["org.janusgraph.core.attribute.Contain.*", "g.V().to(IN, 'knows')", "to(Direction.IN,"]
])("A constant that a step asks for comes before those of the import of %s: %s", (imported, traversal, expected) => {
  const host = new FakeHost((call) => (call.kind === "traversal" ? [] : undefined))
  host.run(`import static ${imported}; ${traversal}.toList()`)
  expect(host.calls.join()).toContain(expected)
})

it("A constant that an import names alone comes before the one that a step asks for", () => {
  const host = new FakeHost((call) => (call.kind === "traversal" ? [] : undefined))
  const script = "import static org.janusgraph.core.schema.Mapping.STRING; g.inject('a').is(typeOf(STRING)).toList()"
  expect(() => host.run(script)).toThrow("STRING cannot be an argument of a traversal")
})

it("A static import of a constant that JanusGraph's enumeration does not have is refused", () => {
  expect(() => resultOf("import static org.janusgraph.core.Cardinality.MANY; 1")).toThrow(
    "Cardinality has no member MANY"
  )
  expect(() => resultOf("import static org.janusgraph.core.schema.Parameter.*; 1")).toThrow(
    /the members of Parameter need its class name, or an import of each$/
  )
})
