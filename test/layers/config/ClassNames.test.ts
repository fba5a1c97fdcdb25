import { describe, expect, it } from "vitest"
import { canonicalName, jvmName } from "../../../src/layers/config/ClassNames.ts"
import { namesJanusGraph } from "../../../src/layers/config/Legacy.ts"

describe("The name of a class in a configuration", () => {
  it.each(["", "JanusGraph", "Service", "org.janusgraph.channelizers.JanusGraph", "org.service.channelizers.Service"])(
    "means the same with the prefix '%s' as without it",
    (prefix) => {
      const own = ["WebSocketChannelizer", "HttpChannelizer", "WsAndHttpChannelizer", "SimpleAuthenticator"]
      expect(own.map((name) => canonicalName(prefix + name))).toEqual(own)
      expect(canonicalName(`${prefix}HMACAuthenticationHandler`)).toBe("HttpHMACAuthenticationHandler")
    }
  )

  it("of a graph factory may have each of its prefixes", () => {
    const given = [
      "org.janusgraph.core.JanusGraphFactory",
      "ServiceFactory",
      "ServiceGraphFactory",
      "ConfiguredGraphFactory"
    ]
    expect(given.map(canonicalName)).toEqual(given.map(() => "JanusGraphFactory"))
    expect(canonicalName("org.apache.tinkerpop.engine.tinkergraph.structure.TinkerGraph")).toBe("TinkerGraph")
  })

  it("may have Engine for Gremlin and Service for JanusGraph", () => {
    expect(
      [
        "org.apache.tinkerpop.engine.jsr223.ImportEnginePlugin",
        "ScriptFileEnginePlugin",
        "GraphSONMessageSerializerEngineV2d0",
        "org.service.graphdb.tinkerpop.ServiceIoRegistry",
        "ServiceEnginePlugin"
      ].map(jvmName)
    ).toEqual([
      "ImportGremlinPlugin",
      "ScriptFileGremlinPlugin",
      "GraphSONMessageSerializerGremlinV2d0",
      "JanusGraphIoRegistry",
      "JanusGraphGremlinPlugin"
    ])
  })

  it("turns JanusGraph's types of messages on in both spellings", () => {
    const names = [
      "org.janusgraph.graphdb.tinkerpop.JanusGraphIoRegistry",
      "org.service.graphdb.tinkerpop.ServiceIoRegistry"
    ]
    expect(names.map((name) => namesJanusGraph({ ioRegistries: [name] }))).toEqual([true, true])
  })
})
