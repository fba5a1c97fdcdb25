import { stat } from "node:fs/promises"
import type { Server as HttpsServer } from "node:https"
import { createServer, type Server } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SslSettings } from "../../services/Config.ts"
import { refuse } from "./Refusal.ts"
import { tlsFiles, tlsOptions } from "./TlsOptions.ts"

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16

/** What the front needs to know of the limits. */
export interface FrontLimits {
  /** Time for the first byte, and for the handshake, ms. */
  readonly headersTimeout: number
  /** Open connections at once, those without a handshake yet included; 0 = no limit. */
  readonly maxConnections: number
  readonly onRefused: () => void
}

/**
 * Stands before a server that speaks TLS. Whoever speaks plain HTTP to the port is told so, where TLS alone would only
 * close the connection.
 */
export const tlsFront = (server: HttpsServer, limits: FrontLimits): Server => {
  let open = 0
  return createServer({ noDelay: true }, (socket) => {
    if (limits.maxConnections > 0 && open >= limits.maxConnections) {
      limits.onRefused()
      socket.destroy()
      return
    }
    open++
    const timer = setTimeout(() => socket.destroy(), limits.headersTimeout)
    socket.once("close", () => {
      clearTimeout(timer)
      open--
    })
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
      server.emit("connection", socket)
    }
    socket.once("readable", look)
  })
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
