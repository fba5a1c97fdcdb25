import * as Effect from "effect/Effect"
import type { SaslExchange, User } from "../../services/Authenticator.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/**
 * Whether a user's authenticator or authorizer returned a promise where the answer is needed at once. The promise is not
 * awaited, and grants nothing. Its failure must not end the process.
 */
export const isPromise = (value: unknown): boolean => {
  if (!isObject(value) || typeof value.then !== "function") return false
  Promise.resolve(value).catch(() => {})
  return true
}

const isUser = (value: unknown): value is User => isObject(value) && !isPromise(value) && typeof value.name === "string"

/** Whether a value is a user, or an Effect that may give one. The promise of an async function is neither. */
export const isUserOrEffect = (value: unknown): boolean => Effect.isEffect(value) || isUser(value)

/** Whether a value is the SASL exchange of a connection. */
export const isExchange = (value: unknown): value is SaslExchange =>
  isObject(value) && typeof value.respond === "function"

const isMapOrNull = (value: unknown): boolean => value === null || value instanceof Map

/** Whether a value is a complete request: an authorizer that replaces one may omit a field. */
export const isRequest = (value: unknown): value is EvaluationRequest =>
  isObject(value) &&
  !isPromise(value) &&
  (typeof value.gremlin === "string" || isObject(value.gremlin)) &&
  typeof value.requestId === "string" &&
  isMapOrNull(value.bindings) &&
  isMapOrNull(value.aliases) &&
  isUser(value.user)
