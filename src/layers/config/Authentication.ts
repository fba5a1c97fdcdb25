import type {
  AuthenticationHandlerName,
  AuthenticationSettings,
  AuthenticatorName,
  ChannelizerName,
  GraphSettings
} from "../../services/Config.ts"
import type { FileSettings } from "./Fields.ts"
import { failIfMissing, type Report } from "./Report.ts"

/** Addresses that must use up their failed attempts before those of a user name are used up. */
const ADDRESSES_PER_USER = 5

type Transport = "WebSocket" | "HTTP"

const transports = (channelizer: ChannelizerName): ReadonlyArray<Transport> => {
  if (channelizer === "WebSocketChannelizer") return ["WebSocket"]
  if (channelizer === "HttpChannelizer") return ["HTTP"]
  return ["WebSocket", "HTTP"]
}

/** The transports that a handler protects, and the authenticators that it supports, as the manual of JanusGraph Server lists them. */
const handlers: Readonly<
  Record<
    AuthenticationHandlerName,
    { readonly protects: ReadonlyArray<Transport>; readonly supports: ReadonlyArray<AuthenticatorName> }
  >
> = {
  HttpBasicAuthenticationHandler: { protects: ["HTTP"], supports: ["SimpleAuthenticator"] },
  SaslAuthenticationHandler: { protects: ["WebSocket"], supports: ["SimpleAuthenticator"] },
  SaslAndHttpBasicAuthenticationHandler: { protects: ["WebSocket", "HTTP"], supports: ["SimpleAuthenticator"] },
  HttpHMACAuthenticationHandler: { protects: ["HTTP"], supports: ["HMACAuthenticator"] },
  SaslAndHMACAuthenticationHandler: { protects: ["WebSocket", "HTTP"], supports: ["SaslAndHMACAuthenticator"] }
}

const defaultHandler = (
  authenticator: AuthenticatorName,
  channelizer: ChannelizerName
): AuthenticationHandlerName | undefined => {
  if (authenticator === "HMACAuthenticator") return "HttpHMACAuthenticationHandler"
  if (authenticator === "SaslAndHMACAuthenticator") return "SaslAndHMACAuthenticationHandler"
  if (authenticator === "AllowAllAuthenticator") return undefined
  if (channelizer === "WebSocketChannelizer") return "SaslAuthenticationHandler"
  if (channelizer === "HttpChannelizer") return "HttpBasicAuthenticationHandler"
  return "SaslAndHttpBasicAuthenticationHandler"
}

/**
 * Checks what stands beside the authenticator. Without an authenticator it stops the start: nobody should believe in a protection that is
 * off. An administrator who names AllowAllAuthenticator has switched it off, and may keep the block for later. A graph of users that is
 * there stays closed to clients, and the command `credentials` changes it.
 */
const checkRest = (
  { authenticationHandler, authenticator, config = {} }: NonNullable<FileSettings["authentication"]>,
  hasUsers: boolean,
  isOpen: boolean,
  report: Report
): void => {
  const path = ["authentication", "authenticator"]
  const given = Object.keys(config).map((name) => `config.${name}`)
  if (authenticator === undefined) {
    const remedy =
      "name the authenticator, such as SimpleAuthenticator, or AllowAllAuthenticator to leave the server open"
    failIfMissing(report, path, given, remedy)
    if (authenticationHandler === undefined) return
    const reason = "has no effect without an authenticator: set authentication.authenticator, or remove this line"
    report.fail(["authentication", "authenticationHandler"], reason)
    return
  }
  const unused = hasUsers ? given.filter((name) => name !== "config.credentialsDb") : given
  const idle = authenticationHandler === undefined ? unused : ["authenticationHandler", ...unused]
  if (!isOpen || idle.length === 0) return
  report.warn(
    path,
    `AllowAllAuthenticator asks nobody for a password, so these settings beside it have no effect: ${idle.join(", ")}`
  )
}

/** The default limit of a user name. The failures of a few addresses do not use it up. */
const userLimit = (maxFailures: number, { maxUserFailures }: AuthenticationSettings): number =>
  maxUserFailures === 0 ? 0 : Math.max(maxUserFailures, ADDRESSES_PER_USER * maxFailures)

