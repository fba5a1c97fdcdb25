import { describe, expect, it } from "vitest"
import manifest from "ws/package.json" with { type: "json" }
import { WebSocketUpgrade } from "../../../../src/layers/transport/websocket/WebSocketUpgrade.ts"

describe("A server whose ws has an untested version", () => {
  it("does not start", () => {
    // The version is checked before the context is used.
    const start = (): WebSocketUpgrade => new WebSocketUpgrade({} as never, { webSocket: true, handBack: () => {} })
    const loaded = manifest.version
    manifest.version = "9.0.0"
    try {
      expect(start).toThrow("The library ws has version 9.0.0")
    } finally {
      manifest.version = loaded
    }
  })
})
