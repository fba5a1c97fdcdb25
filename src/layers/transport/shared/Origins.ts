import type { IncomingHttpHeaders, IncomingMessage } from "node:http"

export { isLoopback } from "../../../services/Console.ts"

/** Origins of pages that this machine serves itself. */
const loopback = /^https?:\/\/(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]+)?$/i

/**
 * Whether a browser may have made a request. Pages set some headers, but they cannot leave `Accept-Language` out, and set none
 * that begins with `Sec-`. Node.js's `fetch` sends `Sec-Fetch-Mode` without `Sec-Fetch-Site`, as no browser does. PowerShell
 * names Mozilla.
 */
const isOfBrowser = (headers: IncomingHttpHeaders): boolean => {
  if (headers["sec-fetch-site"] !== undefined) return true
  if (headers["sec-fetch-mode"] !== undefined) return false
  if (headers["accept-language"] !== undefined) return true
  const agent = headers["user-agent"] ?? ""
  return agent.startsWith("Mozilla/") && !agent.includes("PowerShell")
}

/** A host without its port, in small letters: names of hosts have no case. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:[0-9]*$/, "")

/** Whether the origin of a request is the host that it asks. */
const isOwnOrigin = ({ host = "", origin = "" }: IncomingHttpHeaders): boolean => {
  const [own, page] = [host.toLowerCase(), origin.toLowerCase()]
  return page === `http://${own}` || page === `https://${own}`
}

/**
 * Whether a program that is no browser opens a WebSocket with the name that it asks as its origin. The WebSocket client of
 * Netty does this, and with it each driver for Java. The ports may differ: a proxy may leave the port out of `Host`.
 *
 * @param ofThisMachine whether the server listens only on this machine. A driver needs another name only for a proxy, and has
 * to say what it is: drivers do since TinkerPop 3.6.2.
 */
export const isProgram = ({ headers }: IncomingMessage, ofThisMachine: boolean): boolean =>
  nameOf(headers.host ?? "") === nameOf((headers.origin ?? "").replace(/^https?:\/\//i, "")) &&
  !isOfBrowser(headers) &&
  (!ofThisMachine || headers["user-agent"] !== undefined)

/**
 * Whether a page of the server itself made the request: its origin is the host that it asks. A name that DNS points to this
 * machine is such an origin, too. A page of the server is therefore accepted only where requests need a password, or by a
 * name of this machine. `allowedOrigins` may list others.
 */
export const isOwnPage = ({ headers }: IncomingMessage, asksForPassword: boolean): boolean => {
  if (!isOwnOrigin(headers)) return false
  return asksForPassword || loopback.test(headers.origin!)
}

/**
 * Whether a page of this origin may use the server. Requests without `Origin` are accepted: they are not scripts of a page.
 *
 * @param allowed exact origins, `*`, or `loopback`
 */
export const originAllowed = (origin: string | undefined, allowed: ReadonlyArray<string>): boolean => {
  if (origin === undefined) return true
  for (const entry of allowed) {
    if (entry === "*" || entry === origin || (entry === "loopback" && loopback.test(origin))) return true
  }
  return false
}

/**
 * Whether a page of another site made a browser send this request. An image or a link has no `Origin`, but the browser adds the
 * password that it knows for this server. It marks such a request as cross-site where it trusts the connection: over TLS, and on
 * this machine. Elsewhere only the `Referer` says it, which the page can omit. Requests that say neither are accepted.
 */
export const comesFromElsewhere = ({ headers }: IncomingMessage, allowed: ReadonlyArray<string>): boolean => {
  const { host = "", origin, referer = "", "sec-fetch-site": site } = headers
  if (origin !== undefined || allowed.includes("*")) return false
  if (site !== undefined && site !== "cross-site" && site !== "same-site") return false
  // A page can omit the Referer, but it cannot forge one.
  const page = /^https?:\/\/[^/?#]+/.exec(referer)?.[0]
  if (page === undefined) return site !== undefined
  const isOwn = site === undefined && (page === `http://${host}` || page === `https://${host}`)
  return !isOwn && !originAllowed(page, allowed)
}

/** Hosts that DNS cannot rebind: addresses, and names of this machine. */
const ownName = /^(?:(?:[\w-]+\.)*localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])(?::\d+)?$/i

/**
 * Hosts of a network that no stranger can register: names without a dot, and those below names that the public DNS does not
 * have (RFC 6762 and 8375, `.internal`, the services of a Kubernetes cluster, and those that ICANN keeps out of it).
 */
const privateName =
  /^[\w-]+(?:(?:\.[\w-]+)*\.(?:local|internal|intranet|lan|corp|home|home\.arpa|svc|consul|test))?\.?(?::\d+)?$/i

/**
 * Whether a browser calls the server by a foreign name (DNS rebinding). The owner of the name lets it point to the server, so
 * that the browser takes the server for the page's own and sends no `Origin`.
 *
 * @param ofThisMachine whether the server listens only on this machine, so that names of the network are foreign, too
 */
export const isCalledByForeignName = (
  { headers }: IncomingMessage,
  allowed: ReadonlyArray<string>,
  ofThisMachine: boolean
): boolean => {
  const { host = "", origin } = headers
  if (origin !== undefined || host === "" || ownName.test(host) || !isOfBrowser(headers)) return false
  if (!ofThisMachine && privateName.test(host)) return false
  return (
    !allowed.includes("*") && !originAllowed(`http://${host}`, allowed) && !originAllowed(`https://${host}`, allowed)
  )
}
