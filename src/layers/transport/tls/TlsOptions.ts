import { constants } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createSecureContext, getCiphers, type SecureContextOptions } from "node:tls"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SettingRefused, type SslSettings } from "../../../services/Config.ts"
import { isJks } from "../../keys/Jks.ts"
import type { KeyStoreContents } from "../../keys/KeyStoreContents.ts"
import { keyStoreProblem, readKeyStore } from "../../keys/KeyStores.ts"

/** The protocols that the setting can name, and the option of OpenSSL that disables each. */
const protocols: ReadonlyMap<string, number> = new Map([
  ["TLSv1", constants.SSL_OP_NO_TLSv1],
  ["TLSv1.1", constants.SSL_OP_NO_TLSv1_1],
  ["TLSv1.2", constants.SSL_OP_NO_TLSv1_2],
  ["TLSv1.3", constants.SSL_OP_NO_TLSv1_3]
])

/** Names in configurations of Java that are ignored beside others: Node.js has no SSL. */
const ignored = new Set(["SSLv2Hello", "SSLv2", "SSLv3"])

const protocolOptions = (names: ReadonlyArray<string>): SecureContextOptions => {
  const wanted = names.filter((name) => !ignored.has(name))
  if (names.length === 0) return {}
  const known = [...protocols.keys()].join(", ")
  if (wanted.length === 0) throw refused("sslEnabledProtocols", `it names no protocol of Node.js: add one of ${known}`)
  const unknown = wanted.find((name) => !protocols.has(name))
  if (unknown !== undefined) throw refused("sslEnabledProtocols", `${unknown} is none of ${known}`)
  let off = 0
  for (const [name, option] of protocols) if (!wanted.includes(name)) off |= option
  // Without these, Node.js allows TLS 1.2 and 1.3 only, whatever the options say.
  return { secureOptions: off, minVersion: "TLSv1", maxVersion: "TLSv1.3" }
}

/** OpenSSL's name of a cipher suite that has an IANA name: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`. */
const openSslName = (name: string): string => {
  const [, exchange, cipher] = /^TLS_(.+)_WITH_(.+)$/.exec(name) ?? []
  if (exchange === undefined || cipher === undefined) return name
  const of = exchange === "RSA" ? "" : `${exchange.replaceAll("_", "-")}-`
  const what = cipher
    .replace(/^(AES|CAMELLIA|ARIA)_(\d+)/, "$1$2")
    .replace("_CBC_", "_")
    .replace(/^CHACHA20_POLY1305.*$/, "CHACHA20-POLY1305")
    .replaceAll("_", "-")
  return of + what
}

const cipherOptions = (names: ReadonlyArray<string>): SecureContextOptions => {
  if (names.length === 0) return {}
  const known = new Set(getCiphers())
  const ciphers = names.map(openSslName)
  const unknown = names.find((_, i) => !known.has(ciphers[i]!.toLowerCase()))
  if (unknown !== undefined) {
    throw refused(
      "sslCipherSuites",
      `${unknown} is not a cipher suite of this Node.js; \`openssl ciphers\` lists the names`
    )
  }
  return { ciphers: ciphers.join(":"), honorCipherOrder: true }
}

const refused = (setting: string, reason: string): SettingRefused =>
  new SettingRefused({ setting: `ssl.${setting}`, reason })

const textOf = (secret: Redacted.Redacted | undefined): string => (secret === undefined ? "" : Redacted.value(secret))

const read = (setting: string, path: string): Promise<Buffer> =>
  readFile(path).catch((cause: Error) => {
    throw refused(setting, `${path} cannot be read: ${cause.message}`)
  })

/** Reads the file of a store. */
const readStore = async (setting: string, path: string): Promise<Buffer> => {
  const file = await read(setting, path)
  const problem = keyStoreProblem(file, path)
  if (problem !== undefined) throw refused(setting, problem)
  return file
}

