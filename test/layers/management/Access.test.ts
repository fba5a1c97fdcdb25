import { expect, it } from "vitest"
import { HostObject } from "../../../src/gremlin/ScriptObjects.ts"
import { accessOfCall } from "../../../src/layers/evaluation/GraphScripting.ts"
import { openManagement } from "../../../src/layers/management/ManagementObject.ts"
import { HostConstant } from "../../../src/structure/collections/HostConstant.ts"
import { ClassName } from "../../../src/structure/scalars/ClassNames.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"

it("Every call of the management checks the right to manage its graph", async () => {
  const graph = await cellGraph(new MemoryCellStore())
  const host = new HostObject("graph", new Set(["openManagement"]), graph)
  const management = (await openManagement(graph)).host
  const access = (of: HostObject | ClassName | HostConstant, name: string, ...args: ReadonlyArray<unknown>) =>
    accessOfCall({ kind: "method", of, name, args })
  const needed = { graph: "test", access: "management" }
  expect(access(host, "openManagement")).toEqual(needed)
  expect(access(host, "createIndex", "a")).toEqual(needed)
  expect(access(host, "getIndexedKeys")).toEqual({ graph: "test", access: "read" })
  for (const name of management.methods) expect(access(management, name)).toEqual(needed)
  expect(access(new ClassName("ManagementSystem"), "awaitGraphIndexStatus", host, "x")).toEqual(needed)
  expect(access(new ClassName("JsonSchemaInitStrategy"), "initializeSchemaFromString", host, "{}")).toEqual(needed)
  expect(access(host, "persistedByComputation")).toEqual({ graph: "test", access: "read" })
  expect(access(host, "assertClearable")).toEqual({ graph: "test", access: "write" })
  expect(access(new ClassName("ComputerResult"), "graph", null)).toBeUndefined()
  expect(access(new HostConstant("Mapping", "TEXT"), "asParameter")).toBeUndefined()
})
