import type { AddressInfo } from "node:net"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** The server cannot listen on its address. */
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
 * The transport: accepts connections, reads requests and writes answers. Its layer listens while its scope is open. When
 * the scope closes, it drains first.
 */
export class Channelizer extends Context.Tag("engine-server/Channelizer")<
  Channelizer,
  {
    readonly address: AddressInfo
    /**
     * Refuses new requests, waits until accepted ones are answered (at most `shutdownTimeout`), and closes the connections.
     * Closing the scope does the same.
     */
    readonly drain: Effect.Effect<void>
    /**
     * Waits until the clients have closed their connections, while another process accepts new ones. Undefined: `drain` does
     * it.
     */
    readonly retire?: Effect.Effect<void>
    /** Open connections. */
    readonly connections: () => number
  }
>() {}
