import { type KeyStoreContents, pem } from "./KeyStoreContents.ts"

/**
 * Reads a PKCS#12 file that OpenSSL cannot: certificates without a key, and ciphers of older versions of Java's keytool.
 * Throws when the file is damaged or the password is wrong.
 */
export const readPkcs12 = async (file: Buffer, password: string): Promise<KeyStoreContents> => {
  const { forge } = await import("./Forge.ts")
  const { asn1, pkcs12, pki } = forge
  const store = pkcs12.pkcs12FromAsn1(asn1.fromDer(file.toString("binary")), false, password)
  const der = (value: Parameters<typeof asn1.toDer>[0]): Buffer => Buffer.from(asn1.toDer(value).getBytes(), "binary")
  const certificates: Array<string> = []
  let key: string | undefined
  for (const { safeBags } of store.safeContents) {
    for (const bag of safeBags) {
      // node-forge does not parse keys and certificates of elliptic curves; they are passed on in their ASN.1 form.
      if (bag.type === pki.oids.certBag) {
        const certificate = bag.cert == null ? bag.asn1 : pki.certificateToAsn1(bag.cert)
        certificates.push(pem("CERTIFICATE", der(certificate)))
      } else if (bag.type === pki.oids.keyBag || bag.type === pki.oids.pkcs8ShroudedKeyBag) {
        const info = bag.key == null ? bag.asn1 : pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(bag.key))
        key = pem("PRIVATE KEY", der(info))
      }
    }
  }
  return { key, certificates }
}
