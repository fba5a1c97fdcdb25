import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const started = async () => {
  const graphs = new Map([["graph", graphOf(["storage.backend=inmemory", "storage.memory.schema=true"])]])
  const { authority } = await startServer({ graphs })
  const asked = async (gremlin: string): Promise<unknown> => {
    const { json } = await post(authority, gremlin)
    return json.result?.data ?? json.message
  }
  await asked("m = graph.openManagement(); m.makePropertyKey('age').dataType(Integer.class).make(); m.commit()")
  return asked
}

describe("A result", () => {
  it("has the texts of objects of the schema, also inside of lists and maps", async () => {
    const asked = await started()
    const key = "m = graph.openManagement(); k = m.getPropertyKey('age'); "
    expect(await asked(`${key}k`)).toEqual(["age"])
    expect(await asked(`${key}[k, [k, [k] as Set]]`)).toEqual(["age", ["age", ["age"]]])
    expect(await asked(`${key}[[key: k, keys: [k]]]`)).toEqual([{ key: "age", keys: ["age"] }])
    expect(await asked("[[graph: graph, of: [g]]]")).toEqual([
      { graph: expect.stringContaining("graph"), of: [expect.stringContaining("graphtraversalsource[")] }
    ])
  })

  it("has the items of iterators inside of lists and maps", async () => {
    const asked = await started()
    expect(await asked("[[items: [1, 2].iterator(), one: Optional.of(3), none: Optional.empty()]]")).toEqual([
      { items: [1, 2], one: 3, none: null }
    ])
    expect(
      await asked(
        "m = graph.openManagement(); [[[m.getPropertyKey('age'), 1].iterator(), [[7].iterator()].iterator()]]"
      )
    ).toEqual([[["age", 1], [[7]]]])
    expect(await asked("i = [1].iterator(); [[i, i]]")).toEqual([[[1], [1]]])
  })
})
