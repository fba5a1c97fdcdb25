import { expect, it } from "vitest"
import { requestFailure, tooBusy, tooLate, unknownOutcome } from "../../../src/storage/cassandra/Failures.ts"
import { outlookOf } from "../../../src/storage/cassandra/Outlook.ts"

/** The outlooks of a read, a write, and a commit that fail with an error of the driver. */
const outlooks = (error: object, message = "no"): ReadonlyArray<string> => {
  const cause = Object.assign(new Error(message), error)
  const written = requestFailure("cql:a/g", "written", cause)
  return [requestFailure("cql:a/g", "read", cause), written, unknownOutcome(written)].map(outlookOf)
}

const all = (outlook: string): ReadonlyArray<string> => [outlook, outlook, outlook]

it("What is slow, down or overloaded passes", () => {
  for (const code of [0x1000, 0x1001, 0x1002, 0x1100, 0x1200]) expect(outlooks({ code })).toEqual(all("passes"))
  expect(outlooks({ name: "OperationTimedOutError" })).toEqual(all("passes"))
  expect(outlooks({ code: "ECONNRESET" })).toEqual(all("passes"))
  const innerErrors = { one: "Host considered as DOWN", two: Object.assign(new Error("no"), { code: 0x2100 }) }
  expect(outlooks({ name: "NoHostAvailableError", innerErrors })).toEqual(all("passes"))
  expect(outlooks({ name: "NoHostAvailableError", innerErrors: {} })).toEqual(all("passes"))
  expect(outlookOf(tooLate("cql:a/g", "read", 10))).toBe("passes")
  expect(outlookOf(tooBusy("cql:a/g", { count: 10, perNode: 10, nodes: 1, workers: 1 }))).toBe("passes")
})

it("What a node refuses because it cannot read users and permissions passes", () => {
  for (const text of [
    "Unable to perform authorization of permissions: Unable to perform authorization of super-user permission: Cannot achieve consistency level LOCAL_ONE",
    "Unable to perform authorization of permissions: Operation timed out - received only 0 responses.",
    "Unable to perform authentication: Cannot achieve consistency level QUORUM",
    "Error during authentication of user graph : Operation timed out - received only 0 responses.",
    "Authentication error: Cannot achieve consistency level for cl ONE. Requires 1, alive 0"
  ]) {
    for (const error of [{ code: 0x0100 }, { code: 0x2100 }, { name: "AuthenticationError" }]) {
      expect(outlooks(error, text)).toEqual(all("passes"))
      const innerErrors = { one: Object.assign(new Error(text), error) }
      expect(outlooks({ name: "NoHostAvailableError", innerErrors })).toEqual(all("passes"))
    }
    expect(outlooks({ code: 0x2200 }, text)).toEqual(all("stays"))
  }
})

it("What the cluster refuses stays, and an error of a node or of replicas may stay", () => {
  for (const code of [0x0100, 0x2000, 0x2100, 0x2200]) expect(outlooks({ code })).toEqual(all("stays"))
  for (const code of [0x0000, 0x1300, 0x1500]) expect(outlooks({ code })).toEqual(all("mayStay"))
  const innerErrors = { one: Object.assign(new Error("no"), { name: "AuthenticationError" }) }
  expect(outlooks({ name: "NoHostAvailableError", innerErrors })).toEqual(all("stays"))
})
