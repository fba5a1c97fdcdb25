import { createHash, timingSafeEqual } from "node:crypto"
import { type KeyStoreContents, pem } from "./KeyStoreContents.ts"

// Java's own format of key stores, JKS, as sun.security.provider.JavaKeyStore writes it: magic number, version, number of entries,
// the entries, and a SHA-1 digest of the password, a fixed text and all bytes before the digest. Numbers are big-endian.

const MAGIC = 0xfeedfeed
const DIGEST_BYTES = 20
const DIGEST_SALT = Buffer.from("Mighty Aphrodite", "latin1")
const KEY_ENTRY = 1
const CERTIFICATE_ENTRY = 2
const DATE_BYTES = 8
/** From this version on, each certificate has a type before it. */
const TYPED_VERSION = 2
/** The algorithm that protects keys, 1.3.6.1.4.1.42.2.17.1.1, as the contents of an ASN.1 object identifier. */
const KEY_PROTECTOR = Buffer.from("2b060104012a02110101", "hex")

/** Whether a file is in the format JKS. Its first four bytes suffice. */
export const isJks = (file: Buffer): boolean => file.length >= 4 && file.readUInt32BE(0) === MAGIC

const sha1 = (...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const hash = createHash("sha1")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A password as Java digests it: UTF-16, big-endian. */
const passwordBytes = (password: string): Buffer => Buffer.from(password, "utf16le").swap16()

/** Reads fields one after another. Throws RangeError behind the end. */
class Fields {
  readonly #file: Buffer
  position = 0

  constructor(file: Buffer) {
    this.#file = file
  }

  number(bytes: 2 | 4): number {
    return this.take(bytes).readUIntBE(0, bytes)
  }

  take(bytes: number): Buffer {
    const end = this.position + bytes
    if (end > this.#file.length) throw new RangeError("it ends too early")
    const found = this.#file.subarray(this.position, end)
    this.position = end
    return found
  }

  /** A field that begins with its length, in two or four bytes. */
  block(lengthBytes: 2 | 4): Buffer {
    return this.take(this.number(lengthBytes))
  }

  /** The contents of an ASN.1 element in DER with this tag. */
  element(tag: number): Fields {
    if (this.take(1)[0] !== tag) throw new RangeError("a key has an unknown form")
    const first = this.take(1)[0]!
    const length = first < 0x80 ? first : this.take(first & 0x7f).readUIntBE(0, first & 0x7f)
    return new Fields(this.take(length))
  }

  rest(): Buffer {
    return this.#file.subarray(this.position)
  }
}

const SEQUENCE = 0x30
const OBJECT_IDENTIFIER = 0x06
const OCTET_STRING = 0x04

/**
 * Decrypts a key, an EncryptedPrivateKeyInfo whose octets are salt, encrypted key and check. The keystream is a chain of SHA-1 digests
 * of the password and the block before, the salt first; the check is the digest of the password and the key.
 */
const decryptedKey = (encrypted: Buffer, password: Buffer): Buffer => {
  const info = new Fields(encrypted).element(SEQUENCE)
  const algorithm = info.element(SEQUENCE).element(OBJECT_IDENTIFIER).rest()
  if (!algorithm.equals(KEY_PROTECTOR)) throw new RangeError("a key is encrypted by an unknown algorithm")
  const octets = info.element(OCTET_STRING).rest()
  if (octets.length < 2 * DIGEST_BYTES) throw new RangeError("a key ends too early")
  const key = Buffer.from(octets.subarray(DIGEST_BYTES, -DIGEST_BYTES))
  let block = octets.subarray(0, DIGEST_BYTES)
  for (let at = 0; at < key.length; at++) {
    if (at % DIGEST_BYTES === 0) block = sha1(password, block)
    key[at]! ^= block[at % DIGEST_BYTES]!
  }
  if (!timingSafeEqual(sha1(password, key), octets.subarray(-DIGEST_BYTES))) {
    throw new RangeError("a key has another password than the store")
  }
  return key
}

/**
 * Reads a JKS file: the first key with the chain of its certificates, and the trusted certificates. Throws RangeError when the file is
 * damaged or the password is wrong.
 */
export const readJks = (file: Buffer, password: string): KeyStoreContents => {
  const secret = passwordBytes(password)
  const body = file.subarray(0, -DIGEST_BYTES)
  if (file.length < DIGEST_BYTES || !sha1(secret, DIGEST_SALT, body).equals(file.subarray(-DIGEST_BYTES))) {
    throw new RangeError("the password is wrong, or the file is damaged")
  }
  const fields = new Fields(body)
  fields.take(4)
  const version = fields.number(4)
  const certificate = (): string => {
    if (version >= TYPED_VERSION) fields.block(2)
    return pem("CERTIFICATE", fields.block(4))
  }
  const certificates: Array<string> = []
  let key: string | undefined
  for (let left = fields.number(4); left > 0; left--) {
    const kind = fields.number(4)
    fields.block(2)
    fields.take(DATE_BYTES)
    if (kind === CERTIFICATE_ENTRY) certificates.push(certificate())
    else if (kind === KEY_ENTRY) {
      const encrypted = fields.block(4)
      const chain: Array<string> = []
      for (let more = fields.number(4); more > 0; more--) chain.push(certificate())
      if (key !== undefined) continue
      key = pem("PRIVATE KEY", decryptedKey(encrypted, secret))
      certificates.unshift(...chain)
    } else throw new RangeError(`an entry has the unknown kind ${kind}`)
  }
  return { key, certificates }
}
