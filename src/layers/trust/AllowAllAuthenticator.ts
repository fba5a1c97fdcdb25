import * as Layer from "effect/Layer"
import { Authenticator, anonymous } from "../../services/Authenticator.ts"

/** No authentication: the default without an `authentication` block. */
export const layer: Layer.Layer<Authenticator> = Layer.succeed(Authenticator, {
  required: false,
  http: () => anonymous,
  sasl: () => ({ respond: () => anonymous }),
  isCurrent: () => true,
  token: undefined
})
