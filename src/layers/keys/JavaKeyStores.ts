/** First bytes of the stores of Java's own formats, JKS and JCEKS: only Java can read their keys. */
const magics = new Set([0xfeedfeed, 0xcececece])

/**
 * Why a store cannot be used, with the command that makes one of it that can. Undefined for everything that is not in a
 * format of Java's own: since version 9 keytool writes PKCS#12, whatever the file is called.
 *
 * @param contents of the file, or its first bytes
 */
export const javaKeyStoreProblem = (contents: Buffer, path: string): string | undefined => {
  if (contents.length < 4 || !magics.has(contents.readUInt32BE(0))) return undefined
  const target = `${path.replace(/\.(?:jks|jceks|keystore|truststore)$/i, "")}.p12`
  return (
    `${path} has Java's own format, JKS, which cannot be read here; convert it, and name the new file: ` +
    `keytool -importkeystore -srckeystore ${path} -destkeystore ${target} -deststoretype PKCS12`
  )
}
