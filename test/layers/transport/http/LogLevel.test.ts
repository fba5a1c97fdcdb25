import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { defaultSettings, EngineServer } from "../../../../src/index.ts"
import * as Logging from "../../../../src/layers/observability/Logging.ts"
import { newFolder } from "../../../Folders.ts"
import { http, post } from "../../support/HttpClient.ts"
import { isPacked } from "../../support/Packed.ts"
import { eventually, startInside, startServer } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

const path = "/log-level"

const calls = [
  ["GET", undefined],
  ["PUT", '{"level":"error"}'],
  ["DELETE", undefined]
] as const

describe("/log-level", () => {
  it("shows, changes and resets the level of the log, and the log has each change and the whole audit", async ({
    skip
  }) => {
    skip(isPacked, "the server has the log of the program, from the sources")
    const file = join(newFolder(), "server.log")
    const settings = defaultSettings({ port: 0, channelizer: "HttpChannelizer", enableAuditLog: true })
    const use = async (authority: string): Promise<void> => {
      const ask = async (method: string, body?: string) => (await http(authority, { method, path }, body)).json
      const printed = (): number => readFileSync(file, "utf8").split("A script printed").length - 1
      const audits = (): number => readFileSync(file, "utf8").split("INFO  Audit").length - 1
      const evaluate = () => post(authority, "println('x')")
      expect(await ask("GET")).toMatchObject({ level: "info", configured: "info" })
      for (const body of ['{"level":"loud"}', '{"level":7}', "debug", "[]", ""]) {
        expect([body, await ask("PUT", body)]).toMatchObject([
          body,
          { code: "BadRequestException", message: expect.stringContaining("trace, debug, info, warn, error, off") }
        ])
      }
      await evaluate()
      await eventually(() => printed() > 0)
      const before = printed()
      expect(audits()).toBe(before)
      expect(await ask("PUT", '{"level":"error"}')).toMatchObject({ level: "error", configured: "info" })
      await evaluate()
      await eventually(() => audits() === before + 1)
      expect(await ask("PUT", '{"level":"off"}')).toMatchObject({ level: "off" })
      await evaluate()
      await eventually(() => audits() === before + 2)
      expect(await ask("DELETE")).toMatchObject({ level: "info", configured: "info" })
      expect(printed()).toBe(before)
      await evaluate()
      await eventually(() => printed() > before)
      const changes = Array.from(
        readFileSync(file, "utf8").matchAll(/changes from (\w+ to \w+) /g),
        ([, words]) => words
      )
      expect(changes).toEqual(["info to error", "error to off", "off to info"])
    }
    await Effect.gen(function* () {
      const { port } = yield* EngineServer.start(settings)
      yield* Effect.promise(() => use(`127.0.0.1:${port}`))
    }).pipe(Effect.scoped, Effect.provide(Logging.layer({ ...settings.logging, file })), Effect.runPromise)
  })

  it("is for operators only", async () => {
    const server = await startInside({ ...asking(), authorization: { authorizer: "RoleAuthorizer", config: {} } })
    await change(usersOf(server).add("marko", "secret", "editor"))
    for (const [method, body] of calls) {
      const ask = (headers: Record<string, string>) => http(server.authority, { method, path, headers }, body)
      expect([method, (await ask({})).status]).toEqual([method, 401])
      const refused = await ask({ authorization: basic("marko", "secret") })
      expect([method, refused.status, refused.json.code]).toEqual([method, 403, "AccessDeniedException"])
    }
  })

  it("is not reached by pages of other sites", async () => {
    const { authority } = await startServer(asking())
    for (const [method, body] of calls.slice(1)) {
      for (const foreign of [{ origin: "http://elsewhere.example" }, { "sec-fetch-site": "cross-site" }]) {
        const headers = { authorization: basic(), ...foreign }
        expect([method, (await http(authority, { method, path, headers }, body)).status]).toEqual([method, 403])
      }
    }
  })

  it("belongs to the program that contains the server", async ({ skip }) => {
    skip(isPacked, "the server of the package is a program")
    const { authority } = await startServer()
    for (const [method, body] of calls) {
      const { json, status } = await http(authority, { method, path }, body)
      expect([method, status, json.message]).toEqual([method, 501, expect.stringContaining("Logger.minimumLogLevel")])
    }
  })
})
