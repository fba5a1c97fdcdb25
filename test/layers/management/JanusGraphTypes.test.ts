import { expect, it } from "vitest"
import { decodeSerializers } from "../../../src/layers/config/Serializers.ts"
import { newFolder } from "../../Folders.ts"
import { http } from "../support/HttpClient.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const registry = "org.janusgraph.graphdb.tinkerpop.JanusGraphIoRegistry"

it.each([
  [{ ioRegistries: [registry] }, true],
  [{ ioRegistries: registry }, true],
  [{ ioRegistries: [`${registry}V1d0`] }, true],
  [{ ioRegistries: [registry], janusGraphTypes: false }, undefined],
  [{ ioRegistries: ["org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerIoRegistryV3"] }, undefined]
])("Serializers with %o have JanusGraph's types: %s", (config, expected) => {
  const report = { problems: [], notes: [], fail: () => undefined, warn: () => undefined }
  const found = decodeSerializers([{ className: "GraphBinaryMessageSerializerV1", config }], report)!
  expect(found[0]?.janusGraphTypes).toBe(expected)
})

it("Answers have JanusGraph's types when the serializer sets janusGraphTypes", async () => {
  const serializers = decodeSerializers(
    [{ className: "GraphSONMessageSerializerV3", config: { janusGraphTypes: "true" } }],
    { problems: [], notes: [], fail: () => undefined, warn: () => undefined }
  )!
  expect(serializers[0]).toMatchObject({ format: "graphson-v3", janusGraphTypes: true })
  const { authority } = await startServer({ ...onLmdb(newFolder()), serializers })
  const typed = async (gremlin: string) => {
    const headers = { accept: "application/vnd.gremlin-v3.0+json" }
    return (await http(authority, { headers }, JSON.stringify({ gremlin }))).text
  }
  await typed("g.addV('a').as('a').addE('e').to('a').property('at', Geoshape.point(46, 7.5)).iterate()")
  const answer = await typed("g.E()")
  expect(answer).toContain('"@type":"janusgraph:RelationIdentifier"')
  expect(answer).toContain('"@type":"janusgraph:Geoshape"')
})
