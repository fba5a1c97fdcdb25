import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { LoopFrame } from "../../../src/process/plan/Batch.ts"
import { ByRound } from "../../../src/process/plan/ByRound.ts"

const round = (count: number, outer: LoopFrame | null = null): LoopFrame => new LoopFrame(3, null, count, outer)

describe("Values by rounds", () => {
  it("are found by the numbers of the rounds, at every depth", () => {
    const table = new ByRound<string>()
    const rounds = [
      null,
      round(0),
      round(7),
      round(0, round(0)),
      round(7, round(0)),
      round(0, round(7)),
      round(1, round(2, round(3)))
    ]
    for (const [at, frame] of rounds.entries()) {
      expect(table.get(frame)).toBeUndefined()
      table.set(frame, `value ${at}`)
    }
    expect(rounds.map((frame) => table.get(frame))).toEqual(rounds.map((_, at) => `value ${at}`))
    expect(table.get(round(7))).toBe("value 2")
    expect(table.get(round(7, round(7)))).toBeUndefined()
  })

  it("keep no round alive", () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    const table = new ByRound<number>()
    const frames = Array.from({ length: 10 }, (_, at) => {
      const frame = round(at, round(at))
      table.set(frame, at)
      return new WeakRef(frame)
    })
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      collect()
      expect(frames.filter((frame) => frame.deref() !== undefined)).toEqual([])
    })
  })
})
