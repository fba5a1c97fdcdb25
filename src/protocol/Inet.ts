import { isIPv4, isIPv6 } from "node:net"
import { InetAddress } from "../structure/scalars/InetAddress.ts"
import { text } from "../structure/texts/Text.ts"
import { ProtocolError } from "./ProtocolError.ts"

/** The address with this text. Host names are not resolved, except `localhost`. Fails with ProtocolError. */
export const inetOfText = (name: string): InetAddress => {
  const address = name.slice(name.indexOf("/") + 1)
  if (address === "localhost") return new InetAddress(Uint8Array.of(127, 0, 0, 1))
  if (isIPv4(address)) return new InetAddress(Uint8Array.from(address.split("."), Number))
  if (isIPv6(address) && !address.includes("%")) return new InetAddress(ipv6Bytes(address))
  throw new ProtocolError(`'${name}' is no IP address; host names are not looked up.`)
}

const ipv6Bytes = (address: string): Uint8Array => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, front, a, b, c, d] = dotted ?? []
  const groups =
    dotted === null
      ? address
      : `${front}${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`
  const [left = "", right] = groups.split("::")
  const head = left === "" ? [] : left.split(":")
  const tail = right === undefined || right === "" ? [] : right.split(":")
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail]
  const bytes = new Uint8Array(16)
  all.forEach((group, i) => {
    const value = Number.parseInt(group, 16)
    bytes[2 * i] = value >> 8
    bytes[2 * i + 1] = value & 255
  })
  return bytes
}

/** The text of an address, as java.net.InetAddress.getHostAddress writes it: `127.0.0.1`, `0:0:0:0:0:0:0:1`. */
export const inetText = (address: InetAddress): string => text(address).slice(1)
