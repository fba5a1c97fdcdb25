import type { Socket } from "node:net"

/** An IPv4 address as a socket of both families has it. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/** The address of a client, in the same form on every kind of socket; "" after the connection has ended. */
export const clientAddress = ({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string =>
  remoteAddress.replace(MAPPED, "")
