import { reasonOf } from "../../structure/errors/Reason.ts"
import { CommitOutcomeUnknown, StorageFailure, StorageUnavailable } from "../../structure/errors/StoreErrors.ts"
import { type DriverError, nodeErrors } from "./NodeErrors.ts"
import { isWithoutUsers } from "./Outlook.ts"

/** Error codes of requests that a node refuses before it reads or writes data. */
const refusals: ReadonlySet<unknown> = new Set([nodeErrors.badCredentials, nodeErrors.unauthorized, nodeErrors.invalid])

/** The reason of each node that was asked, at most eight. */
const nodes = ({ innerErrors }: DriverError): string => {
  const reasons = Object.entries(innerErrors ?? {}).map(([host, cause]) => `${host}: ${reasonOf(cause)}`)
  return reasons.length === 0 ? "no node is known to be up" : reasons.slice(0, 8).join("; ")
}

/** The driver's reason for a host that it did not ask. */
const DOWN = "Host considered as DOWN"
/** Errors of a pool of connections that has none for a request. */
const NO_CONNECTION = /^(?:No connection available|All connections to host )/

/** True for the driver's reason why it did not send a request to a node. */
const isNotSent = (reason: unknown): boolean =>
  reason === DOWN ||
  (reason as DriverError)?.requestNotWritten === true ||
  (reason instanceof Error && NO_CONNECTION.test(reason.message))

/** True for the answer of a node that too few replicas are up. A node finds this before it writes anything. */
const isUnavailable = (cause: unknown): boolean => (cause as DriverError)?.code === nodeErrors.unavailable

/**
 * True when no node has begun the request: each is down, has no usable connection, lost it before the request was written, or has
 * answered that too few replicas are up, or the node of the error has refused it. A node that got the request, and did not answer, has
 * another reason.
 */
const hasNotBegun = (cause: unknown): boolean => {
  const error = cause as DriverError
  if (isUnavailable(cause) || refusals.has(error?.code)) return true
  return (
    error?.name === "NoHostAvailableError" &&
    Object.values(error.innerErrors ?? {}).every((inner) => isUnavailable(inner) || isNotSent(inner))
  )
}

/**
 * True when the driver has given the request to no node: each is down, has no connection with room for it, or lost it before the request
 * was written.
 */
export const foundNoConnection = (cause: unknown): boolean => {
  const { innerErrors = {}, name } = cause as DriverError
  return name === "NoHostAvailableError" && Object.values(innerErrors).every(isNotSent)
}

/** A failed write may have been applied in part, so the advice is not to repeat it. */
const adviceAfter = (doing: string, wasSent = true): string =>
  doing === "written" && wasSent
    ? "Look at the nodes (nodetool status)."
    : "Look at the nodes (nodetool status), and run the request again."

/** What happened and what to do. `doing` is the operation that failed: "read", "written" or "opened". */
const failureText = (location: string, doing: string, cause: unknown, wasSent = !hasNotBegun(cause)): string => {
  const error = cause as DriverError
  const what = `${location} was not ${doing}`
  const replicas = (of: number | undefined, needed: number | undefined) =>
    `${of ?? 0} of the ${needed ?? "needed"} replicas that the consistency level asks for`
  const advice = adviceAfter(doing, wasSent)
  if (error?.name === "NoHostAvailableError")
    return `${what}: no node of the cluster answers (${nodes(error)}). ${advice}`
  if (error?.name === "OperationTimedOutError") {
    return `${what}: a node did not answer in time (storage.cql.request-timeout). ${advice}`
  }
  if (isWithoutUsers(error)) {
    return (
      `${what}: a node could not read users and permissions (${reasonOf(cause)}). ${advice} The keyspace system_auth needs replicas ` +
      "on several nodes."
    )
  }
  switch (error?.code) {
    case nodeErrors.unavailable:
      return `${what}: only ${replicas(error.alive, error.required)} are up. ${advice}`
    case nodeErrors.readTimeout:
    case nodeErrors.writeTimeout:
      return `${what}: only ${replicas(error.received, error.blockFor)} answered in time. ${advice}`
    case nodeErrors.readFailure:
    case nodeErrors.writeFailure:
      return `${what}: replicas failed (${reasonOf(cause)}). Look at the nodes' logs.`
    case nodeErrors.overloaded:
    case nodeErrors.bootstrapping:
      return `${what}: the node is overloaded or starting. ${advice}`
    case nodeErrors.badCredentials:
      return `${what}: the cluster refuses the user or the password (storage.username, storage.password).`
    case nodeErrors.unauthorized:
      return `${what}: the user of storage.username may not (${reasonOf(cause)}). Grant it SELECT and MODIFY on the keyspace.`
    default:
      return `${what}: ${reasonOf(cause)}.`
  }
}

/** A write that has changed nothing: it was not sent, or the cluster refused it before execution. */
export class NotApplied extends StorageUnavailable {}