/** Warns if the failures of one address use up those of a user name. Without a limit of addresses this is what was asked for. */
const checkUserLimit = (maxFailures: number, given: number | undefined, report: Report): void => {
  if (maxFailures === 0 || given === undefined || given === 0 || given > maxFailures) return
  report.warn(
    ["authentication", "config", "maxUserFailures"],
    `is not above maxFailures (${maxFailures}), so one address can use up the attempts of a user name, whose user is then refused; set ` +
      `${ADDRESSES_PER_USER * maxFailures}, or remove this line`
  )
}

/**
 * Completes `authentication`, and refuses combinations of authenticator, handler and channelizer that do not fit or leave a
 * transport open.
 */
export const decodeAuthentication = (
  decoded: NonNullable<FileSettings["authentication"]>,
  channelizer: ChannelizerName,
  defaults: AuthenticationSettings,
  credentialsDb: GraphSettings | undefined,
  report: Report
): AuthenticationSettings => {
  const path = ["authentication"]
  const { config = {} } = decoded
  const authenticator = decoded.authenticator ?? defaults.authenticator
  const handler = decoded.authenticationHandler ?? defaultHandler(authenticator, channelizer)
  const isOpen = authenticator === "AllowAllAuthenticator"
  const needsSecret = authenticator === "HMACAuthenticator" || authenticator === "SaslAndHMACAuthenticator"
  const name = typeof channelizer === "string" ? channelizer : channelizer.module
  const maxFailures = config.maxFailures ?? defaults.maxFailures

  checkRest(decoded, credentialsDb !== undefined, isOpen, report)
  if (!isOpen) checkUserLimit(maxFailures, config.maxUserFailures, report)
  if (!isOpen && handler !== undefined) {
    const { protects, supports } = handlers[handler]
    const open = transports(channelizer).filter((transport) => !protects.includes(transport))
    if (!supports.includes(authenticator)) {
      const reason = `${handler} works with ${supports.join(" or ")}, not with ${authenticator}`
      report.fail([...path, "authenticationHandler"], reason)
    } else if (open.length > 0) {
      const reason = `${handler} leaves ${open.join(" and ")} of ${name} without authentication`
      report.fail([...path, "authenticationHandler"], `${reason}; choose another handler or another channelizer`)
    } else if (authenticator === "SaslAndHMACAuthenticator" && transports(channelizer).length < 2) {
      const reason = `${authenticator} is for WebSocket and HTTP on one port, and ${name} has only one of them`
      const other = channelizer === "HttpChannelizer" ? "HMACAuthenticator" : "SimpleAuthenticator"
      report.fail([...path, "authenticator"], `${reason}; set channelizer to WsAndHttpChannelizer, or use ${other}`)
    }
  }
  if (!isOpen && config.credentialsDb === undefined) {
    report.fail([...path, "config", "credentialsDb"], `is missing; ${authenticator} keeps its users in that graph`)
  }
  if (needsSecret && config.hmacSecret === undefined) {
    report.fail([...path, "config", "hmacSecret"], `is missing; ${authenticator} signs its tokens with it`)
  }
  if (!isOpen && (config.defaultUsername === undefined) !== (config.defaultPassword === undefined)) {
    const missing = config.defaultUsername === undefined ? "defaultUsername" : "defaultPassword"
    report.fail([...path, "config", missing], "is missing; set both defaultUsername and defaultPassword, or neither")
  }
  return {
    authenticator,
    authenticationHandler: isOpen ? undefined : handler,
    defaultUsername: config.defaultUsername,
    defaultPassword: config.defaultPassword,
    credentialsDb,
    hmacSecret: config.hmacSecret,
    hmacAlgo: config.hmacAlgo ?? defaults.hmacAlgo,
    tokenTimeout: config.tokenTimeout ?? defaults.tokenTimeout,
    defaultRole: config.defaultRole ?? defaults.defaultRole,
    maxFailures,
    maxUserFailures: config.maxUserFailures ?? userLimit(maxFailures, defaults),
    authenticationTimeout: config.authenticationTimeout ?? defaults.authenticationTimeout
  }
}
