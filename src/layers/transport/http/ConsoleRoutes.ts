import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { ServerResponse } from "node:http"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { User } from "../../../services/Authenticator.ts"
import { hasConsole } from "../../../services/Console.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { type FlatHeaders, reply, replyJson } from "./HttpReply.ts"

/** Whether the server has a web console. */
export const servesConsole = ({
  authenticator,
  settings
}: Pick<TransportContext, "authenticator" | "settings">): boolean => hasConsole(settings, authenticator.required)

/** What a file of the console may do in a browser: load only files of this server, and no inline script or style. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "worker-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

const types: Readonly<Partial<Record<string, string>>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

/** A file whose name has the hash of its content. Its content never changes. */
const HASHED_FILE = /^\/console\/([a-z]+-[A-Z0-9]{8}\.(?:js|css|svg))$/

/** A path of the console. `file` is a name in dist/console; undefined for an address that leads to the console. */
interface ConsolePath {
  readonly file: string | undefined
  /** The relative address to which the path leads. */
  readonly leadsTo?: string
}

/**
 * The part of the console at a path; undefined for all other paths. `GET /` leads to the console for a browser, which asks
 * for HTML and sends no query.
 */
export const consolePath = (path: string, query: string, method = "GET", accept = ""): ConsolePath | undefined => {
  if (path === "/console/") return { file: "index.html" }
  if (path === "/console") return { file: undefined, leadsTo: "console/" }
  const isBrowser = path === "/" && query === "" && (method === "GET" || method === "HEAD")
  if (isBrowser && /(?:^|,)\s*text\/html\b/.test(accept)) return { file: undefined, leadsTo: "console/" }
  const file = HASHED_FILE.exec(path)?.[1]
  return file === undefined ? undefined : { file }
}

/** The folder of the built files. This module is in dist/, dist/chunks/ or src/layers/transport/http/. */
const builtFiles = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, "dist", "console")
}

/** Answers with a file of the console. A file is read when it is asked for, so that the console costs no memory before. */
export const serveConsole = (
  { file, leadsTo }: ConsolePath,
  { headers, response }: { readonly headers: FlatHeaders; readonly response: ServerResponse },
  context: TransportContext
): void => {
  headers.push("content-security-policy", POLICY, "x-content-type-options", "nosniff", "referrer-policy", "no-referrer")
  if (file === undefined) {
    headers.push("location", leadsTo ?? "console/", "cache-control", "no-cache", "vary", "Accept")
    reply(response, 302, headers, "")
    return
  }
  const read = Effect.tryPromise(() => readFile(join(builtFiles(), file)))
  context.runFork("A file of the console cannot be read", read, (exit) => {
    if (response.destroyed) return
    if (Exit.isFailure(exit)) {
      const message = `The console has no file ${file}. Reload the page; in a checkout run 'npm run build' first.`
      replyJson(response, 404, headers, { message })
      return
    }
    const caching = file === "index.html" ? "no-cache" : "public, max-age=31536000, immutable"
    headers.push("content-type", types[extname(file)] ?? "application/octet-stream", "cache-control", caching)
    reply(response, 200, headers, exit.value)
  })
}

/**
 * `GET /console/sources`: what the console must know before its first query. It needs credentials, because it names graphs: the
 * traversal sources, the protocols, and whether the user may see the requests of others.
 */
export const consoleSources = (
  {
    headers,
    response,
    user
  }: { readonly headers: FlatHeaders; readonly response: ServerResponse; readonly user: User | null },
  { authenticator, authorization, settings }: TransportContext
): void => {
  const { channelizer, traversalSources } = settings
  headers.push("cache-control", "no-store")
  replyJson(response, 200, headers, {
    sources: traversalSources.map(({ graph, name }) => ({ name, graph })),
    webSocket: channelizer !== "HttpChannelizer",
    user: user?.name ?? "",
    givesTokens: authenticator.token !== undefined,
    operates: user === null || authorization === null || authorization.operates?.(user) === true
  })
}
