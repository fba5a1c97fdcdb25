import { describe, expect, it } from "vitest"
import { HostConstant } from "../../../src/structure/collections/HostConstant.ts"
import { FakeHost, resultOf } from "../../gremlin/FakeHost.ts"

/** The value of a script that has a constant of JanusGraph as the variable x. */
const having = (className: string, name: string, script: string): unknown =>
  new FakeHost(undefined, { x: new HostConstant(className, name) }).run(script)

describe("A constant of JanusGraph", () => {
  it("is equal to the constant of this name in scripts", () => {
    const scripts = [
      "x == SchemaStatus.ENABLED && x != SchemaStatus.DISABLED && x != 'ENABLED'",
      "x.equals(SchemaStatus.ENABLED) && x.is(SchemaStatus.ENABLED) && !x.equals(SchemaStatus.DISABLED)",
      "x in [SchemaStatus.ENABLED] && !(x in [SchemaStatus.DISABLED])",
      "[SchemaStatus.ENABLED, x].toSet().size() == 1 && [x, SchemaStatus.ENABLED].unique().size() == 1",
      "[(SchemaStatus.ENABLED): true][x]",
      "switch (x) { case SchemaStatus.DISABLED: false; break; case SchemaStatus.ENABLED: true; break; default: false }",
      "[[x]] == [[SchemaStatus.ENABLED]] && [a: x] == [a: SchemaStatus.ENABLED]",
      "x.name() == 'ENABLED' && x.toString() == 'ENABLED' && \"$x\" == 'ENABLED'"
    ]
    for (const script of scripts) expect.soft(having("SchemaStatus", "ENABLED", script), script).toBe(true)
    expect(having("Multiplicity", "MULTI", "x == Multiplicity.MULTI && x != Multiplicity.SIMPLE")).toBe(true)
    expect(having("ConsistencyModifier", "LOCK", "x == ConsistencyModifier.LOCK")).toBe(true)
  })

  it("of Cardinality is equal to that of Gremlin, and has JanusGraph's name", () => {
    const scripts = [
      "x == Cardinality.SINGLE && x == single && Cardinality.SINGLE == x && x != Cardinality.LIST",
      "[(Cardinality.SINGLE): true][x] && x in [Cardinality.SINGLE]",
      "x.name() == 'SINGLE'"
    ]
    for (const script of scripts) expect.soft(having("Cardinality", "SINGLE", script), script).toBe(true)
  })

  it("is refused when its class has no such constant", () => {
    expect(() => resultOf("SchemaStatus.ENABELD")).toThrow(
      "SchemaStatus has no constant ENABELD in scripts. Did you mean SchemaStatus.ENABLED?"
    )
    expect(() => resultOf("ConsistencyModifier.LOK")).toThrow("Did you mean ConsistencyModifier.LOCK?")
  })
})

describe("A constant of Gremlin", () => {
  it("has a name, unless TinkerPop and JanusGraph spell it in two ways", () => {
    expect(resultOf("[Direction.OUT.name(), Order.desc.name(), T.id.name()]")).toEqual(["OUT", "desc", "id"])
    expect(() => resultOf("Cardinality.SINGLE.name()")).toThrow("compare the constants by ==")
  })
})
