/** The contents of a PKCS#12 file as PEM. */
interface Pkcs12Contents {
  /** Undefined in a trust store. */
  readonly key: string | undefined
  readonly certificates: ReadonlyArray<string>
}

const pem = (label: string, der: string): string => {
  const lines = Buffer.from(der, "binary")
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

/**
 * Reads a PKCS#12 file that OpenSSL cannot: certificates without a key, and ciphers of older versions of Java's keytool.
 * Throws when the file is damaged or the password is wrong.
 */
export const readPkcs12 = async (file: Buffer, password: string): Promise<Pkcs12Contents> => {
  const { forge } = await import("./Forge.ts")
  const { asn1, pkcs12, pki } = forge
  const store = pkcs12.pkcs12FromAsn1(asn1.fromDer(file.toString("binary")), false, password)
  const certificates: Array<string> = []
  let key: string | undefined
  for (const { safeBags } of store.safeContents) {
    for (const bag of safeBags) {
      // node-forge does not parse keys and certificates of elliptic curves; they are passed on in their ASN.1 form.
      if (bag.type === pki.oids.certBag) {
        const certificate = bag.cert == null ? bag.asn1 : pki.certificateToAsn1(bag.cert)
        certificates.push(pem("CERTIFICATE", asn1.toDer(certificate).getBytes()))
      } else if (bag.type === pki.oids.keyBag || bag.type === pki.oids.pkcs8ShroudedKeyBag) {
        const info = bag.key == null ? bag.asn1 : pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(bag.key))
        key = pem("PRIVATE KEY", asn1.toDer(info).getBytes())
      }
    }
  }
  return { key, certificates }
}
