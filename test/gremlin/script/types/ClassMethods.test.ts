import { describe, expect, it } from "vitest"
import { ClassName } from "../../../../src/structure/scalars/ClassNames.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A class as the value of a script", () => {
  const names: ReadonlyArray<readonly [script: string, name: string]> = [
    ["1.class", "java.lang.Integer"],
    ["2L.getClass()", "java.lang.Long"],
    ["1g.class", "java.math.BigInteger"],
    ["def x = ['a']; x.class", "java.util.ArrayList"],
    ["[a: 1].getClass()", "java.util.LinkedHashMap"],
    ["'x'.class", "java.lang.String"],
    ["new Date().class", "java.util.Date"],
    ["Integer", "java.lang.Integer"],
    ["Map.class", "java.util.Map"],
    ["def t = g.V(); t.class", "org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.DefaultGraphTraversal"],
    ["try { 1.intdiv(0) } catch (e) { e.class }", "java.lang.ArithmeticException"],
    ["Direction.OUT.class", "org.apache.tinkerpop.gremlin.structure.Direction"],
    ["Cardinality.set.class", "org.apache.tinkerpop.gremlin.structure.VertexProperty$Cardinality"],
    ["int[].class", "[I"],
    ["String[].class", "[Ljava.lang.String;"]
  ]
  for (const [script, name] of names) {
    it(`has its full name: ${script}`, () => {
      expect(resultOf(script)).toStrictEqual(new ClassName(name))
    })
  }

  const values: ReadonlyArray<readonly [script: string, value: string]> = [
    ["1.class.name + ' ' + 1.getClass().getName()", "java.lang.Integer java.lang.Integer"],
    ["[1.class.simpleName, 'x'.getClass().getSimpleName(), int[].class.simpleName]", "[Integer, String, int[]]"],
    ["[1, 2].class.canonicalName + ' ' + 1.class.getTypeName()", "java.util.ArrayList java.lang.Integer"],
    ["[1, 'a']*.class*.name", "[java.lang.Integer, java.lang.String]"],
    ["'' + List + ' ' + String", "interface java.util.List class java.lang.String"],
    ["1.class.toString()", "class java.lang.Integer"],
    [
      "[1.class == Integer, 1.class == Long, Integer.isInstance(3), Number.isAssignableFrom(Integer)]",
      "[true, false, true, true]"
    ],
    ["switch (1.class) { case Integer: 'int'; break; default: 'other' }", "int"],
    [
      "[1, 'a', 2L].groupBy { it.class }.collectEntries { k, v -> [k.simpleName, v] }",
      "{Integer=[1], String=[a], Long=[2]}"
    ],
    ["try { throw new IllegalStateException('x') } catch (e) { e.toString() }", "java.lang.IllegalStateException: x"],
    ["[class: 'x'].class", "x"],
    ["[[1, 2].grep(int), [true].grep(boolean), [1, 2].grep(Integer)]", "[[], [], [1, 2]]"],
    ["switch (1) { case int: 'int'; break; default: 'other' }", "other"],
    ["[1 in int, int.isInstance(1), int.name]", "[false, false, int]"]
  ]
  for (const [script, value] of values) {
    it(`answers as Java does: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("has neither methods nor instances if it is a primitive type", () => {
    for (const script of ["int.valueOf(3)", "int.parseInt('3')", "long.valueOf(3)"]) {
      expect(() => resultOf(script), script).toThrow("scripts do not have the method")
    }
    for (const script of ["1 instanceof int", "true instanceof boolean", "1 !instanceof int"]) {
      expect(() => resultOf(script), script).toThrow("write its class, such as Integer for int")
    }
  })

  it("is refused where graph systems have classes of their own", () => {
    for (const script of ["T.id.class", "new Random(1).class.name", "({ it }).class"]) {
      expect(() => resultOf(script), script).toThrow("instanceof")
    }
  })

  it("has no other methods of Java", () => {
    for (const method of ["forName('java.lang.Runtime')", "newInstance()", "classLoader", "getMethods()", "package"]) {
      expect(() => resultOf(`1.class.${method}`), method).toThrow()
    }
  })

  it("has the methods of Boolean only", () => {
    for (const method of ["nonsense(1)", "getBoolean('a')", "parseBoolean(1)", "hashCode(1)"]) {
      expect(() => resultOf(`Boolean.${method}`), method).toThrow(/do not have the method|was expected/)
    }
    expect(text(resultOf("[Boolean.parseBoolean('TRUE'), Boolean.valueOf('yes'), Boolean.valueOf(true)]"))).toBe(
      "[true, false, true]"
    )
    expect(text(resultOf("[Boolean.hashCode(true), Boolean.toString(false), Boolean.logicalXor(true, false)]"))).toBe(
      "[1231, false, true]"
    )
  })
})
