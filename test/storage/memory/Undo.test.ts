import { describe, expect, it } from "vitest"
import { Undo } from "../../../src/storage/memory/Undo.ts"

describe("An undo log", () => {
  it("returns to each snapshot the state before the first commit after it, until it is cut", () => {
    const undo = new Undo<string, string>()
    undo.push("x", 3, "before 3")
    undo.push("x", 5, "before 5")
    undo.push("x", 9, "before 9")
    expect([2, 3, 4, 5, 8, 9].map((snapshot) => undo.at("x", snapshot)?.old)).toEqual([
      "before 3",
      "before 5",
      "before 5",
      "before 9",
      "before 9",
      undefined
    ])
    undo.trim("x", 5)
    expect(undo.at("x", 5)?.old).toBe("before 9")
    expect(undo.some("x", (old) => old === "before 5")).toBe(false)
    expect([undo.changedSince("x", 8), undo.changedSince("x", 9)]).toEqual([true, false])
    undo.trim("x", 9)
    expect(undo.size).toBe(0)
  })
})
