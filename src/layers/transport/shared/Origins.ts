import type { IncomingMessage } from "node:http"

export { isLoopback } from "../../../services/Console.ts"

/** Origins of pages that this machine serves itself. */
const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?$/

/**
 * Whether a page of the server itself made the request: its origin is the host that it asks. A name that DNS points to this
 * machine is such an origin, too. A page of the server is therefore accepted only where requests need a password, or by a
 * name of this machine. `allowedOrigins` may list others.
 */
export const isOwnPage = ({ headers }: IncomingMessage, asksForPassword: boolean): boolean => {
  const { host = "", origin } = headers
  if (origin !== `http://${host}` && origin !== `https://${host}`) return false
  return asksForPassword || loopback.test(origin)
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
 * Whether a browser calls a server of this machine by a foreign name (DNS rebinding). The owner of the name lets it point
 * to this machine, so that the browser takes the server for the page's own and sends no `Origin`. A request is taken for a
 * browser's when it has `Accept-Language` or a `User-Agent` of Mozilla.
 */
export const isCalledByForeignName = ({ headers }: IncomingMessage, allowed: ReadonlyArray<string>): boolean => {
  const { host = "", origin } = headers
  if (origin !== undefined || ownName.test(host) || host === "") return false
  if (headers["accept-language"] === undefined && !headers["user-agent"]?.startsWith("Mozilla/")) return false
  return (
    !allowed.includes("*") && !originAllowed(`http://${host}`, allowed) && !originAllowed(`https://${host}`, allowed)
  )
}
