import { describe, expect, it } from "vitest"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { isClass } from "../../../src/gremlin/parser/Imports.ts"
import { namedClasses, optionConstants, vertexClasses } from "../../../src/gremlin/parser/Names.ts"
import { enums } from "../../../src/structure/scalars/Enums.ts"
import { post } from "../../layers/support/HttpClient.ts"
import { startServer } from "../../layers/support/TestServers.ts"

const problemOf = (script: string): string => {
  try {
    parseScript(script)
  } catch (error) {
    return (error as Error).message
  }
  return ""
}

describe("An import", () => {
  it.each([
    "import java.util.UUID",
    "import java.util.*; 4",
    "import java.util.Map.Entry // a comment",
    "import java.util.Map.*",
    "import java . util . ArrayList;;",
    "import org.apache.tinkerpop.gremlin.structure.Vertex as Vertex",
    "import org.apache.tinkerpop.gremlin.process.traversal.*\nimport org.janusgraph.core.schema.*",
    "import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy",
    "import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.*",
    "import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal",
    "import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.*",
    "import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out",
    "import static org.apache.tinkerpop.gremlin.process.traversal.P.within",
    "import static org.apache.tinkerpop.gremlin.process.traversal.Order.desc",
    "import static org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality.*",
    "import static org.janusgraph.core.attribute.Text.textContains"
  ])("of a class of the language has no effect: %s", (script) => {
    expect(problemOf(`${script}\ng.V()`)).toBe("")
  })

  it.each<readonly [string, number, string]>([
    ["import('fs')", 1, "import is followed by the full name of a class, such as import java.util.UUID"],
    ["import 'fs'", 1, "no module or file can be loaded"],
    ["import { readFile } from 'fs'", 1, "no module or file can be loaded"],
    ["import", 1, "import is followed by the full name of a class"],
    ["import fs from 'fs'", 8, "class fs is unknown"],
    ["import x", 8, "class x is unknown"],
    ["import x.y.Z", 8, "class x.y.Z is unknown"],
    ["import x.y.*", 8, "package x.y is unknown"],
    ["import java.nio.file.*", 8, "package java.nio.file is unknown"],
    ["import java.utl.*", 8, "Did you mean java.util.*?"],
    [
      "import java.util.UIID",
      8,
      "class java.util.UIID is unknown. Scripts may use the classes of the Gremlin language, which need no import. Did you mean java.util.UUID?"
    ],
    ["import com.example.Vertex", 8, "Did you mean org.apache.tinkerpop.gremlin.structure.Vertex?"],
    ["import java.util.UUID as Id", 8, "cannot be imported under another name: write UUID for Id"],
    ["import java.util.UUID g.V()", 23, "the end of the import"],
    ["import static java.util.UUID.randomUuid", 15, "did you mean randomUUID?"],
    ["import static java.time.LocalDate.*", 15, "the members of LocalDate need its class name, or an import of each"],
    ["import static org.apache.tinkerpop.gremlin.process.traversal.P.gt as more", 15, "write gt for more"],
    ["import static org.apache.tinkerpop.gremlin.process.traversal.P.nothing", 15, "P has no member nothing"],
    ["import static org.apache.tinkerpop.gremlin.process.traversal.step.util.WithOptions.*", 15, "WithOptions.tokens"],
    ["import static x", 15, "class x is unknown"],
    ["import static x.y.Z.z", 15, "class x.y.Z is unknown"],
    ["import java.lang.constructor", 8, "class java.lang.constructor is unknown"],
    ["import __proto__.constructor", 8, "is unknown"]
  ])("of anything else is refused with its position: %s", (script, column, problem) => {
    for (const text of [script, `${script};`, `${script}\n4`]) {
      const found = problemOf(text)
      expect(found).toContain(problem)
      expect(found).toMatch(new RegExp(`^Line 1, column ${column}: `))
    }
    expect(problemOf(`1\n 2; ${script}`)).toMatch(new RegExp(`^Line 2, column ${column + 4}: `))
  })

  it("prevents the whole script when it is refused", async () => {
    const { authority } = await startServer()
    const answer = await post(authority, "g.addV().iterate(); import('fs')")
    expect([answer.status, answer.json["Exception-Class"]]).toEqual([500, "GremlinSyntaxError"])
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
  })
})

describe("The full name of a class", () => {
  it("must begin with its package", () => {
    expect(problemOf("x = org.janusgraph.core.Multiplicity.MULTI")).toBe("")
    expect(problemOf("x = org.example.Multiplicity.MULTI")).toMatch(
      /^Line 1, column 5: class org.example.Multiplicity is unknown.* Did you mean org.janusgraph.core.Multiplicity\?$/
    )
    expect(problemOf("g.V().order().by('a', java.util.Order.desc)")).toContain("class java.util.Order is unknown")
  })

  it("is known for every class of the language", () => {
    const names = [...namedClasses, ...vertexClasses, ...Object.keys(optionConstants), ...Object.keys(enums)]
    const without = names.filter(
      (name) =>
        problemOf(`import x.${name}`)
          .match(/Did you mean ([\w.]+)\?/)?.[1]
          ?.split(".")
          .at(-1) !== name
    )
    // It is the key of a parameter in JanusGraph, and not a class.
    expect(without).toEqual(["TokenField"])
    expect(isClass("org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality")).toBe(true)
  })
})
