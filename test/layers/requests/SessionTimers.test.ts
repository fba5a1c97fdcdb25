import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { SessionTimers } from "../../../src/layers/requests/SessionTimers.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Timers of a session whose transactions may be open for 100 ms, and the ages at which one was too old. */
const timersOf = (open: () => ReadonlyArray<object>) => {
  const settings = { idleTransactionTimeout: 0, maxTransactionLifetime: 100, sessionTimeout: 0 }
  const begun = performance.now()
  const expired: Array<number> = []
  const timers = new SessionTimers(settings, {
    sessionIdle: () => undefined,
    transactionIdle: () => undefined,
    transactionOld: () => expired.push(Math.round(performance.now() - begun)),
    snapshots: open
  })
  return { timers, expired }
}

it("The lifetime of a transaction begins anew when another one takes its place", () => {
  let open: ReadonlyArray<object> = [{}]
  const { expired, timers } = timersOf(() => open)
  timers.transactions()
  vi.advanceTimersByTime(80)
  open = [{}]
  timers.transactions()
  vi.advanceTimersByTime(90)
  expect(expired).toEqual([])
  vi.advanceTimersByTime(20)
  expect(expired).toEqual([180])
})

it("The lifetime of a transaction begins anew when the old one ends while a request runs", () => {
  let open: ReadonlyArray<object> = [{}]
  const { expired, timers } = timersOf(() => open)
  timers.transactions()
  open = [{}]
  vi.advanceTimersByTime(190)
  expect(expired).toEqual([])
  vi.advanceTimersByTime(20)
  expect(expired).toEqual([200])
})

it("The oldest of several transactions has the lifetime", () => {
  const [first, second] = [{}, {}]
  let open: ReadonlyArray<object> = [first]
  const { expired, timers } = timersOf(() => open)
  timers.transactions()
  vi.advanceTimersByTime(50)
  open = [{}, first, second]
  timers.transactions()
  vi.advanceTimersByTime(60)
  expect(expired).toEqual([100])
  open = []
  timers.transactions()
  vi.advanceTimersByTime(500)
  expect(expired).toEqual([100])
})

it("The lifetime of a transaction that has ended ends nothing", () => {
  let open: ReadonlyArray<object> = [{}]
  const { expired, timers } = timersOf(() => open)
  timers.transactions()
  open = []
  vi.advanceTimersByTime(150)
  open = [{}]
  timers.transactions()
  vi.advanceTimersByTime(90)
  expect(expired).toEqual([])
  vi.advanceTimersByTime(20)
  expect(expired).toEqual([250])
})
