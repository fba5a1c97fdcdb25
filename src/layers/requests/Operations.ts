import type { RequestMessage } from "../../protocol/Messages.ts"
import { InvalidRequestArguments, UnknownOperation } from "../../services/Errors.ts"
import type { OperationName } from "../../services/Metrics.ts"

/** The error for an operation that does not exist. */
export const unknownOperation = (op: string): UnknownOperation =>
  new UnknownOperation(
    `Message with op code [${op}] is not recognized: there are 'eval', 'bytecode', 'authentication', and 'close' for sessions.`
  )

/** The error for a request of a session over HTTP. */
export const sessionOverHttp = (): InvalidRequestArguments =>
  new InvalidRequestArguments(
    "HTTP has no sessions: each request over HTTP is a transaction of its own. Use a WebSocket for the processor 'session'."
  )

/** The operation in metrics. */
export const operationName = (op: string): OperationName =>
  op === "eval" || op === "bytecode" || op === "close" || op === "authentication" ? op : "other"

/** Whether a message is for a session. Throws InvalidRequestArguments for a processor that does not exist. */
export const isInSession = ({ processor }: RequestMessage): boolean => {
  switch (processor) {
    case "":
    case "standard":
    case "traversal":
      return false
    case "session":
      return true
    default:
      throw new InvalidRequestArguments(
        `Invalid OpProcessor requested [${processor}]: there are '', 'traversal' and 'session'.`
      )
  }
}
