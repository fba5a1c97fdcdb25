import { describe, expect, it, vi } from "vitest"
import { WebSocketUpgrade } from "../../../../src/layers/transport/websocket/WebSocketUpgrade.ts"

vi.mock("ws/package.json", () => ({ default: { version: "9.0.0" } }))

describe("A server whose ws has an untested version", () => {
  it("does not start", () => {
    // The version is checked before the context is used.
    const start = (): WebSocketUpgrade => new WebSocketUpgrade({} as never, { webSocket: true, handBack: () => {} })
    expect(start).toThrow("The library ws has version 9.0.0")
  })
})
