import { describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { http } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

interface Answer {
  readonly status?: { readonly message: string }
  readonly message?: string
  readonly result?: { readonly data: unknown }
}

const started = async () => {
  const { authority } = await startServer({ ...onLmdb(newFolder(), "schema.default=none") })
  return async (gremlin: string): Promise<unknown> => {
    const headers = { accept: "application/vnd.gremlin-v3.0+json;types=false" }
    const answer = JSON.parse((await http(authority, { headers }, JSON.stringify({ gremlin }))).text) as Answer
    return answer.result?.data ?? answer.message
  }
}

describe("Property keys of every data type of JanusGraph", () => {
  /** A type, an argument of property(), and the value that a client receives as text. */
  const types: ReadonlyArray<readonly [type: string, value: string, text: string]> = [
    ["byte[]", "[1, -2]", ""],
    ["short[]", "[1, -2]", "[1, -2]"],
    ["int[]", "[1, -2] as int[]", "[1, -2]"],
    ["long[]", "[1, -2L]", "[1, -2]"],
    ["float[]", "[1.5f]", "[1.5]"],
    ["double[]", "[1.5d]", "[1.5]"],
    ["char[]", "['a', 'b' as char]", "[a, b]"],
    ["boolean[]", "[true, false]", "[true, false]"],
    ["String[]", "['a', ''] as String[]", "[a, ]"],
    ["Byte", "(byte) -5", "-5"],
    ["Short", "(short) 300", "300"],
    ["Character", "(char) 'é'", "é"],
    ["Date", "'2024-02-29T10:00:00Z'", "Thu Feb 29 10:00:00 UTC 2024"],
    ["java.util.Date", "Date.from(Instant.ofEpochMilli(5))", "Thu Jan 01 00:00:00 UTC 1970"],
    ["Instant", "Instant.ofEpochSecond(5, 7)", "1970-01-01T00:00:05.000000007Z"],
    ["java.time.Duration", "Duration.parse('P1DT2S')", "PT24H2S"],
    ["UUID", "new UUID(1L, 2L)", "00000000-0000-0001-0000-000000000002"]
  ]

  it("keep their values, and are found by a composite index", async () => {
    const ask = await started()
    for (const [at, [type, value, text]] of types.entries()) {
      const key = `key${at}`
      const make =
        `mgmt = graph.openManagement(); key = mgmt.makePropertyKey('${key}').dataType(${type}.class).make(); ` +
        `mgmt.buildIndex('by${key}', Vertex.class).addKey(key).buildCompositeIndex(); mgmt.commit(); key.name()`
      expect(await ask(make), type).toEqual([key])
      const added = await ask(`g.addV().property('${key}', ${value}).values('${key}').next().toString()`)
      if (text !== "") expect(added, type).toEqual([text])
      expect(await ask(`x = g.V().values('${key}').next(); g.V().has('${key}', x).count()`), type).toEqual([1])
    }
    expect(await ask("g.V().has('key9', lt((byte) 0)).has('key9', -5).count()")).toEqual([1])
  })

  it("have a mixed index when their values have an order", async () => {
    const ask = await started()
    const make = (type: string) =>
      `mgmt = graph.openManagement(); key = mgmt.makePropertyKey('at').dataType(${type}.class).make(); ` +
      "mgmt.buildIndex('byAt', Vertex.class).addKey(key).buildMixedIndex('search'); mgmt.commit(); 1"
    expect(await ask(make("int[]"))).toContain("Values of the type int[] have no order")
    expect(await ask(make("Instant"))).toEqual([1])
    await ask(
      "g.addV().property('at', Instant.parse('1970-01-01T00:00:00.005Z'))." +
        "addV().property('at', Instant.EPOCH).addV().property('at', Instant.parse('+12000-01-01T00:00:00Z')).iterate()"
    )
    expect(await ask("g.V().has('at', gt(Instant.EPOCH)).count()")).toEqual([2])
    expect(await ask("g.V().order().by('at').values('at').fold().next().toString()")).toEqual([
      "[1970-01-01T00:00:00Z, 1970-01-01T00:00:00.005Z, +12000-01-01T00:00:00Z]"
    ])
    expect(
      await ask("g.V().has('at', lt(Instant.parse('1970-01-01T00:00Z').plus(Duration.ofNanos(1)))).count()")
    ).toEqual([1])
  })

  it("may have the name id, and not a name that JanusGraph reserves", async () => {
    const ask = await started()
    const make = (name: string) =>
      `mgmt = graph.openManagement(); mgmt.makePropertyKey('${name}').dataType(String.class).make(); mgmt.commit(); 1`
    expect(await ask(make("id"))).toEqual([1])
    expect(await ask("g.addV().property('id', 'five').iterate(); g.V().has('id', 'five').values('id')")).toEqual([
      "five"
    ])
    for (const name of ["label", "key", "element", "vertex", "property"]) {
      expect(await ask(make(name)), name).toContain("protected namespace")
    }
  })

  it("refuse values that they cannot hold, and name the value and the type", async () => {
    const ask = await started()
    const make =
      "mgmt = graph.openManagement(); mgmt.makePropertyKey('b').dataType(byte[].class).make(); " +
      "mgmt.makePropertyKey('d').dataType(Date.class).make(); mgmt.makePropertyKey('s').dataType(Short.class).make(); " +
      "mgmt.commit(); 1"
    expect(await ask(make)).toEqual([1])
    expect(await ask("g.addV().property('b', [1, 200])")).toContain("Value [[1, 200]] is not an instance")
    expect(await ask("g.addV().property('d', '2024-02-30')")).toContain("Expected: Date, found: String")
    expect(await ask("g.addV().property('d', Duration.ofSeconds(3))")).toContain("Value [PT3S] is not an instance")
    expect(await ask("g.addV().property('s', 40000)")).toContain("Expected: Short, found: Integer")
    expect(await ask("Instant.parse('2024-02-30T00:00:00Z')")).toContain("is not an instant")
    expect(await ask("Instant.ofEpochSecond(9223372036854775807L)")).toContain("out of range")
  })
})
