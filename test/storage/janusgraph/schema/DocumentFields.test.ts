import { describe, expect, it } from "vitest"
import { attributeByName } from "../../../../src/storage/janusgraph/format/Attributes.ts"
import { JavaEnum, Parameter } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { servedParameters } from "../../../../src/storage/janusgraph/management/IndexDefinition.ts"
import { documentsOf } from "../../../../src/storage/janusgraph/schema/DocumentFields.ts"
import type { PropertyKey } from "../../../../src/storage/janusgraph/schema/Schema.ts"

const key = { name: "full name", dataType: attributeByName("String")! } as PropertyKey

/** The field of the key with these parameters. */
const fieldWith = (...modifier: ReadonlyArray<Parameter>) => documentsOf("names", [{ key, modifier }])?.fields[0]

describe("A field of a mixed index that JanusGraph has stored", () => {
  it.each(["STRING", "string", "String"])("has the mapping that the text %s names", (name) => {
    expect(fieldWith(new Parameter("mapping", name))).toMatchObject({ mapping: "STRING", hasWords: false })
  })

  it("has parameters whose names are in upper or lower case", () => {
    const parameters = [
      new Parameter("Mapping", new JavaEnum("Mapping", "TEXTSTRING")),
      new Parameter("MAPPED-NAME", "whole"),
      new Parameter("Text-Analyzer", "english")
    ]
    expect(fieldWith(...parameters)).toMatchObject({
      name: "whole",
      wholeName: "whole__STRING",
      textAnalyzer: "english"
    })
  })

  it("has exactly the name that it was given, with its spaces", () => {
    expect(fieldWith(new Parameter("mapped-name", "my field"))?.name).toBe("my field")
    expect(fieldWith(new Parameter("mapped-name", "my\u2022field"))?.name).toBe("my\u2022field")
  })
})

it("A new field is given one name, in which another character stands for spaces", () => {
  const named = (...parameters: ReadonlyArray<Parameter>) =>
    fieldWith(...servedParameters(key, "ENABLED", { mapping: "DEFAULT", parameters }))?.name
  expect(named()).toBe("full\u2022name")
  expect(named(new Parameter("Mapped-Name", "mine"))).toBe("mine")
})
