import { describe, expect, it } from "vitest"
import { Pending } from "../../src/scheduling/Pending.ts"

/** Work that a test ends. */
const work = (log: Array<string> = [], name = "work") => {
  let resume: ((error: Error | undefined) => void) | undefined
  return {
    pending: {
      onDone: (done: (error: Error | undefined) => void) => {
        log.push(`${name} began`)
        resume = done
      }
    } satisfies Pending,
    end: (error?: Error) => resume!(error)
  }
}

const outcomeOf = (pending: Pending | undefined) => {
  const outcomes: Array<Error | undefined> = []
  pending!.onDone((error) => outcomes.push(error))
  return outcomes
}

describe("Pending.then", () => {
  it("runs the next work after the first, and ends with it", () => {
    const log: Array<string> = []
    const first = work(log, "first")
    const second = work(log, "second")
    const outcomes = outcomeOf(Pending.then(first.pending, () => second.pending))
    expect(log).toEqual(["first began"])
    first.end()
    expect(log).toEqual(["first began", "second began"])
    expect(outcomes).toEqual([])
    const failure = new Error("the second fails")
    second.end(failure)
    expect(outcomes).toEqual([failure])
  })

  it("ends in the turn of the first work when the next is done at once", () => {
    const first = work()
    const outcomes = outcomeOf(Pending.then(first.pending, () => undefined))
    first.end()
    expect(outcomes).toEqual([undefined])
  })

  it("fails with the error of the first work and does not run the next", () => {
    const first = work()
    const told: Array<Error> = []
    const failed = (error: Error): void => void told.push(error)
    const next = (): never => {
      throw new Error("the next work ran")
    }
    const outcomes = outcomeOf(Pending.then(first.pending, next, failed))
    const failure = new Error("the first fails")
    first.end(failure)
    expect(outcomes).toEqual([failure])
    expect(told).toEqual([failure])
  })

  it("fails with what the next work throws", () => {
    const first = work()
    const failed = (): never => {
      throw new Error("the first work has not failed")
    }
    const next = (): never => {
      throw "a text"
    }
    const outcomes = outcomeOf(Pending.then(first.pending, next, failed))
    first.end()
    expect(outcomes).toEqual([new Error("a text")])
  })
})

describe("Pending.all", () => {
  it("begins all works at once, ends with the last and fails with the first error", () => {
    const log: Array<string> = []
    const works = ["a", "b", "c"].map((name) => work(log, name))
    const outcomes = outcomeOf(Pending.all(works.map(({ pending }) => pending)))
    expect(log).toEqual(["a began", "b began", "c began"])
    works[1]!.end(new Error("b"))
    works[2]!.end(new Error("c"))
    expect(outcomes).toEqual([])
    works[0]!.end()
    expect(outcomes).toEqual([new Error("b")])
  })

  it("is undefined for no work", () => {
    expect(Pending.all([])).toBeUndefined()
  })
})

describe("A promise as pending work", () => {
  it("ends with the promise", async () => {
    await expect(Pending.toPromise(Pending.fromPromise(Promise.resolve(1)))).resolves.toBeUndefined()
  })

  it("keeps a rejection until it is waited for", async () => {
    const pending = Pending.fromPromise(Promise.reject(new Error("refused")))
    await new Promise((resume) => setImmediate(resume))
    await expect(Pending.toPromise(pending)).rejects.toThrow("refused")
  })

  it("gives the answer to its user before the waiter goes on, and fails with what the user throws", async () => {
    const log: Array<unknown> = []
    const used = Pending.fromPromise(Promise.resolve("answer"), (answer) => log.push(answer))
    used.onDone((error) => log.push(error))
    const failure = new Error("cannot be used")
    const failed = Pending.fromPromise(Promise.resolve("answer"), () => {
      throw failure
    })
    failed.onDone((error) => log.push(error))
    await new Promise((resume) => setImmediate(resume))
    expect(log).toEqual(["answer", undefined, failure])
  })

  it("resumes after the call of onDone when the promise has been settled before", async () => {
    const pending = Pending.fromPromise(Promise.resolve())
    await new Promise((resume) => setImmediate(resume))
    const log: Array<string> = []
    pending.onDone(() => log.push("resumed"))
    log.push("called")
    await new Promise((resume) => setImmediate(resume))
    expect(log).toEqual(["called", "resumed"])
  })

  it("is resolved for work that is done", async () => {
    await expect(Pending.toPromise(undefined)).resolves.toBeUndefined()
  })
})
