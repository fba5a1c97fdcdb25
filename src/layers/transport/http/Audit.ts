import { auditLine } from "../../../services/AuditLine.ts"
import { clientAddress } from "../shared/ClientAddress.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"
import { shownPath } from "./RequestTarget.ts"

/** A request to a reserved path, and the server that it reached. */
interface Called {
  readonly management: ManagementRequest
  readonly context: TransportContext
}

/** Writes an audit line with the user and the address of a request, and with `notes`. Does nothing without `enableAuditLog`. */
export const audit = (
  what: string,
  { context, management: { request, user } }: Called,
  notes: Readonly<Record<string, unknown>>
): void => {
  if (!context.settings.enableAuditLog) return
  const line = auditLine(what, { user: user?.name ?? "", address: clientAddress(request.socket), ...notes })
  context.runFork("The audit of a request failed", line, () => {})
}

/** The method and the path of a request, for its audit line. Bodies have secrets, such as `storage.password`. */
const asText = ({ path, request }: ManagementRequest): string => `${request.method} ${shownPath(path)}`

/** Writes the audit line of a request that is going to change something. */
export const auditChange = (called: Called, notes: Readonly<Record<string, unknown>> = {}): void =>
  audit("Audit", called, { request: asText(called.management), ...notes })

/** Refuses a request that its user may not send: 403, with an audit line. */
export const refuseUser = (called: Called, message: string): void => {
  audit("Audit: not allowed", called, { request: asText(called.management) })
  refuseManagement(called.management, 403, message)
}
