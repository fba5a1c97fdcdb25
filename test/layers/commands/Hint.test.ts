import { describe, expect, it } from "vitest"
import { hint } from "../../../src/layers/commands/Hint.ts"
import { defaultSettings } from "../../../src/services/DefaultSettings.ts"
import type { ServerSettings } from "../../../src/services/Settings.ts"

const lineOf = (settings: Partial<ServerSettings>, address = "127.0.0.1"): string =>
  hint(defaultSettings(settings), { address, family: "IPv4", port: 8182 })

describe("The log line at the start", () => {
  it("names the address of the console where the server has one", () => {
    const open = ", or open http://127.0.0.1:8182/ in a browser"
    expect(lineOf({ host: "127.0.0.1", channelizer: "WsAndHttpChannelizer" })).toContain(
      `Try: curl -d '{"gremlin":"g.V().count()"}' http://127.0.0.1:8182/${open}`
    )
    expect(lineOf({ host: "127.0.0.1", channelizer: "WebSocketChannelizer" })).toBe(
      `Connect a driver to ws://127.0.0.1:8182/gremlin${open}`
    )
  })

  it("names none where the console is off", () => {
    expect(lineOf({ host: "127.0.0.1", console: false })).not.toContain("browser")
    expect(lineOf({ host: "0.0.0.0" }, "0.0.0.0")).not.toContain("browser")
  })
})
