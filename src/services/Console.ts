import { withoutBrackets } from "./ListenAddress.ts"
import type { ServerSettings } from "./Settings.ts"

/** Whether the address of a server is one of this machine only. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || withoutBrackets(host) === "::1" || host.startsWith("127.")

/**
 * Whether a server has a web console. By default it has one, except without authentication on an address that is not
 * loopback: there a page of the server could be reached by a name that DNS points to it.
 */
export const hasConsole = (settings: Pick<ServerSettings, "console" | "host">, asksForPassword: boolean): boolean =>
  settings.console ?? (asksForPassword || isLoopback(settings.host))
