import { isIPv4, isIPv6 } from "node:net"
import { InetAddress } from "./InetAddress.ts"

/** The address with this text; undefined for another text. Host names are not resolved, except `localhost`. */
export const inetOf = (name: string): InetAddress | undefined => {
  const address = name.slice(name.indexOf("/") + 1)
  if (address === "localhost") return new InetAddress(Uint8Array.of(127, 0, 0, 1))
  if (isIPv4(address)) return new InetAddress(Uint8Array.from(address.split("."), Number))
  return isIPv6(address) && !address.includes("%") ? new InetAddress(ipv6Bytes(address)) : undefined
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
