import * as Layer from "effect/Layer"
import { Authenticator, anonymous } from "../../services/Authenticator.ts"

/** Asks nobody: what the server does without an `authentication` block. */
export const layer: Layer.Layer<Authenticator> = Layer.succeed(Authenticator, {
  required: false,
  http: () => anonymous,
  sasl: () => ({ respond: () => anonymous }),
  isCurrent: () => true,
  token: undefined
})
