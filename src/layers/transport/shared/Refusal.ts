import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"

/**
 * Time for which the server still reads and discards bytes after its last answer. A socket that closes with unread bytes
 * sends a reset, and the client may lose the answer.
 */
const LINGER_MS = 1_000

/** A listener for errors of a socket: the `close` event that follows is handled instead. */
export const ignoreError = (): void => {}

/** Ends a connection whose last answer is sent or under way. The client has a second to read it. */
export const linger = (socket: Socket): void => {
  // node:http calls destroySoon() after the last answer. It would close at once.
  socket.destroySoon = () => void socket.end()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once("close", () => clearTimeout(timer))
}

/** Writes an answer to a socket that has no ServerResponse, and ends the connection. `headers`: lines that end with CRLF. */
export const refuse = (socket: Socket, status: number, message: string, headers = ""): void => {
  // A socket that node:http has released has no error listener: a reset would end the process.
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
