import type { Outlook } from "../janusgraph/cells/Outlook.ts"
import { type DriverError, nodeErrors } from "./NodeErrors.ts"

/** Errors that pass by themselves: nodes are down, overloaded, starting or slow. */
const passing: ReadonlySet<number> = new Set([
  nodeErrors.unavailable,
  nodeErrors.overloaded,
  nodeErrors.bootstrapping,
  nodeErrors.writeTimeout,
  nodeErrors.readTimeout
])

/** What nodes say that have asked for a user or a permission, and got no answer. */
const WITHOUT_ANSWER =
  /\b(?:Unable to perform auth|Error during authentication of user|Cannot achieve consistency level|Operation timed out)/

/**
 * True for the error of a node that refuses a request or a connection because it cannot read the users and permissions, which are rows of
 * the keyspace system_auth: too few of their replicas answer. Its code is that of a wrong password or a missing permission.
 */
export const isWithoutUsers = (error: unknown): boolean => {
  const { code, message, name } = (error ?? {}) as DriverError
  const isOfUsers =
    code === nodeErrors.badCredentials || code === nodeErrors.unauthorized || name === "AuthenticationError"
  return isOfUsers && WITHOUT_ANSWER.test(message ?? "")
}

const outlookOfCode = (code: number): Outlook => {
  if (passing.has(code)) return "passes"
  const isOfStatement = code >= nodeErrors.firstOfStatements && code !== nodeErrors.unprepared
  return code === nodeErrors.badCredentials || isOfStatement ? "stays" : "mayStay"
}

/**
 * Whether a failure passes by itself. The driver's error is somewhere in the chain of causes. A failure without one, such as a time-out, a
 * lost connection or a full queue, passes.
 */
export const outlookOf = (failure: unknown): Outlook => {
  for (let each = failure; each instanceof Error; each = each.cause) {
    const { code, innerErrors, name } = each as DriverError
    if (isWithoutUsers(each)) return "passes"
    if (typeof code === "number") return outlookOfCode(code)
    if (name === "AuthenticationError") return "stays"
    if (name !== "NoHostAvailableError") continue
    // One node that is only down now may serve the next request.
    const all = Object.values(innerErrors ?? {}).map(outlookOf)
    return all.length > 0 && all.every((outlook) => outlook === "stays") ? "stays" : "passes"
  }
  return "passes"
}
