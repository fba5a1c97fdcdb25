import { describe, expect, it } from "vitest"
import { BusyProcess } from "../../../src/layers/commands/BusyProcess.ts"

/** The checks of a process whose event loop and machine are as given. */
const checks = (
  measured: ReadonlyArray<readonly [utilization: number, idleProcessors: number]>
): { readonly news: ReadonlyArray<boolean>; readonly hint: string | undefined } => {
  let at = 0
  const busy = new BusyProcess({ utilization: () => measured[at]![0], idleProcessors: () => measured[at]![1] })
  const news = measured.map((_, i) => {
    at = i
    return busy.check()
  })
  return { news, hint: busy.hint }
}

describe("A server of one process", () => {
  it("hints at workers once when it was busy for a minute while a processor was idle", () => {
    const { hint, news } = checks(Array.from({ length: 8 }, () => [0.95, 3.1] as const))
    expect(news).toEqual([false, false, false, false, false, true, false, false])
    expect(hint).toBe("this process has been busy for a minute while 3 processors were idle")
  })

  it("does not hint while it is idle for a part of the minute", () => {
    const { hint, news } = checks([...Array.from({ length: 5 }, () => [0.95, 3] as const), [0.5, 3], [0.95, 3]])
    expect(news).not.toContain(true)
    expect(hint).toBeUndefined()
  })

  it("does not hint while other programs use the other processors", () => {
    const { hint } = checks(Array.from({ length: 10 }, () => [0.95, 0.1] as const))
    expect(hint).toBeUndefined()
  })

  it("takes the hint back when it is no longer busy", () => {
    expect(checks([...Array.from({ length: 6 }, () => [0.95, 1] as const), [0.1, 1]]).hint).toBeUndefined()
  })
})
