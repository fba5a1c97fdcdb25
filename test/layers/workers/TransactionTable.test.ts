import { describe, expect, it, onTestFinished, vi } from "vitest"
import { lostTransactions } from "../../../src/layers/requests/LostTransactions.ts"
import { boundsOf } from "./Regions.ts"

const HOURS_MS = 3_600_000

describe("The lost transactions of a server", () => {
  const tables = [
    { of: "one process", marks: async () => [lostTransactions(), undefined] as const },
    { of: "two workers", marks: async () => (await boundsOf(2)).map(({ transactions }) => transactions) }
  ]

  for (const { marks, of } of tables) {
    it(`of ${of} are known once, to the user who had them`, async () => {
      const [own, other = own!] = await marks()
      own!("marko", "s").lose("changes")
      own!("marko", "t").lose("outcome")
      // A name of a user and a name of a session cannot be mistaken for others.
      expect(other("mark", "os").takeLoss()).toBeUndefined()
      expect(other("josh", "s").takeLoss()).toBeUndefined()
      expect([other("marko", "s").takeLoss(), other("marko", "s").takeLoss()]).toEqual(["changes", undefined])
      expect(other("marko", "t").takeLoss()).toBe("outcome")
      own!("marko", "s").lose("outcome")
      expect([other("marko", "s").loss(), own!("marko", "s").loss()]).toEqual(["outcome", "outcome"])
      own!("marko", "s").lose("changes")
      expect([other("marko", "s").takeLoss(), own!("marko", "s").takeLoss()]).toEqual(["changes", undefined])
      own!("marko", "s").lose("state")
      expect([other("marko", "s").loss(), own!("marko", "s").takeLoss()]).toEqual(["state", "state"])
    })

    it(`of ${of} are forgotten after eight hours`, async () => {
      let now = 1_000 * HOURS_MS
      vi.spyOn(process, "hrtime").mockImplementation(() => [Math.floor(now / 1_000), 0])
      vi.spyOn(performance, "now").mockImplementation(() => now)
      onTestFinished(() => void vi.restoreAllMocks())
      const [own] = await marks()
      own!("", "s").lose("changes")
      own!("", "t").lose("changes")
      now += 7.9 * HOURS_MS
      expect(own!("", "s").takeLoss()).toBe("changes")
      now += 0.2 * HOURS_MS
      expect(own!("", "t").takeLoss()).toBeUndefined()
    })

    it(`of ${of} are at least four thousand, and the first ones are forgotten first`, async () => {
      let now = 1_000 * HOURS_MS
      vi.spyOn(process, "hrtime").mockImplementation(() => [Math.floor(now / 1_000), 0])
      onTestFinished(() => void vi.restoreAllMocks())
      const [own, other = own!] = await marks()
      for (let i = 0; i < 40_000; i++) {
        if (i % 4_000 === 0) now += 1_000
        own!("", String(i)).lose("changes")
      }
      const known = (i: number) => other("", String(i)).takeLoss() !== undefined
      expect(Array.from({ length: 4_000 }, (_, i) => known(36_000 + i)).filter((one) => !one)).toEqual([])
      expect(Array.from({ length: 4_000 }, (_, i) => known(i)).filter((one) => one)).toEqual([])
    })
  }

  it("of two workers keep the transactions that are open", async () => {
    const [own, other] = (await boundsOf(2)).map(({ transactions }) => transactions)
    const held = Array.from({ length: 4_000 }, (_, i) => own!("", `open ${i}`))
    for (const mark of held) mark.hold("changes")
    for (let i = 0; i < 40_000; i++) other!("", String(i)).lose("changes")
    for (const mark of held) mark.lose("outcome")
    const known = held.filter((_, i) => other!("", `open ${i}`).takeLoss() === "outcome")
    expect(known).toHaveLength(4_000)
  })
})
