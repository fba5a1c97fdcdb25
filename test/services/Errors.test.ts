import { describe, expect, it } from "vitest"
import { StatusCode } from "../../src/protocol/StatusCode.ts"
import {
  asServerError,
  failureReport,
  InternalError,
  isDefect,
  PartialCommit,
  ServerStopping,
  statuses
} from "../../src/services/Errors.ts"
import { TransactionConflict } from "../../src/structure/errors/StoreErrors.ts"

describe("The table of errors", () => {
  it("gives each error a code of the protocol and an HTTP status", () => {
    const codes = new Set<number>(Object.values(StatusCode))
    for (const [tag, { bytecode, eval: script, http }] of Object.entries(statuses)) {
      expect([tag, codes.has(script), codes.has(bytecode)]).toEqual([tag, true, true])
      expect(script).toBeGreaterThanOrEqual(400)
      expect(bytecode).toBeGreaterThanOrEqual(400)
      expect(http).toBeGreaterThanOrEqual(400)
      expect(http).toBeLessThan(600)
    }
  })

  it("distinguishes errors of the server from defects", () => {
    const conflict = new TransactionConflict("edge 7")
    expect(asServerError(conflict)).toBe(conflict)
    expect(isDefect(new ServerStopping("new"))).toBe(false)
    for (const defect of [new TypeError("x is undefined"), "text", undefined, new RangeError("stack")]) {
      expect(isDefect(defect)).toBe(true)
      expect(asServerError(defect)).toBeInstanceOf(InternalError)
    }
  })

  it("puts a full stop before what a failed request has kept", () => {
    const kept = ["the changes of the graph 'g'"]
    const rest = ". Committed before that, and kept: the changes of the graph 'g'."
    expect(failureReport(new PartialCommit("the rest was rolled back"), kept).message).toBe(
      `the rest was rolled back${rest}`
    )
    expect(failureReport(new PartialCommit("It was rolled back."), kept).message).toBe(`It was rolled back${rest}`)
  })

  it("tells the client that an error is a defect, with its cause", () => {
    const error = asServerError(new TypeError("x is undefined"))
    expect(error.message).toContain("x is undefined")
    expect(error.message).toContain("This is a defect")
    expect(asServerError(error)).toBe(error)
  })
})
