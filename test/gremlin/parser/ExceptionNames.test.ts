import { describe, expect, it } from "vitest"
import { resultOf } from "../FakeHost.ts"

describe("A clause that catches an exception of the packages which Groovy imports", () => {
  it.each([
    "java.util.DuplicateFormatFlagsException",
    "java.util.IllegalFormatPrecisionException",
    "java.util.MissingFormatWidthException",
    "java.util.ServiceConfigurationError",
    "java.io.UTFDataFormatException",
    "java.io.StreamCorruptedException",
    "java.lang.AbstractMethodError",
    "java.net.UnknownHostException",
    "groovy.lang.ReadOnlyPropertyException",
    "groovy.util.ResourceException",
    "org.janusgraph.core.JanusGraphConfigurationException",
    "java.lang.IllegalStateException"
  ])("is accepted, and so is an import of it: %s", (name) => {
    const simple = name.slice(name.lastIndexOf(".") + 1)
    const clauses = `catch (${simple} e) { 2 } catch (Throwable e) { 3 }`
    expect(resultOf(`import ${name}\ntry { 1 / 0 } ${clauses}`)).toBe(3)
    expect(resultOf(`import ${name.replace(simple, "*")}\ntry { 1 / 0 } ${clauses}`)).toBe(3)
  })

  it("is refused for a name that is none of them", () => {
    expect(() => resultOf("try { 1 } catch (IlegalStateException e) { 2 }")).toThrow(
      "Did you mean IllegalStateException"
    )
    expect(() => resultOf("import java.net.UnknownHostExeption")).toThrow(
      "class java.net.UnknownHostExeption is unknown"
    )
  })
})
