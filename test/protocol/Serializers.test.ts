import { describe, expect, it } from "vitest"
import { serializerOfClass } from "../../src/protocol/Serializers.ts"

describe("The class name of a configured serializer", () => {
  it("selects a format by its last part, in any package", () => {
    const find = (className: string, asText = false): string | undefined =>
      serializerOfClass({ className, asText })?.mime
    expect(find("org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3")).toBe(
      "application/vnd.gremlin-v3.0+json"
    )
    expect(find("org.apache.tinkerpop.gremlin.driver.ser.GraphSONMessageSerializerV3d0")).toBe(
      "application/vnd.gremlin-v3.0+json"
    )
    expect(find("GraphSONMessageSerializerGremlinV1d0")).toBe("application/vnd.gremlin-v1.0+json")
    expect(find("GraphSONMessageSerializerV1d0")).toBe("application/vnd.gremlin-v1.0+json;types=false")
    expect(find("GraphSONUntypedMessageSerializerV2")).toBe("application/vnd.gremlin-v2.0+json;types=false")
    expect(find("x.GraphBinaryMessageSerializerV1")).toBe("application/vnd.graphbinary-v1.0")
    expect(find("x.GraphBinaryMessageSerializerV1", true)).toBe("application/vnd.graphbinary-v1.0-stringd")
    expect(find("GryoMessageSerializerV3d0")).toBeUndefined()
  })
})
