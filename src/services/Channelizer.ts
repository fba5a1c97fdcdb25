import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** The address cannot be listened on. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {
  override get message(): string {
    const { cause, host, port } = this
    const code = (cause as NodeJS.ErrnoException | null)?.code
    const advice =
      code === "EADDRINUSE"
        ? "another program listens there: stop it, or change 'port'"
        : code === "EACCES"
          ? "this user may not listen there: ports below 1024 need a privilege"
          : code === "EADDRNOTAVAIL" || code === "ENOTFOUND"
            ? "this machine has no such address: change 'host'"
            : String(cause)
    return `Could not bind to ${host} and ${port}: ${advice}.`
  }
}

/** The module that `channelizer` names cannot be used. */
export class ChannelizerUnusable extends Data.TaggedError("ChannelizerUnusable")<{
  readonly module: string
  readonly reason: string
}> {
  override get message(): string {
    return `The channelizer ${this.module} cannot be used: ${this.reason}`
  }
}

/**
 * The transport: accepts connections and turns bytes into requests and answers into bytes. Its layer listens as long as
 * its scope is open, and when the scope closes drains first.
 */
export class Channelizer extends Context.Tag("engine-server/Channelizer")<
  Channelizer,
  {
    readonly address: AddressInfo
    /**
     * Refuses new requests, waits until those accepted have their answers (at most `shutdownTimeout`), and says goodbye to
     * the connections. Closing the scope does the same.
     */
    readonly drain: Effect.Effect<void>
    readonly connections: () => number
  }
>() {}
