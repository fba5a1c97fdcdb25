import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { bundled, startProcess } from "../support/ServerProcess.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-crash-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A service of call() that throws where nothing handles it: in a timer, or in a promise that is not awaited. */
const services = `
const failing = (name, start) => ({ name, parameters: {}, start: () => (start(), []) })
export default [
  failing("in.timer", () => setTimeout(() => { throw new TypeError("late in a timer") })),
  failing("in.promise", () => void Promise.reject(new TypeError("late in a promise")))
]`

it.each(["timer", "promise"])("An unhandled exception of a %s is logged before the process ends", async (where) => {
  const module = join(folder, "services.mjs")
  writeFileSync(module, services)
  const server = await startProcess(await bundled({ main: "src/main.ts" }), join(folder, where), {
    properties: ["storage.backend=inmemory", "storage.memory.schema=false"],
    settings: [`callServices: [${module}]`]
  })
  await post(`127.0.0.1:${server.port}`, `g.call('in.${where}')`).catch(() => "cut")
  await server.exit
  expect(server.child.exitCode).toBeGreaterThan(0)
  const line = server.log.findIndex((text) =>
    / FATAL The process ends because of an unexpected error\. This is a defect/.test(text)
  )
  expect(server.log.slice(line + 1, line + 3).join("\n")).toMatch(new RegExp(`TypeError: late in a ${where}\n +at `))
})
