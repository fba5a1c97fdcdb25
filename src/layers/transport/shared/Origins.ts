import type { IncomingMessage } from "node:http"

/** Hosts of a machine's own pages. */
const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?$/

/**
 * Whether a page of this origin may use the server. Without an Origin header the client is not a browser's page.
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
 * Whether a page of another site made a browser send this: an image or a link has no Origin header, but the browser sends
 * along whatever password it knows for this server.
 */
export const comesFromElsewhere = ({ headers }: IncomingMessage, allowed: ReadonlyArray<string>): boolean => {
  const site = headers["sec-fetch-site"]
  if (site === undefined || headers.origin !== undefined) return false
  if ((site !== "cross-site" && site !== "same-site") || allowed.includes("*")) return false
  // A page may keep it back, and cannot make up another one.
  const page = /^https?:\/\/[^/?#]+/.exec(headers.referer ?? "")?.[0]
  return page === undefined || !originAllowed(page, allowed)
}

/** Names that no page's server can have: an address, or this machine. */
const ownName = /^(?:(?:[\w-]+\.)*localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])(?::\d+)?$/i

/**
 * Whether a browser calls a server of this machine by the name of another: somebody who owns the name lets it point here,
 * so that the page's own address is that of the server (DNS rebinding), and needs no Origin. Programs say no language.
 */
export const isCalledByForeignName = ({ headers }: IncomingMessage, allowed: ReadonlyArray<string>): boolean => {
  const { host = "", origin } = headers
  if (origin !== undefined || ownName.test(host) || host === "") return false
  if (headers["accept-language"] === undefined && !headers["user-agent"]?.startsWith("Mozilla/")) return false
  return (
    !allowed.includes("*") && !originAllowed(`http://${host}`, allowed) && !originAllowed(`https://${host}`, allowed)
  )
}