/** The server's key and certificates. */
const identity = async (ssl: SslSettings): Promise<SecureContextOptions> => {
  const { keyCertChainFile, keyFile, keyPassword, keyStore, keyStorePassword, keyStoreType } = ssl
  if (keyCertChainFile !== undefined && keyFile !== undefined) {
    const passphrase = keyPassword === undefined ? {} : { passphrase: Redacted.value(keyPassword) }
    const cert = await read("keyCertChainFile", keyCertChainFile)
    return checked("keyFile", { cert, key: await read("keyFile", keyFile), ...passphrase })
  }
  if (keyStore === undefined) throw refused("keyStore", "it is missing; a server needs a key to encrypt with")
  const file = await readStore("keyStore", keyStore)
  if (keyStoreType === "PEM") {
    const passphrase = keyStorePassword === undefined ? {} : { passphrase: Redacted.value(keyStorePassword) }
    return checked("keyStore", { cert: file, key: file, ...passphrase })
  }
  const password = textOf(keyStorePassword)
  if (isJks(file)) return keyOf(await contentsOf("keyStore", keyStore, file, password), keyStore)
  try {
    return checked("keyStore", { pfx: file, passphrase: password })
  } catch (error) {
    const contents = await readKeyStore(file, password).catch(() => undefined)
    if (contents?.key === undefined) throw error
    return keyOf(contents, keyStore)
  }
}

/** The contents of a store that OpenSSL does not read. */
const contentsOf = (setting: string, path: string, file: Buffer, password: string): Promise<KeyStoreContents> =>
  readKeyStore(file, password).catch((cause: Error) => {
    const format = isJks(file) ? "JKS" : "PKCS#12"
    throw refused(setting, `${path} cannot be read as ${format} (${cause.message}): is its password right?`)
  })

const keyOf = ({ certificates, key }: KeyStoreContents, path: string): SecureContextOptions => {
  if (key === undefined) throw refused("keyStore", `there is no key in ${path}`)
  return checked("keyStore", { key, cert: certificates.join("") })
}

/** Checks keys and certificates now: OpenSSL reports most errors only when it uses them. */
const checked = (setting: string, options: SecureContextOptions): SecureContextOptions => {
  try {
    createSecureContext(options)
  } catch (cause) {
    const { message } = cause as Error
    const advice = /mac verify|bad decrypt|password|passphrase/i.test(message) ? ": is its password right?" : ""
    throw refused(setting, `OpenSSL does not take it (${message})${advice}`)
  }
  return options
}

/** The certificates that sign clients. The default certificates of Node.js do not count: they sign for everybody. */
const trusted = async (ssl: SslSettings): Promise<SecureContextOptions> => {
  const { trustCertChainFile, trustStore, trustStorePassword, trustStoreType } = ssl
  const ca: Array<string | Buffer> = []
  if (trustCertChainFile !== undefined) ca.push(await read("trustCertChainFile", trustCertChainFile))
  if (trustStore !== undefined) {
    const file = await readStore("trustStore", trustStore)
    if (trustStoreType === "PEM") ca.push(file)
    else {
      const { certificates } = await contentsOf("trustStore", trustStore, file, textOf(trustStorePassword))
      if (certificates.length === 0) throw refused("trustStore", `there is no certificate in ${trustStore}`)
      ca.push(...certificates)
    }
  }
  if (ca.length > 0) return checked("trustStore", { ca })
  if (ssl.needClientAuth === "NONE") return {}
  throw refused("trustStore", "it is missing; needClientAuth needs the certificates that sign the clients")
}

/** Reads the files of `ssl`. Fails with the setting of the file that cannot be used. */
export const tlsOptions = (ssl: SslSettings): Effect.Effect<SecureContextOptions, SettingRefused> =>
  Effect.tryPromise({
    try: async () => ({
      ...protocolOptions(ssl.sslEnabledProtocols),
      ...cipherOptions(ssl.sslCipherSuites),
      ...(await identity(ssl)),
      ...(await trusted(ssl))
    }),
    catch: (cause) => (cause instanceof SettingRefused ? cause : refused("enabled", String(cause)))
  })

/** The files that {@link tlsOptions} reads. */
export const tlsFiles = ({ keyCertChainFile, keyFile, keyStore, trustCertChainFile, trustStore }: SslSettings) =>
  [keyStore, keyCertChainFile, keyFile, trustStore, trustCertChainFile].filter((file) => file !== undefined)
