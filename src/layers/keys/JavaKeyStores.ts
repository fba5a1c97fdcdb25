/** First four bytes of JKS and JCEKS key stores, Java formats that are not supported. */
const magics = new Set([0xfeedfeed, 0xcececece])

/**
 * Why a key store cannot be used, with a command that converts it. Undefined when it is not in a Java format: since version
 * 9, keytool writes PKCS#12, whatever the name of the file.
 *
 * @param contents of the file, or its first bytes
 */
export const javaKeyStoreProblem = (contents: Buffer, path: string): string | undefined => {
  if (contents.length < 4 || !magics.has(contents.readUInt32BE(0))) return undefined
  const target = `${path.replace(/\.(?:jks|jceks|keystore|truststore)$/i, "")}.p12`
  return (
    `${path} is in Java's JKS format, which this server cannot read; convert it, and name the new file: ` +
    `keytool -importkeystore -srckeystore ${path} -destkeystore ${target} -deststoretype PKCS12`
  )
}
