import { expect, it } from "vitest"
import { graphOptions } from "../../../src/layers/evaluation/GraphOptions.ts"
import { graphOf } from "../support/LmdbGraphs.ts"

it("Options of a graph are known to scripts without its passwords", () => {
  const lines = [
    "storage.backend=cql",
    "storage.hostname=db",
    "storage.cql.keyspace=k",
    "storage.username=u",
    "storage.password=p4ss"
  ]
  const options = graphOptions({ graphs: new Map([["graph", graphOf(lines)]]) })
  expect(options("graph")?.get("storage.hostname")).toBe("db")
  expect(JSON.stringify([...(options("graph") ?? [])])).not.toContain("p4ss")
  expect(options("other")).toBeUndefined()
})
