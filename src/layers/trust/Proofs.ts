import { InvalidRequestArguments } from "../../services/Errors.ts"
import { decodeBase64 } from "./Tokens.ts"

/** A name and a password as a client sent them. */
export interface NamedPassword {
  readonly name: string
  readonly password: string
}

/** The content of an Authorization header. `given` is null when it is malformed. */
type Proof =
  | { readonly scheme: "basic"; readonly given: NamedPassword | null }
  | { readonly scheme: "token"; readonly token: string }
  | { readonly scheme: "other" }
  | { readonly scheme: "none" }

const strict = new TextDecoder("utf-8", { fatal: true })

/** Decodes UTF-8, as the challenge asks for, or Latin-1, which older clients send. */
const textOf = (bytes: Buffer): string => {
  try {
    return strict.decode(bytes)
  } catch {
    return bytes.toString("latin1")
  }
}

/** Reads an Authorization header. The case of the scheme does not matter, and a password may contain colons. */
export const readAuthorization = (header: string | undefined): Proof => {
  if (header === undefined) return { scheme: "none" }
  const [, scheme = "", credentials = ""] = /^\s*([^\s]+)\s+([^\s]+)\s*$/.exec(header) ?? []
  switch (scheme.toLowerCase()) {
    case "basic": {
      const decoded = decodeBase64(credentials)
      const text = decoded === undefined ? "" : textOf(decoded)
      const colon = text.indexOf(":")
      return {
        scheme: "basic",
        given: colon < 1 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) }
      }
    }
    case "token":
      return { scheme: "token", token: credentials }
    default:
      return { scheme: "other" }
  }
}

/** Longer SASL responses are wrong without being decoded. In characters or bytes. */
const MAX_RESPONSE_LENGTH = 8_192

/**
 * Reads the response of a SASL PLAIN client: `authorization NUL name NUL password` (RFC 4616), in Base64 or plain. The
 * authorization identity is ignored. Null for a malformed response. Throws InvalidRequestArguments for invalid Base64.
 */
export const readSaslPlain = (response: string | Uint8Array): NamedPassword | null => {
  if (response.length > MAX_RESPONSE_LENGTH) return null
  const text = typeof response === "string" ? plainText(response) : textOf(Buffer.from(response))
  const parts = text.split("\0")
  if (parts.length !== 3) return null
  const [, name = "", password = ""] = parts
  return name === "" ? null : { name, password }
}

const plainText = (response: string): string => {
  if (response.includes("\0")) return response
  const bytes = decodeBase64(response.trim())
  if (bytes === undefined) {
    throw new InvalidRequestArguments(
      "Incorrect type for : sasl - base64 encoded String is expected, of NUL, user name, NUL and password"
    )
  }
  return textOf(bytes)
}
