import { describe, expect, it } from "vitest"
import { decodeGraphFile } from "../../../src/layers/config/GraphFile.ts"
import { type Environment, interpolated } from "../../../src/layers/config/Interpolation.ts"

const option = (key: string): string | undefined =>
  ({ root: "/data", path: "$\u007broot}/graph", round: "$\u007btrip}", trip: "$\u007bround}" })[key]

const variables: Environment = { NAME: "marko", EMPTY: "" }

const read = (value: string, environment: Environment | null = variables): string => {
  const result = interpolated(value.replaceAll("%", "$"), { environment: environment ?? undefined, option })
  return "text" in result ? result.text : `! ${result.reason}`
}

describe("A reference in a value of a properties file", () => {
  it("is replaced by the environment variable, or by the default in the reference", () => {
    expect(read("a%{env:NAME}b%{env:NAME}")).toBe("amarkobmarko")
    expect(read("%{env:EMPTY}")).toBe("")
    expect(read("%{env:NONE:-josh}")).toBe("josh")
    expect(read("%{env:NONE:-}")).toBe("")
    expect(read("%{sys:user.home:-/root}")).toBe("/root")
  })

  it("is replaced by the value of another option, with the references in it", () => {
    expect(read("%{path}/x")).toBe("/data/graph/x")
    expect(read("%{none:-other}")).toBe("other")
  })

  it("is text after a second dollar, and without its end", () => {
    expect(read("a%%{env:NAME}")).toBe("a$" + "{env:NAME}")
    expect(read("pa%%word, %{, %, {x}")).toBe("pa$$word, $" + "{, $, {x}")
  })

  it("is refused if there is nothing to which it refers", () => {
    expect(read("%{env:NONE}")).toContain("! refers to the environment variable NONE, which is not set")
    expect(read("%{none}")).toContain("! refers to 'none', which is no option of this file; write $$" + "{none}")
    expect(read("%{sys:user.home}")).toContain("! refers to a system property of Java")
    expect(read("%{base64Decoder:eA==}")).toContain("! refers to 'base64Decoder:', which is not supported")
    expect(read("%{round}")).toMatch(/^! refers to itself through '(?:round|trip)'$/)
  })

  it("of a client never reads the environment", () => {
    expect(read("%{env:NAME}", null)).toContain("! refers to the environment variable NAME, which only")
  })
})

describe("A properties file", () => {
  const decode = (
    lines: ReadonlyArray<string>,
    value?: string,
    key = "storage.directory",
    environment: Environment | null = { DATA: "/data" }
  ) => {
    const text = ["gremlin.graph=JanusGraphFactory", "storage.backend=lmdb", ...lines].join("\n")
    const folders = { home: "/nowhere", cwd: "/nowhere", library: undefined, installation: "/nowhere" }
    const overrides = value === undefined ? [] : [{ key, value, origin: { kind: "default" } as const }]
    const source = { file: "/nowhere/graph.properties", text, overrides, environment: environment ?? undefined }
    const { graph, problems } = decodeGraphFile("graph", source, folders)
    return [
      graph?.options.get("storage.directory"),
      ...problems.map(({ line, reason, setting }) => [line, setting, reason])
    ]
  }

  it("may refer to environment variables, and names the line of one that is not set", () => {
    expect(decode(["storage.directory=$" + "{env:DATA}/graph"])).toEqual(["/data/graph"])
    expect(decode(["", "storage.directory=$" + "{env:NONE}/graph"])).toEqual([
      undefined,
      [4, "storage.directory", expect.stringContaining("NONE, which is not set")]
    ])
  })

  it("does not need a reference whose option the environment replaces", () => {
    expect(decode(["storage.directory=$" + "{env:NONE}"], "/other")).toEqual(["/other"])
  })

  it("refers to the values that the environment gives to other options", () => {
    const lines = ["storage.root=/file", "storage.directory=$" + "{storage.root}/graph"]
    expect(decode(lines)).toEqual(["/file/graph"])
    expect(decode(lines, "/environment", "storage.root")).toEqual(["/environment/graph"])
  })

  it("has references also in the values that the environment gives", () => {
    expect(decode([], "$" + "{env:DATA}/other")).toEqual(["/data/other"])
    expect(decode(["storage.root=/file"], "$" + "{storage.root}/other")).toEqual(["/file/other"])
    expect(decode([], "$" + "{env:NONE}")).toEqual([
      undefined,
      [undefined, "storage.directory", expect.stringContaining("NONE, which is not set")]
    ])
  })

  it("has references of variables that lead nowhere as problems of the variable, and shows no part of a secret", () => {
    expect(decode([], "a$" + "{b}c")).toEqual([
      undefined,
      [
        undefined,
        "storage.directory",
        expect.stringMatching(/^the value of the variable refers to 'b', .* of the graph;/)
      ]
    ])
    const secret = decode(["storage.directory=/data"], "a$" + "{hidden}c", "storage.password")
    expect(JSON.stringify(secret)).toContain("has a reference, in braces after $, that leads nowhere. Write $$")
    expect(JSON.stringify(secret)).not.toContain("hidden")
  })

  it("takes what a client gives as it is", () => {
    const reference = "/nowhere/$" + "{storage.backend}"
    expect(decode([], reference, "storage.directory", null)).toEqual([reference])
  })
})
