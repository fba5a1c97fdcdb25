import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, it, onTestFinished } from "vitest"
import { newFolder } from "../../Folders.ts"
import { PROCESSES_MS } from "../../Limits.ts"
import { evaluated } from "../support/DynamicGraphs.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { bundled } from "../support/ServerProcess.ts"

interface Worker {
  readonly authority: string
  readonly end: () => Promise<unknown>
}

/** Starts WorkerServer.ts in a process of its own. Fails with what it writes to standard error. */
const startWorker = async (...args: ReadonlyArray<string>): Promise<Worker> => {
  const bundle = await bundled({ WorkerServer: "test/layers/graphs/WorkerServer.ts" })
  const child = spawn(process.execPath, [join(bundle, "WorkerServer.mjs"), ...args])
  onTestFinished(() => void child.kill("SIGKILL"))
  const errors = text(child.stderr)
  const ended = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`))
  )
  const port = new Promise<string>((resolve) => {
    let written = ""
    child.stdout.on("data", (data) => {
      written += String(data)
      const found = /^port (\d+)$/m.exec(written)
      if (found !== null) resolve(found[1]!)
    })
  })
  // The log also has the port, before the worker has added the user.
  const begun = await Promise.race([
    port,
    ended.then(async (how) => Promise.reject(new Error(`The worker ended by ${how}. ${await errors}`)))
  ])
  return {
    authority: `127.0.0.1:${begun}`,
    end: () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}

const basic = { authorization: `Basic ${Buffer.from("first:secret").toString("base64")}` }
const template = "ConfiguredGraphFactory.createTemplateConfiguration(new MapConfiguration(['storage.backend': 'lmdb']))"

describe.each([2, 4])("%d workers of one server", (count) => {
  sourcesOnly("the program of the test gives the server its identity as a worker")

  it(
    "start at once on new folders of a graph, users and dynamic graphs, and see each other's commits at once",
    async () => {
      const folder = newFolder()
      const numbers = Array.from({ length: count }, (_, index) => index)
      const workers = await Promise.all(numbers.map((index) => startWorker(folder, "one", String(index + 1))))
      const ask = (index: number, script: string) => evaluated(workers[index % count]!, script, {}, basic)
      for (let i = 0; i < 5 * count; i++) {
        await ask(i, "g.addV('person').iterate()")
        expect(await ask(i + 1, "g.V().count()")).toEqual([i + 1])
      }
      await ask(0, `${template}; ConfiguredGraphFactory.create('shared').addVertex('person'); 1`)
      for (const index of numbers) {
        expect(await ask(index, "ConfiguredGraphFactory.open('shared').traversal().V().count()")).toEqual([1])
      }
      await expect(startWorker(folder, "two", "1")).rejects.toThrow("is in use by another server")
      await expect(startWorker(folder)).rejects.toThrow("is in use by another server")
      await Promise.all(workers.map(({ end }) => end()))
      expect(readdirSync(join(folder, "graph")).filter((name) => name.startsWith("server."))).toEqual([])
      await (await startWorker(folder)).end()
    },
    PROCESSES_MS
  )
})
