import { createRequire } from "node:module"
import { afterEach } from "vitest"
import { startServer } from "./TestServers.ts"

interface Client {
  submit(script: string): Promise<{ toArray(): ReadonlyArray<unknown> }>
  close(): Promise<void>
}

/** The unmodified driver for Node.js. */
const { driver }: { readonly driver: { readonly Client: new (url: string, options: object) => Client } } =
  createRequire(import.meta.url)("gremlin")

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Evaluates a script, and gives its results. */
export type Asked = (script: string) => Promise<ReadonlyArray<unknown>>

/** A client of the driver at a new server; `{}` as `options` for one without a session. It is closed after the test. */
export const driverClient = async (
  settings: object = {},
  options: object = { session: `session${Math.random()}` }
): Promise<Asked> => {
  const { authority } = await startServer(settings)
  const client = new driver.Client(`ws://${authority}/gremlin`, { traversalSource: "g", ...options })
  closing.push(() => client.close())
  return async (script) => [...(await client.submit(script)).toArray()]
}

/** A client in a session whose `g` is the modern graph. */
export const modernSession = async (settings: object = {}): Promise<Asked> => {
  const asked = await driverClient(settings)
  await asked("graph = TinkerFactory.createModern(); g = graph.traversal()")
  return asked
}
