import { describe, expect, it } from "vitest"
import { MANY_RUNS_MS } from "../Limits.ts"
import { post } from "../layers/support/HttpClient.ts"
import { modern, startInside } from "../layers/support/TestServers.ts"
import { hostileScript, problemOf, sharedProperties } from "./HostileScripts.ts"
import { Random } from "./Random.ts"
import { seedOf, withSeed } from "./Seeds.ts"

/** Number of scripts. The seed is fixed, so that each run has the same ones; SCRIPTS_SEED gives others. */
const SCRIPTS = Number(process.env.SCRIPTS ?? 400)
const FIXED_SEED = 17
/** Number of scripts that run at the same time. */
const CONCURRENT = 8

const settings = { ...modern, evaluationTimeout: 200, requestMemoryLimit: 50_000_000, enginePool: CONCURRENT }

describe("Hostile scripts", () => {
  it(
    "end with an answer, reach nothing but values of the graph, and leave the server as it was",
    async () => {
      const seed = process.env.SCRIPTS_SEED === undefined ? FIXED_SEED : seedOf("SCRIPTS_SEED")
      const { authority, log } = await startInside(settings)
      const before = sharedProperties()
      const problems: Array<string> = []
      let next = 0
      const work = async (): Promise<void> => {
        while (next < SCRIPTS) {
          const number = next++
          const script = hostileScript(new Random(seed, number))
          const { json } = await post(authority, script)
          const problem = problemOf(JSON.stringify(json))
          if (problem !== undefined) problems.push(`script ${number}: ${script}\n  ${problem}`)
        }
      }
      await withSeed("SCRIPTS_SEED", seed, async () => {
        await Promise.all(Array.from({ length: CONCURRENT }, work))
        expect(problems).toEqual([])
        expect(sharedProperties()).toBe(before)
        expect(log.filter((line) => line.includes("ERROR"))).toEqual([])
        expect((await post(authority, "1 + 1")).json.result.data).toEqual([2])
      })
    },
    MANY_RUNS_MS
  )
})
