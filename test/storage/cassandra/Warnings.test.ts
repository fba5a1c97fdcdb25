import { afterEach, expect, it, vi } from "vitest"
import { rarely } from "../../../src/storage/cassandra/Warnings.ts"

afterEach(() => {
  vi.useRealTimers()
})

it("One warning of a cluster is passed on in a minute", () => {
  vi.useFakeTimers({ toFake: ["performance"] })
  const texts: Array<string> = []
  const warned = rarely((text) => texts.push(text))
  for (const text of ["1500 tombstones", "1501 tombstones"]) warned(text)
  vi.advanceTimersByTime(59_000)
  warned("1502 tombstones")
  vi.advanceTimersByTime(2_000)
  warned("1503 tombstones")
  expect(texts).toEqual(["1500 tombstones", "1503 tombstones"])
})
