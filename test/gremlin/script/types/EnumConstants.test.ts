import { describe, expect, it } from "vitest"
import { Cardinality, Direction } from "../../../../src/structure/scalars/Enums.ts"
import { resultOf } from "../../FakeHost.ts"

const text = (script: string): unknown => resultOf(`(${script}).toString()`)

describe("A constant of an enumeration", () => {
  it("is found by its name", () => {
    expect(resultOf("Direction.valueOf('OUT')")).toBe(Direction.OUT)
    expect(resultOf("org.apache.tinkerpop.gremlin.structure.Direction.valueOf('IN')")).toBe(Direction.IN)
    expect(resultOf("['SINGLE', 'set'].collect { Cardinality.valueOf(it) }")).toEqual([
      Cardinality.single,
      Cardinality.set
    ])
    expect(resultOf("VertexProperty.Cardinality.valueOf('list')")).toBe(Cardinality.list)
    for (const [name, constant] of [
      ["Multiplicity", "MANY2ONE"],
      ["SchemaAction", "REINDEX"],
      ["SchemaStatus", "ENABLED"],
      ["ConsistencyModifier", "LOCK"],
      ["Mapping", "STRING"],
      ["Cmp", "EQUAL"],
      ["Contain", "NOT_IN"],
      ["TimeUnit", "DAYS"],
      ["java.time.temporal.ChronoUnit", "WEEKS"]
    ]) {
      const same = `x = '${constant}'; ${name}.valueOf(x) == ${name}.${constant} && ${name}.valueOf(x).name() == x && ${name}.${constant} in ${name}.values()`
      expect(resultOf(same), name).toBe(true)
    }
    expect(resultOf("[DayOfWeek.valueOf('FRIDAY').getValue(), Month.valueOf('MAY').getValue()]")).toEqual([5, 5])
    expect(resultOf("1.5g.setScale(0, 'UP' as RoundingMode) == 2")).toBe(true)
  })

  it("is made from a text by a conversion", () => {
    expect(resultOf("'SET' as Cardinality")).toBe(Cardinality.set)
    expect(resultOf("(Direction) 'BOTH'")).toBe(Direction.BOTH)
    expect(resultOf("Direction d = 'OUT'; d")).toBe(Direction.OUT)
    expect(resultOf("('MULTI' as Multiplicity) == Multiplicity.MULTI")).toBe(true)
    expect(resultOf("(Multiplicity.MULTI as Multiplicity) instanceof Multiplicity")).toBe(true)
    expect(resultOf("[OUT instanceof Direction, 'OUT' instanceof Direction]")).toEqual([true, false])
    expect(resultOf("null as Direction")).toBeNull()
    expect(() => resultOf("1 as Direction")).toThrow("Integer cannot be converted to Direction")
  })

  it("is one of all constants", () => {
    expect(text("Direction.values()")).toBe("[OUT, IN, BOTH]")
    expect(text("T.values()*.name()")).toBe("[label, id, key, value]")
    expect(text("Column.values()")).toBe("[keys, values]")
    expect(text("[Order.values(), Scope.values()]")).toBe("[[shuffle, asc, desc], [global, local]]")
    expect(text("Multiplicity.values()")).toBe("[MULTI, SIMPLE, ONE2MANY, MANY2ONE, ONE2ONE]")
    expect(text("Column.values")).toBe("values")
  })

  it("fails for another name as in Java", () => {
    const caught = (call: string) => resultOf(`try { ${call} } catch (IllegalArgumentException e) { e.message }`)
    expect(caught("Multiplicity.valueOf('MANY')")).toBe("No enum constant org.janusgraph.core.Multiplicity.MANY")
    expect(caught("'OUTER' as Direction")).toBe(
      "No enum constant org.apache.tinkerpop.gremlin.structure.Direction.OUTER"
    )
    expect(() => resultOf("Multiplicity.valueOf('MANY')")).toThrow("the constants are MULTI, SIMPLE, ONE2MANY")
    expect(resultOf("try { Direction.valueOf(null) } catch (NullPointerException e) { e.message }")).toBe(
      "Name is null"
    )
  })
})
