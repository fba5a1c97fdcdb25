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
  const dynamic = {
    settingsOf: (name: string) => (name === "made" ? graphOf([...lines, "ids.block-size=7"]) : undefined)
  }
  const options = graphOptions({ graphs: new Map([["graph", graphOf(lines)]]) }, dynamic)
  expect(options("graph")?.get("storage.hostname")).toBe("db")
  expect(options("made")?.get("ids.block-size")).toBe("7")
  for (const name of ["graph", "made"]) expect(options(name)?.get("storage.password")).toBe("****")
  expect(options("other")).toBeUndefined()
})
