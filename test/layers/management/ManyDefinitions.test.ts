import { expect, it } from "vitest"
import type { HostObject } from "../../../src/gremlin/ScriptObjects.ts"
import { openManagement } from "../../../src/layers/management/ManagementObject.ts"
import type { ScriptObject } from "../../../src/layers/management/ScriptObject.ts"
import { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { initializeSchema } from "../../../src/storage/janusgraph/management/SchemaJson.ts"
import { ClassName } from "../../../src/structure/scalars/ClassNames.ts"
import { Duration } from "../../../src/structure/times/Temporal.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { SlowlyClaimingStore } from "../../storage/janusgraph/ids/SlowClaims.ts"

/** Calls methods one after the other, as `a.b(x).c()` in a script. */
const call = async (
  object: ScriptObject,
  ...calls: ReadonlyArray<readonly [name: string, ...args: ReadonlyArray<unknown>]>
): Promise<HostObject> => {
  let subject: unknown = object.host
  for (const [name, ...args] of calls) {
    const { handle } = subject as HostObject
    const answer = (handle as ScriptObject).call(name, args, () => undefined)
    if (answer.later === undefined) subject = answer.value
    else {
      await Pending.toPromise(answer.later)
      subject = answer.value?.()
    }
  }
  return subject as HostObject
}

const numbered = <A>(count: number, make: (at: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Array.from({ length: count }, (_, at) => at).reduce(
    async (before, at) => [...(await before), await make(at)],
    Promise.resolve<ReadonlyArray<A>>([])
  )

const STRING = new ClassName("String")
const VERTEX = new ClassName("Vertex")

/** Defines keys with indexes, some of them with times to live, edge labels, and vertex labels, in one management transaction. */
const define = async (graph: CellGraph, prefix: string, expiring: number): Promise<void> => {
  const mgmt = await openManagement(graph)
  const keys = await numbered(40, (at) =>
    call(mgmt, ["makePropertyKey", `${prefix}key${at}`], ["dataType", STRING], ["make"])
  )
  for (const key of keys.slice(0, expiring)) await call(mgmt, ["setTTL", key, new Duration(100n, 0)])
  await numbered(30, (at) => call(mgmt, ["makeEdgeLabel", `${prefix}edge${at}`], ["make"]))
  await numbered(30, (at) => call(mgmt, ["getOrCreateVertexLabel", `${prefix}label${at}`]))
  for (const [at, key] of keys.entries()) {
    await call(mgmt, ["buildIndex", `${prefix}by${at}`, VERTEX], ["addKey", key], ["buildCompositeIndex"])
  }
  await call(mgmt, ["commit"])
}

it("A management transaction over a store that answers later takes as many ids as its definitions need", async () => {
  const graph = await cellGraph(new SlowlyClaimingStore(10))
  await Promise.all([define(graph, "a", 30), define(graph, "b", 0)])
  const { indexes, keys, labels, modifiers, vertexLabels } = await graph.management.schema()
  expect([indexes.length, labels.size, vertexLabels.size, modifiers.timesToLive.size]).toEqual([80, 60, 60, 30])
  const ids = [...indexes, ...keys.values(), ...labels.values(), ...vertexLabels.values()].map(({ id }) => id)
  // One more key has the expiry times.
  expect(new Set(ids).size).toBe(281)
  await graph.close()
})

it("A schema in JSON may have as many definitions as it likes, each with all modifiers", async () => {
  const graph = await cellGraph(new SlowlyClaimingStore(10))
  const propertyKeys = Array.from({ length: 100 }, (_, at) => ({
    key: `key${at}`,
    className: "java.lang.String",
    ttl: 1000,
    consistency: "LOCK"
  }))
  await initializeSchema(graph, JSON.stringify({ propertyKeys }))
  const { modifiers } = await graph.management.schema()
  expect([modifiers.timesToLive.size, modifiers.consistencies.size]).toEqual([100, 100])
  await graph.close()
})
