import { rmSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { leftovers } from "../layers/support/Leftovers.ts"
import { testedWorkers } from "../layers/support/Packed.ts"
import { startServer } from "../layers/support/TestServers.ts"
import { owed } from "./Frames.ts"
import { fuzz } from "./Fuzzer.ts"
import { httpAnswers } from "./Responses.ts"
import { seedOf, withSeed } from "./Seeds.ts"
import { type FuzzedServers, fuzzedSettings, startServers, targetsAt } from "./Servers.ts"

/** The servers in other processes, each with workers. */
const startWithWorkers = async (): Promise<FuzzedServers> => {
  const { folder, ...settings } = fuzzedSettings()
  const open = await startServer(settings.open)
  const asking = await startServer({ ...settings.asking, openMetrics: true })
  const encrypted = await startServer({ ...settings.encrypted, openMetrics: true })
  const targets = targetsAt({ open: open.port, asking: asking.port, encrypted: encrypted.port })
  return {
    ...targets,
    get log() {
      return [open, asking, encrypted].flatMap(({ log }) => log)
    },
    left: async () => {
      const found = Object.values(targets).map(({ port, secure }) => leftovers(port, secure))
      return (await Promise.all(found)).flatMap((counts) => Object.values(counts)).reduce((sum, count) => sum + count)
    },
    end: async () => {
      await Promise.all([open, asking, encrypted].map((server) => server.end()))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

describe("10,000 malformed requests", () => {
  it("get one answer each or a close code, and no resource stays in use", async () => {
    const seed = seedOf("FUZZ_SEED")
    const servers = await (testedWorkers > 1 ? startWithWorkers() : startServers())
    const { failures, growth, kinds, left, log } = await fuzz({ cases: 10_000, seed }, servers)
    const again = (number: number): string => `npm run test:fuzz -- --seed ${seed} --case ${number}`
    expect(
      failures.map(({ kind, number, problem }) => `case ${number} (${kind}): ${problem}; ${again(number)}`)
    ).toEqual([])
    await withSeed("FUZZ_SEED", seed, () => {
      expect(kinds.size).toBe(9)
      expect(left).toBe(0)
      expect(growth).toBeLessThan(25_000_000)
      expect(log.filter((line) => line.startsWith("ERROR"))).toEqual([])
      // Errors of clients are not logged.
      expect(log.length).toBeLessThan(200)
    })
  })
})

describe("The model of the fuzzer", () => {
  it("recognises incomplete answers", () => {
    const whole = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 204 No Content\r\n\r\n"
    expect(httpAnswers(Buffer.from(whole), false, false).answers).toHaveLength(2)
    expect(httpAnswers(Buffer.from(`${whole}x`), false, true).rest.toString()).toBe("x")
    expect(httpAnswers(Buffer.from(whole.slice(0, 39)), false, true).answers).toHaveLength(0)
    expect(() => httpAnswers(Buffer.from("HTTP/1.1 200 OK\r\na: b\r\na: c\r\n\r\n"), false, true)).toThrow("twice")
  })

  it("returns the messages and the state that a WebSocket must have", () => {
    const text = (hex: string): ReturnType<typeof owed> => owed(Buffer.from(hex.replaceAll(" ", ""), "hex"), 1_000)
    expect(text("818100000000 41")).toEqual({ messages: 1, state: "open" })
    expect(text("018100000000418981000000004200")).toMatchObject({ messages: 0 })
    expect(text("010100000041").state).toBe("broken")
    expect(text("818100000000ff").state).toBe("broken")
    expect(text("80810000000041").state).toBe("broken")
    expect(text("8881").state).toBe("broken")
    expect(text("81fe03").state).toBe("waits")
    expect(text("81ff7fffffffffffffff00000000").state).toBe("broken")
    expect(text("888200000000 03e8")).toEqual({ messages: 0, state: "closed", closeCode: 1000 })
    expect(text("888000000000")).toEqual({ messages: 0, state: "closed", closeCode: 1005 })
  })
})