/**
 * A single write of rows that may have been applied. What it means for its commit, the commit says: {@link notBegun}, {@link notClaimed},
 * {@link unknownOutcome}. Clients get one of those.
 */
class PerhapsApplied extends StorageUnavailable {
  /** The reason without the sentence about the possible write. */
  readonly reason: string
  constructor(reason: string, cause: unknown) {
    super(`${reason} The write may have been applied in part or whole.`, { cause })
    this.reason = reason
  }
}

/** The error of a mutation of which some requests were applied and another was not. */
export const partlyApplied = (cause: unknown): StorageFailure => new PerhapsApplied(reasonOf(cause), cause)

/** True for the error of a write that a node has refused because of what it is: the node did not execute it. */
export const wasNotExecuted = (failure: unknown): boolean =>
  failure instanceof NotApplied &&
  refusals.has((failure.cause as DriverError | undefined)?.code) &&
  !isWithoutUsers(failure.cause)

/**
 * The error of a failed request. It is StorageUnavailable, because the next request may succeed. It is NotApplied when the node of the
 * error has refused a write, or no node has begun it. Other nodes may have got it, too: see {@link writeFailure}.
 */
export const requestFailure = (location: string, doing: "read" | "written", cause: unknown): StorageFailure => {
  if (cause instanceof StorageFailure) return cause
  return failureWith(doing, failureText(location, doing, cause), cause)
}

const failureWith = (doing: "read" | "written", text: string, cause: unknown): StorageFailure => {
  if (doing === "read") return new StorageUnavailable(text, { cause })
  return hasNotBegun(cause) ? new NotApplied(text, { cause }) : new PerhapsApplied(text, cause)
}

/**
 * The error of a failed write. The error of the driver is that of the last node. `wasSent`: another node got the write, and may have
 * applied it.
 */
export const writeFailure = (location: string, cause: unknown, wasSent: boolean): StorageFailure => {
  const failure = requestFailure(location, "written", cause)
  return wasSent && failure instanceof NotApplied
    ? new PerhapsApplied(failureText(location, "written", cause, true), cause)
    : failure
}

/** Why a request failed, without the sentence about a possible write. */
const reasonOfWrite = (cause: unknown): string => (cause instanceof PerhapsApplied ? cause.reason : reasonOf(cause))

/** The error of a commit whose entry in a log failed, before any row of the graph was written. A log changes no element. */
export const notBegun = (cause: unknown): StorageFailure => {
  if (cause instanceof NotApplied) return cause
  return new NotApplied(`${reasonOfWrite(cause)} The commit has changed nothing in the graph: run it again.`, { cause })
}

/** The error of a claim, of a lock or of ids, that was not written in time. A claim that is there nevertheless changes no element. */
export const notClaimed = (cause: unknown): unknown => {
  if (!(cause instanceof PerhapsApplied)) return cause
  const rest = "Only a claim was to be written, so nothing in the graph has changed: run it again."
  return new NotApplied(`${cause.reason} ${rest}`, { cause })
}

/** The error of a commit that failed while it was written: it may have been applied in part or whole. */
export const unknownOutcome = (cause: unknown): CommitOutcomeUnknown =>
  new CommitOutcomeUnknown(reasonOfWrite(cause), { cause })

/** The error of a request that did not end within `timeout` ms. */
export const tooLate = (location: string, doing: "read" | "written", timeout: number): StorageFailure => {
  const reason = `there was no answer within storage.cql.request-timeout=${timeout} ms`
  return failureWith(doing, `${location} was not ${doing}: ${reason}. ${adviceAfter(doing)}`, new Error(reason))
}

/** The requests that may be in flight. */
export interface RequestLimit {
  /** Those of this process. */
  readonly count: number
  /** `storage.cql.back-pressure-limit`: those of the whole server for each node. */
  readonly perNode: number
  /** The nodes of the local datacenter that are up. */
  readonly nodes: number
  /** The processes of the server, which have equal parts. */
  readonly workers: number
}

/** The error of a request that waited too long in the queue and was not sent. */
export const tooBusy = (location: string, { count, nodes, perNode, workers }: RequestLimit): StorageFailure =>
  new NotApplied(
    `${location} has too many requests waiting: ${count} are in flight, and none ended in time. The limit is ` +
      `storage.cql.back-pressure-limit=${perNode} for each node that is up (${nodes})` +
      `${workers === 1 ? "" : `, divided by the ${workers} worker processes of the server`}. Look at the load of the nodes, and run the ` +
      "request again."
  )

/** The error of a read whose transaction has ended before it was sent. No client sees it. */
export const readerEnded = (location: string): StorageFailure =>
  new NotApplied(`${location} was not read: the transaction that asked for it has ended.`)

