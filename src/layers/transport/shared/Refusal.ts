import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"

/**
 * Time to go on discarding what a client sends after its last answer, ms. An end with unread bytes would be a reset, which
 * can lose the answer on its way.
 */
const LINGER = 1_000

/** The close that follows an error says all there is to say. */
export const ignoreError = (): void => {}

/** Ends a connection whose last answer is given or under way, at the latest after a moment. */
export const linger = (socket: Socket): void => {
  // HTTP calls this when the answer has left, and would close at once.
  socket.destroySoon = () => void socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER).unref()
  socket.once("close", () => clearTimeout(timer))
}

/** An answer where there is no ServerResponse to give it, and the end of the connection. */
export const refuse = (socket: Socket, status: number, message: string, headers = ""): void => {
  // Where HTTP has let go of a socket nobody else listens to its errors, and a reset would end the process.
  socket.on("error", ignoreError)
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n${headers}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
  )
  linger(socket)
  socket.resume()
}
