import type { InetAddress } from "../structure/scalars/InetAddress.ts"
import { inetOf } from "../structure/scalars/InetTexts.ts"
import { text } from "../structure/texts/Text.ts"
import { ProtocolError } from "./ProtocolError.ts"

/** The address with this text. Host names are not resolved, except `localhost`. Fails with ProtocolError. */
export const inetOfText = (name: string): InetAddress => {
  const found = inetOf(name)
  if (found !== undefined) return found
  throw new ProtocolError(`'${name}' is no IP address; host names are not looked up.`)
}

/** The text of an address, as java.net.InetAddress.getHostAddress writes it: `127.0.0.1`, `0:0:0:0:0:0:0:1`. */
export const inetText = (address: InetAddress): string => text(address).slice(1)
