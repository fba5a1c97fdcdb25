import { stat } from "node:fs/promises"
import type { Server as HttpsServer } from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SslSettings } from "../../../services/Config.ts"
import { refuse } from "../shared/Refusal.ts"
import { tlsFiles, tlsOptions } from "./TlsOptions.ts"

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16

/** Connections beyond the limit that are told so at once; more are closed without a word. */
export const MOST_REFUSALS = 64

/** What the front needs to know of the limits. */
interface FrontLimits {
  /** Time for the first byte, and for the handshake, ms. */
  readonly headersTimeout: number
  /** Open connections at once, those without a handshake yet included; 0 = no limit. */
  readonly maxConnections: number
  /** Time without a byte after which the system asks whether the other end still exists, ms. */
  readonly keepAliveDelay: number
  readonly onRefused: () => void
}

/** What stands before a server that speaks TLS. */
interface TlsFront {
  readonly server: Server
  /** Whether a connection came when there were as many as there may be: after its handshake it can be told so. */
  readonly isBeyondLimit: (socket: Socket) => boolean
}

/** The other end of a connection, which is the same of a socket and of what decrypts it. */
const otherEnd = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/**
 * Stands before a server that speaks TLS. Whoever speaks plain HTTP to the port is told so, where TLS alone would only
 * close the connection.
 */
export const tlsFront = (behind: HttpsServer, limits: FrontLimits): TlsFront => {
  const { headersTimeout, keepAliveDelay, maxConnections, onRefused } = limits
  let open = 0
  const beyond = new Set<string>()
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay }
  const server = createServer(options, (socket) => {
    if (maxConnections > 0 && open >= maxConnections) {
      if (beyond.size >= MOST_REFUSALS) {
        onRefused()
        socket.destroy()
        return
      }
      const end = otherEnd(socket)
      beyond.add(end)
      socket.once("close", () => beyond.delete(end))
    } else {
      open++
      socket.once("close", () => open--)
    }
    const timer = setTimeout(() => socket.destroy(), headersTimeout)
    socket.once("close", () => clearTimeout(timer))
    const onError = (): void => void socket.destroy()
    socket.on("error", onError)
    const look = (): void => {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) {
        socket.once("readable", look)
        return
      }
      clearTimeout(timer)
      if (chunk[0] !== HANDSHAKE) {
        refuse(socket, 400, "This port speaks TLS: connect by https:// or wss://.")
        return
      }
      socket.off("error", onError)
      socket.unshift(chunk)
      behind.emit("connection", socket)
    }
    socket.once("readable", look)
  })
  return { server, isBeyondLimit: (socket) => beyond.size > 0 && beyond.has(otherEnd(socket)) }
}

const changeTimes = async (files: ReadonlyArray<string>): Promise<string> => {
  const times = await Promise.all(
    files.map((file) => stat(file).then(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`))
  )
  return times.join()
}

/**
 * Looks at the files from time to time while the scope is open. New connections have the new certificates; those that are
 * open keep theirs. What cannot be read leaves everything as it was, and is told once.
 */
export const reloadCertificates = (server: HttpsServer, ssl: SslSettings): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (ssl.refreshInterval === 0) return
    const files = tlsFiles(ssl)
    const look = Effect.promise(() => changeTimes(files).catch(() => ""))
    let known = yield* look
    const check = Effect.gen(function* () {
      const now = yield* look
      if (now === "" || now === known) return
      known = now
      const options = yield* tlsOptions(ssl)
      server.setSecureContext(options)
      yield* Effect.logInfo("The certificates of TLS have changed; new connections have the new ones")
    }).pipe(
      Effect.catchAll(({ message }) =>
        Effect.logError(`The certificates of TLS have changed and cannot be used; the old ones stay. ${message}`)
      )
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(check, ssl.refreshInterval)))
  })
