import { describe, expect, it } from "vitest"
import { Permits } from "../../../src/storage/cassandra/Permits.ts"
import { Requests } from "../../../src/storage/cassandra/Requests.ts"

/** More than the calls that fit on the stack, if each of them calls the next one. */
const MANY = 5_000

describe("Permits", () => {
  it("are all returned when many waiting requests end as soon as they begin", () => {
    const permits = new Permits(() => 1, 60_000)
    let ended = 0
    const end = (): void => {
      ended++
      permits.release()
    }
    const refuse = (): void => {
      throw new Error("refused")
    }
    permits.take(() => undefined, refuse)
    for (let i = 0; i < MANY; i++) permits.take(end, refuse)
    permits.release()
    expect([ended, permits.taken, permits.waiting]).toEqual([MANY, 0, 0])
  })

  it("are given in the order of the queue, also while requests end as soon as they begin", () => {
    const permits = new Permits(() => 2, 60_000)
    const order: Array<number> = []
    const refuse = (): void => undefined
    for (const held of [0, 1]) permits.take(() => order.push(held), refuse)
    for (let i = 2; i < 6; i++) {
      permits.take(() => {
        order.push(i)
        permits.release()
      }, refuse)
    }
    permits.take(() => order.push(6), refuse)
    permits.take(() => order.push(7), refuse)
    permits.release()
    expect([order, permits.taken, permits.waiting]).toEqual([[0, 1, 2, 3, 4, 5, 6], 2, 1])
  })
})

describe("Requests that are over when their turn comes", () => {
  it("all fail, and those behind them are sent", async () => {
    const requests = new Requests("Cassandra", () => ({ count: 1, perNode: 1, nodes: 1, workers: 1 }), 60_000)
    let answer: (value: string) => void = () => undefined
    const first = requests.start<string>("read", (answered) => {
      answer = answered
    })
    const over = Array.from({ length: MANY }, () =>
      requests.start("read", (_, failed) => failed(new Error("the reader has ended")))
    )
    const last = requests.run("written", async () => "written")
    answer("read")
    const outcomes = await Promise.allSettled(over)
    expect(new Set(outcomes.map((each) => (each.status === "rejected" ? each.reason.message : each.status)))).toEqual(
      new Set(["the reader has ended"])
    )
    expect([await first, await last, requests.inFlight, requests.waiting]).toEqual(["read", "written", 0, 0])
  })
})
