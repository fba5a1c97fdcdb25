import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it, onTestFinished } from "vitest"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { COUNTER, cellOf, claimed, type OpeningMode, openFolder } from "./OpeningWorker.ts"

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 2)
/** How long the processes of a round work, in milliseconds. */
const ROUND_MS = 2_000
/** How long a process may take for its start, and for the rest of its work, in milliseconds. */
const END_MS = 60_000 * patience

const modes: ReadonlyArray<OpeningMode> = ["writes", "opens and writes", "opens and writes", "opens and reads"]

/** What the processes of a round have said, and how they ended. */
class Round {
  readonly committed = new Set<string>()
  /** The names of the processes by the first id of their claims. */
  readonly claims = new Map<number, string>()
  readonly problems: Array<string> = []
  endOfIds = 1
  openings = 0
  #processes = 0

  /** Runs a process to its end. It is killed at a random moment with the given probability. */
  async run(command: ReadonlyArray<string>, directory: string, mode: OpeningMode, kills: number): Promise<void> {
    const name = `process${this.#processes++}`
    const [program, ...before] = [...command, directory, name, mode, String(ROUND_MS)]
    const child = spawn(program!, before, { stdio: ["ignore", "pipe", "pipe"] })
    onTestFinished(() => void child.kill("SIGKILL"))
    let errors = ""
    child.stderr.on("data", (data) => {
      errors += data
    })
    createInterface(child.stdout).on("line", (line) => this.#hear(name, line))
    const isKilled = Math.random() < kills
    const limit = setTimeout(() => child.kill("SIGKILL"), isKilled ? Math.random() * ROUND_MS * 1.5 : END_MS)
    const [code, signal] = await once(child, "close")
    clearTimeout(limit)
    if (code !== 0 && !(isKilled && signal === "SIGKILL"))
      this.problems.push(`${name} ${mode}: ${code} ${signal} ${errors}`)
  }

  #hear(name: string, line: string): void {
    const [word, text, count] = line.split(" ")
    if (word === "opened") this.openings++
    if (word === "committed") this.committed.add(text!)
    if (word !== "claimed") return
    const [first, end] = [Number(text), Number(text) + Number(count)]
    if (this.claims.has(first)) this.problems.push(`${name} and ${this.claims.get(first)} have claimed ${first}`)
    this.claims.set(first, name)
    this.endOfIds = Math.max(this.endOfIds, end)
  }
}

it.each([
  ["end", 0],
  ["end or are killed", 0.5]
] as const)(
  "Every answered commit is kept, and no id is given twice, by processes that open the files all the time and %s",
  async (_, kills) => {
    const program = join(await bundled({ OpeningWorker: "test/storage/lmdb/OpeningWorker.ts" }), "OpeningWorker.mjs")
    for (let number = 0; number < ROUNDS; number++) {
      const directory = newFolder()
      await (await openFolder(directory)).close()
      const round = new Round()
      await Promise.all(modes.map((mode) => round.run([process.execPath, program], directory, mode, kills)))
      expect(round.problems).toEqual([])
      expect(round.openings).toBeGreaterThan(0)
      const store = await openFolder(directory)
      const snapshot = store.snapshot()
      expect([...round.committed].filter((key) => cellOf(snapshot, Buffer.from(key)) === undefined)).toEqual([])
      expect(cellOf(snapshot, COUNTER)?.readUInt32BE() ?? 0).toBeGreaterThanOrEqual(round.committed.size)
      snapshot.close()
      expect(claimed(store, "test")[0]).toBeGreaterThanOrEqual(round.endOfIds)
      await store.close()
    }
  },
  60_000 + ROUNDS * 70_000 * patience
)
