import { once } from "node:events"
import { Server } from "node:net"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, it, vi } from "vitest"
import { defaultSettings, EngineServer } from "../../../src/index.ts"
import { sourcesOnly } from "../support/Packed.ts"

sourcesOnly("replaces a method of the servers of Node.js")

it("A start that is interrupted while the server begins to listen leaves no listening server", async () => {
  const original = Server.prototype.listen
  let server: Server | undefined
  const begun = new Promise<void>((resolve) => {
    vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...args: ReadonlyArray<unknown>) {
      server = this
      resolve()
      return Reflect.apply(original, this, args)
    } as Server["listen"])
  })
  const fiber = Effect.runFork(
    Effect.scoped(Effect.zipRight(EngineServer.start(defaultSettings({ port: 0 })), Effect.never))
  )
  await begun
  vi.restoreAllMocks()
  const closed = once(server!, "close")
  await Effect.runPromise(Fiber.interrupt(fiber))
  await closed
  expect(server!.listening).toBe(false)
})
