import * as Effect from "effect/Effect"
import type { SaslExchange, User } from "../../services/Authenticator.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/**
 * Whether a part that somebody else wrote gave a promise where its answer counts at once. Nobody waits for it, and nobody
 * must be let in for it; that it fails must not end the process.
 */
export const isPromise = (value: unknown): boolean => {
  if (!isObject(value) || typeof value.then !== "function") return false
  Promise.resolve(value).catch(() => {})
  return true
}

const isUser = (value: unknown): value is User => isObject(value) && !isPromise(value) && typeof value.name === "string"

/** Somebody who was let in, or an Effect that says who it is. An async function gives neither. */
export const isUserOrEffect = (value: unknown): boolean => Effect.isEffect(value) || isUser(value)

/** The SASL exchange of a connection. */
export const isExchange = (value: unknown): value is SaslExchange =>
  isObject(value) && typeof value.respond === "function"

const isMapOrNull = (value: unknown): boolean => value === null || value instanceof Map

/** A request that can be evaluated: whoever puts another in its place may have left something out. */
export const isRequest = (value: unknown): value is EvaluationRequest =>
  isObject(value) &&
  !isPromise(value) &&
  (typeof value.gremlin === "string" || isObject(value.gremlin)) &&
  typeof value.requestId === "string" &&
  isMapOrNull(value.bindings) &&
  isMapOrNull(value.aliases) &&
  isUser(value.user)
