import type { AddressInfo } from "node:net"
import { hasConsole } from "../../services/Console.ts"
import { hostAndPort } from "../../services/ListenAddress.ts"
import type { ServerSettings } from "../../services/Settings.ts"

/** The log line at the start, which shows how to send a first request, and where the console is. */
export const hint = (settings: ServerSettings, { address, port }: AddressInfo): string => {
  const { authentication, channelizer, ssl } = settings
  const named = address === "0.0.0.0" || address === "::" ? "localhost" : address
  const host = hostAndPort(named, port)
  const required = authentication.authenticator !== "AllowAllAuthenticator"
  const who = required ? "-u <user>:<password> " : ""
  const page = `${ssl.enabled ? "https" : "http"}://${host}/`
  const browser = hasConsole(settings, required) ? `, or open ${page} in a browser` : ""
  return channelizer === "WebSocketChannelizer"
    ? `Connect a driver to ${ssl.enabled ? "wss" : "ws"}://${host}/gremlin${browser}`
    : `Try: curl ${who}-d '{"gremlin":"g.V().count()"}' ${page}${browser}`
}
