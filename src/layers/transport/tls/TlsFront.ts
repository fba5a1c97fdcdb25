import { stat } from "node:fs/promises"
import type { Server as HttpsServer } from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { errorOf } from "../../../scheduling/Pending.ts"
import type { SslSettings } from "../../../services/Config.ts"
import type { ConnectionPermits } from "../shared/ConnectionPermits.ts"
import { refuse } from "../shared/Refusal.ts"
import { tlsFiles, tlsOptions } from "./TlsOptions.ts"

/** First byte of a TLS handshake: RFC 8446, section 5.1. */
const HANDSHAKE_RECORD = 0x16

/** Connections beyond maxConnections that are answered with a refusal at a time; further ones are closed without an answer. */
export const MAX_PENDING_REFUSALS = 64

/** The limits of the front. */
interface FrontLimits {
  /** Time for the first byte, and for the handshake, ms. */
  readonly headersTimeout: number
  /** The permits of open connections, including those in their handshake. */
  readonly permits: ConnectionPermits
  /** Time without a byte after which TCP probes the client. */
  readonly keepAliveDelayMs: number
  /** Called for a connection that is closed without an answer. */
  readonly onRefused: () => void
}

/** A server in front of a TLS server. */
interface TlsFront {
  readonly server: Server
  /** Whether a connection is beyond maxConnections. It is refused after its handshake, when it can read the answer. */
  readonly isBeyondLimit: (socket: Socket) => boolean
}

/** The address of the client: equal for a socket and for the TLS socket over it. */
const otherEnd = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/**
 * Accepts the connections of a TLS server. A client that speaks plain HTTP is answered with an explanation: the TLS server
 * would only close the connection.
 */
export const tlsFront = (tlsServer: HttpsServer, limits: FrontLimits): TlsFront => {
  const { headersTimeout, keepAliveDelayMs, onRefused, permits } = limits
  const beyond = new Set<string>()
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelayMs }
  const server = createServer(options, (socket) => {
    if (!permits.take(socket)) {
      if (beyond.size >= MAX_PENDING_REFUSALS) {
        onRefused()
        socket.destroy()
        return
      }
      const end = otherEnd(socket)
      beyond.add(end)
      socket.once("close", () => beyond.delete(end))
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
      if (chunk[0] !== HANDSHAKE_RECORD) {
        refuse(socket, 400, "This port speaks TLS: connect by https:// or wss://.")
        return
      }
      socket.off("error", onError)
      socket.unshift(chunk)
      tlsServer.emit("connection", socket)
    }
    socket.once("readable", look)
  })
  return { server, isBeyondLimit: (socket) => beyond.size > 0 && beyond.has(otherEnd(socket)) }
}

const changeTimes = async (files: ReadonlyArray<string>): Promise<string> => {
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        // A permission changes ctime only.
        ({ ctimeMs, ino, mtimeMs, size }) => `${mtimeMs} ${ctimeMs} ${size} ${ino}`,
        // A file that is gone is a change, too: without it the next start fails.
        ({ code }: NodeJS.ErrnoException) => String(code)
      )
    )
  )
  return times.join()
}

/** When the files of certificates were last changed. Call it before they are read, so that no change is missed. */
export const certificateTimes = (ssl: SslSettings): Effect.Effect<string> =>
  Effect.promise(() => changeTimes(tlsFiles(ssl)))

/**
 * Checks the files every `refreshInterval` while the scope is open. New connections use the new certificates; open ones
 * keep theirs. When the files cannot be used, the old certificates stay, and every check tries again: the reason may pass. The log has
 * each reason once.
 *
 * @param times {@link certificateTimes} before the server read the files
 */
export const reloadCertificates = (
  server: HttpsServer,
  ssl: SslSettings,
  times: string
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (ssl.refreshInterval === 0) return
    let known = times
    /** Why the last check could not use the files; empty if it could. */
    let failure = ""
    const check = Effect.gen(function* () {
      const now = yield* certificateTimes(ssl)
      if (now === known && failure === "") return
      known = now
      const options = yield* tlsOptions(ssl)
      yield* Effect.try({ try: () => server.setSecureContext(options), catch: errorOf })
      failure = ""
      yield* Effect.logInfo("The certificates of TLS have changed; new connections use the new ones")
    }).pipe(
      Effect.catchAll(({ message }) => {
        if (message === failure) return Effect.void
        failure = message
        return Effect.logError(`The certificates of TLS have changed and cannot be used; the old ones stay. ${message}`)
      })
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(check, ssl.refreshInterval)))
  })