/** Errors of nodes that one row can cause: many tombstones, a damaged file, a partition that takes too long. */
const errorsOfRows: ReadonlySet<unknown> = new Set([nodeErrors.server, nodeErrors.readTimeout, nodeErrors.readFailure])

/** True if one of the rows of a statement may be the reason why it failed. */
export const mayLieInOneRow = (failure: unknown): boolean =>
  failure instanceof StorageFailure && errorsOfRows.has((failure.cause as DriverError | undefined)?.code)

/** True if a node does not accept the statement: a guardrail of the cluster may limit its rows. */
export const isInvalidStatement = (failure: unknown): boolean =>
  failure instanceof StorageFailure && (failure.cause as DriverError | undefined)?.code === nodeErrors.invalid

/** What the errors of nodes say about TLS; empty when they say nothing. `isTls`: the options ask for it. */
const tlsAdvice = ({ innerErrors }: DriverError, isTls: boolean): string => {
  const all = Object.values(innerErrors ?? {}) as ReadonlyArray<DriverError | undefined>
  const isCode = (pattern: RegExp) => all.some((inner) => pattern.test(String(inner?.code ?? "")))
  const isSilent = all.some(
    (inner) => inner?.isSocketError === true || inner?.name === "OperationTimedOutError" || inner?.code === "ECONNRESET"
  )
  if (!isTls && isSilent) {
    return (
      " A node has accepted the connection, but has not answered. If the nodes demand TLS, set storage.cql.ssl.enabled=true and " +
      "storage.cql.ssl.truststore.location."
    )
  }
  if (isTls && isCode(/^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/)) {
    return " A node has not answered with TLS, which storage.cql.ssl.enabled=true asks for."
  }
  if (isTls && isCode(/CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA/)) {
    return " A node demands a certificate of this server: set storage.cql.ssl.keystore.location."
  }
  return ""
}

/** The error of a graph that could not be opened. `isTls`: whether the connection that failed uses TLS; undefined once it exists. */
export const openingFailure = (location: string, cause: unknown, isTls?: boolean): StorageFailure => {
  if (cause instanceof StorageFailure) return cause
  const error = cause as DriverError
  const refused = error?.name === "NoHostAvailableError" ? authentication(error) : undefined
  if (refused !== undefined || isOfPassword(error)) {
    return new StorageFailure(
      `The cluster of ${location} refuses the user or the password (${refused ?? reasonOf(cause)}): set storage.username and ` +
        "storage.password.",
      { cause }
    )
  }
  if (error?.name === "NoHostAvailableError") {
    return new StorageFailure(
      `No node of ${location} can be reached (${nodes(error)}). Check that Cassandra runs there, that storage.hostname ` +
        "and storage.port are its CQL address, and that storage.cql.local-datacenter is the name of its datacenter." +
        (isTls === undefined ? "" : tlsAdvice(error, isTls)),
      { cause }
    )
  }
  return new StorageFailure(failureText(location, "opened", cause), { cause })
}

/** The error of a statement that changes the schema, which had `timeout` ms. */
export const schemaFailure = (location: string, statement: string, timeout: number, cause: unknown): StorageFailure => {
  if ((cause as DriverError)?.name !== "OperationTimedOutError") return openingFailure(location, cause)
  const [what] = statement.split(" WITH ")
  return new StorageFailure(
    `No node of ${location} has answered "${what}" within ${timeout / 1000} s. Look at the nodes: nodetool status, and nodetool ` +
      "describecluster, where all nodes must have the same version of the schema. Then open the graph again.",
    { cause }
  )
}

/** The error of nodes that have different schemas `timeout` ms after a statement that changes the schema. */
export const schemaDisagreement = (location: string, statement: string, timeout: number): StorageFailure => {
  const [what] = statement.split(" WITH ")
  return new StorageFailure(
    `The nodes of ${location} have different versions of the schema ${timeout / 1000} s after "${what}". Look at the nodes: nodetool ` +
      "describecluster names their versions. Then open the graph again."
  )
}

/** True when no node answered, so that the cluster may still be starting. */
export const isUnreachable = (failure: unknown): boolean => {
  const cause = failure instanceof StorageFailure ? (failure.cause as DriverError | undefined) : undefined
  if (cause?.name === "NoHostAvailableError") return authentication(cause) === undefined
  return cause?.name === "OperationTimedOutError" || isWithoutUsers(cause)
}

/** True for the error of a node that knows the users, and refuses the user or the password. */
const isOfPassword = (error: DriverError | undefined): boolean =>
  (error?.name === "AuthenticationError" || error?.code === nodeErrors.badCredentials) && !isWithoutUsers(error)

/** The message of a node that refused the credentials. */
const authentication = ({ innerErrors }: DriverError): string | undefined =>
  Object.values(innerErrors ?? {})
    .filter((inner) => isOfPassword(inner as DriverError | undefined))
    .map((inner) => reasonOf(inner))[0]
