import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { ListenFailed } from "../../services/Channelizer.ts"
import { listenOptions } from "../../services/ListenAddress.ts"

/**
 * Listens while the scope is open, and passes each connection to `accept`. Nothing is read from it here. A process that gets
 * the connection reads it.
 */
export const listen = (
  host: string,
  port: number,
  accept: (socket: Socket) => void
): Effect.Effect<AddressInfo, ListenFailed, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Server, ListenFailed>((resume) => {
        const server = createServer({ pauseOnConnect: true }, (socket) => {
          // Without a listener, an error of a connection that waits would end this process.
          socket.on("error", () => socket.destroy())
          accept(socket)
        })
        const onError = (cause: unknown) => resume(Effect.fail(new ListenFailed({ host, port, cause })))
        server.once("error", onError)
        server.listen(listenOptions(host, port), () => {
          server.off("error", onError)
          server.on("error", () => {
            // accept() fails when the process is out of descriptors. The server continues.
          })
          resume(Effect.succeed(server))
        })
      }),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => server.address() as AddressInfo
  )
