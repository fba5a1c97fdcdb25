import { createHmac, timingSafeEqual } from "node:crypto"
import type { UserRecord } from "../../services/Credentials.ts"
import type { AuthenticationSettings } from "../../services/TrustSettings.ts"

/** How tokens are signed, and how long they are valid. */
interface TokenOptions {
  readonly secret: string
  readonly algorithm: AuthenticationSettings["hmacAlgo"]
  /** Lifetime, ms. */
  readonly timeout: number
}

const digests = { HmacSHA256: "sha256", HmacSHA384: "sha384", HmacSHA512: "sha512" } as const

/** The parts of a token, which need not be genuine. */
export interface Token {
  readonly name: string
  /** When it was made, ms since 1970. */
  readonly time: number
  readonly mac: Buffer
}

/**
 * JanusGraph's tokens: URL-safe Base64, with padding, of `name:time:mac`. The MAC is in URL-safe Base64 with padding, too. It
 * signs the concatenated name and time with a key of the secret and the salt of the user's password hash, so a new password
 * invalidates all earlier tokens.
 */
export class Tokens {
  readonly #options: TokenOptions

  constructor(options: TokenOptions) {
    this.#options = options
  }

  make({ hash, name }: UserRecord, now: number = Date.now()): string {
    const mac = urlSafe(this.#mac(name, String(now), hash))
    return urlSafe(Buffer.from(`${name}:${now}:${mac}`))
  }

  /** Takes as long for an unknown user (null) as for a known one. */
  isGenuine(token: Token, record: UserRecord | null): boolean {
    const mac = this.#mac(token.name, String(token.time), record?.hash ?? "$2a$10$......................")
    return mac.length === token.mac.length && timingSafeEqual(mac, token.mac) && record !== null
  }

  isExpired({ time }: Token, now: number = Date.now()): boolean {
    return time + this.#options.timeout < now
  }

  #mac(name: string, time: string, hash: string): Buffer {
    const { algorithm, secret } = this.#options
    return createHmac(digests[algorithm], `${secret}:${saltOf(hash)}`)
      .update(`${name}${time}`)
      .digest()
  }
}

/** The 22 characters after the third dollar sign of a bcrypt hash. */
const saltOf = (hash: string): string => (hash.split("$", 4)[3] ?? "").slice(0, 22)

/** URL-safe Base64 with padding, as Java writes it. Node.js writes none. */
const urlSafe = (bytes: Buffer): string => {
  const text = bytes.toString("base64url")
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}

/** Reads a token. Null for a malformed one. Both alphabets of Base64 are read, with or without padding. */
export const parseToken = (text: string): Token | null => {
  const decoded = decodeBase64(text)?.toString()
  const parts = decoded === undefined ? null : /^(.+):(\d{1,15}):([\w+/-]+=*)$/s.exec(decoded)
  if (parts === null) return null
  const [, name, time, signature] = parts
  const mac = decodeBase64(signature!)
  return mac === undefined ? null : { name: name!, time: Number(time), mac }
}

/**
 * Decodes standard or URL-safe Base64, with or without padding; undefined for anything else. Node.js alone would accept an
 * incomplete last group and wrong padding.
 */
export const decodeBase64 = (text: string): Buffer | undefined => {
  const [, digits, padding] = /^([\w+/-]*)(={0,2})$/.exec(text) ?? []
  if (digits === undefined || padding === undefined || digits.length % 4 === 1) return undefined
  if (padding !== "" && (digits.length + padding.length) % 4 !== 0) return undefined
  return Buffer.from(digits, "base64")
}
