import { expect, it } from "vitest"
import { clusterCalls } from "../../../src/layers/management/ClusterCalls.ts"
import type { Committing } from "../../../src/layers/management/ScriptObject.ts"
import type { OpenInstances } from "../../../src/storage/janusgraph/cells/OpenInstances.ts"
import { StorageFailure } from "../../../src/structure/errors/StoreErrors.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"

/** A store that another process has open as well. */
class SharedStore extends MemoryCellStore {
  readonly closed: Array<string> = []
  readonly instances: OpenInstances = {
    name: "this-one",
    isOfServer: (name) => name.startsWith("this"),
    list: async () => ["that-one", "this-one", "this-worker"].map((name) => ({ name, started: undefined })),
    forceClose: async (name, asked) => {
      if (name === "this-one") throw new StorageFailure("The instance this-one is this server; stop it instead.")
      expect(Math.abs(Number(asked) / 1000 - Date.now())).toBeLessThan(60_000)
      this.closed.push(name)
    }
  }
}

it("getOpenInstances() lists all instances of a shared graph; forceCloseInstance() removes a crashed one", async () => {
  const store = new SharedStore({ answersLater: true })
  const calls = clusterCalls(await cellGraph(store))
  expect(await calls.getOpenInstances!([])).toEqual(["that-one", "this-one(current)", "this-worker(current)"])
  const kept: Array<string> = []
  const close = (name: string) =>
    (calls.forceCloseInstance!([name]) as Committing).run(
      (what) => kept.push(what),
      () => undefined
    )
  expect(await close("that-one")).toBeNull()
  expect(kept).toEqual(["the end of the instance that-one"])
  expect(store.closed).toEqual(["that-one"])
  await expect(close("this-one")).rejects.toThrow("forceCloseInstance(): The instance this-one is this server")
})
