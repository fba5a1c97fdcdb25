import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * The fields of Node.js without a public name that the server uses, all in this file. Each may be absent in another version of
 * Node.js: then the server uses only the public interface. A test fails in a version that lacks one.
 */
interface InternalSocket extends Socket {
  /** The handle of libuv. Node.js reads its queue for the timeout of the socket, too. */
  readonly _handle?: { readonly writeQueueSize?: number } | null
  /** node:http sets it when it pauses a socket whose answers are not read. */
  _paused?: boolean
  parser?: { resume(): void } | null
  /** The answer that is being written, or that the client waits for. */
  readonly _httpMessage?: ServerResponse<IncomingMessage> | null
}

/** Bytes that libuv has not yet given to the kernel. 0 when Node.js does not tell. */
export const unwrittenBytes = (socket: InternalSocket): number => socket._handle?.writeQueueSize ?? 0

/** Whether the socket of an HTTP connection is paused, by node:http or by {@link pauseHttp}. */
export const isHttpPaused = (socket: InternalSocket): boolean => socket._paused === true

/** Reads no more requests, in a way that node:http does not undo when an answer is written. */
export const pauseHttp = (socket: InternalSocket): void => {
  if (socket._paused === true) return
  socket._paused = true
  socket.pause()
}

/** Reads requests again after {@link pauseHttp}. */
export const resumeHttp = (socket: InternalSocket): void => {
  socket._paused = false
  socket.parser?.resume()
  socket.resume()
}

/** The answer that an HTTP client waits for; undefined when there is none. */
export const awaitedAnswer = (socket: InternalSocket): ServerResponse<IncomingMessage> | undefined =>
  socket._httpMessage ?? undefined
