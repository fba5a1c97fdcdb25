import { networkInterfaces } from "node:os"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { listen } from "../../../src/layers/workers/Listening.ts"
import { listenOptions } from "../../../src/services/ListenAddress.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { eventually, startInside } from "../support/TestServers.ts"

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"))

const count = async (url: string): Promise<number> => {
  const body = JSON.stringify({ gremlin: "g.V().count()" })
  return (await fetch(url, { method: "POST", headers: { connection: "close" }, body })).status
}

describe("A server", () => {
  it.runIf(hasIPv6)(
    "on 0.0.0.0 is reached over IPv4 and IPv6, and its lines have plain addresses of clients",
    async () => {
      const server = await startInside({ host: "0.0.0.0", enableAuditLog: true })
      for (const address of ["127.0.0.1", "[::1]"]) expect(await count(`http://${address}:${server.port}`)).toBe(200)
      await eventually(() => server.log.filter((line) => line.includes("Audit")).length === 2)
      const lines = server.log.join("\n")
      expect(lines).toContain("127.0.0.1")
      expect(lines).not.toContain("::ffff:")
      expect(lines).toContain(":: (IPv6 and IPv4)")
    }
  )

  it.runIf(hasIPv6)("takes an address with the brackets of a URL", async () => {
    const { port } = await startInside({ host: "[::1]" })
    expect(await count(`http://[::1]:${port}`)).toBe(200)
  })

  it("on 0.0.0.0 has only IPv4 where the JVM's option for it is set", () => {
    const environment = { SERVICE_PREFER_IPV4: "true" }
    expect(listenOptions("0.0.0.0", 1, environment)).toEqual({ host: "0.0.0.0", port: 1 })
    expect(listenOptions("::", 1, environment)).toEqual({ host: "::", port: 1 })
    expect(listenOptions("0.0.0.0", 1, { SERVICE_PREFER_IPV4: "false" })).toEqual({ port: 1 })
  })

  it("on another address has only this one", () => {
    expect(listenOptions("192.0.2.7", 1)).toEqual({ host: "192.0.2.7", port: 1 })
    expect(listenOptions("localhost", 1)).toEqual({ host: "127.0.0.1", port: 1 })
  })
})

describe("A primary process", () => {
  sourcesOnly("calls a part of the primary process")

  it.runIf(hasIPv6)("on 0.0.0.0 listens on both families", async () => {
    const reached = Effect.gen(function* () {
      const hosts: Array<string> = []
      const { address, port } = yield* listen("0.0.0.0", 0, (socket) => socket.end("HTTP/1.1 204 No\r\n\r\n"))
      hosts.push(address)
      for (const each of ["127.0.0.1", "[::1]"]) {
        const { status } = yield* Effect.promise(() => fetch(`http://${each}:${port}`))
        hosts.push(String(status))
      }
      return hosts
    })
    expect(await Effect.runPromise(Effect.scoped(reached))).toEqual(["::", "204", "204"])
  })
})
