import { isJks, readJks } from "./Jks.ts"
import type { KeyStoreContents } from "./KeyStoreContents.ts"
import { readPkcs12 } from "./Pkcs12.ts"

/** First four bytes of JCEKS key stores, a format of Java that is not supported. */
const JCEKS_MAGIC = 0xcececece

/**
 * Why a key store cannot be used, with a command that converts it. Undefined when it may be PKCS#12 or JKS: since version 9, keytool
 * writes PKCS#12, whatever the name of the file.
 *
 * @param contents of the file, or its first bytes
 */
export const keyStoreProblem = (contents: Buffer, path: string): string | undefined => {
  if (contents.length < 4 || contents.readUInt32BE(0) !== JCEKS_MAGIC) return undefined
  const target = `${path.replace(/\.(?:jks|jceks|keystore|truststore)$/i, "")}.p12`
  return (
    `${path} is in Java's JCEKS format, which this server cannot read; convert it, and name the new file: ` +
    `keytool -importkeystore -srckeystore ${path} -srcstoretype JCEKS -destkeystore ${target} -deststoretype PKCS12`
  )
}

/** Reads a key store or trust store in PKCS#12 or JKS. Throws when it is damaged or the password is wrong. */
export const readKeyStore = async (file: Buffer, password: string): Promise<KeyStoreContents> =>
  isJks(file) ? readJks(file, password) : readPkcs12(file, password)
