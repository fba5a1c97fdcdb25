import { generateKeyPairSync } from "node:crypto"
import forge from "node-forge"

const { asn1, md, pkcs12, pki } = forge

/** A key and its certificate. */
export interface Identity {
  readonly certificate: string
  readonly key: string
}

let serial = 1

/** A certificate for localhost, signed by an authority or by itself. */
export const certify = (name: string, authority?: Identity): Identity => {
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" })
  const privateKey = pki.privateKeyFromPem(key.toString())
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.setRsaPublicKey(privateKey.n, privateKey.e)
  certificate.serialNumber = (serial++).toString(16).padStart(4, "0")
  certificate.validity.notBefore = new Date(Date.now() - 3_600_000)
  certificate.validity.notAfter = new Date(Date.now() + 3_600_000)
  const subject = [{ name: "commonName", value: name }]
  certificate.setSubject(subject)
  certificate.setIssuer(
    authority === undefined ? subject : pki.certificateFromPem(authority.certificate).subject.attributes
  )
  certificate.setExtensions([
    { name: "basicConstraints", cA: authority === undefined },
    {
      name: "subjectAltName",
      altNames: [
        { type: 2, value: "localhost" },
        { type: 7, ip: "127.0.0.1" }
      ]
    }
  ])
  certificate.sign(authority === undefined ? privateKey : pki.privateKeyFromPem(authority.key), md.sha256.create())
  return { certificate: pki.certificateToPem(certificate), key: key.toString() }
}

/** A PKCS#12 file; without a key it is a trust store. OpenSSL does not read `3des` by default. */
export const pkcs12File = (
  identity: Partial<Identity>,
  password: string,
  algorithm: "aes256" | "3des" = "aes256"
): Buffer => {
  const key = identity.key === undefined ? null : pki.privateKeyFromPem(identity.key)
  const certificates = identity.certificate === undefined ? [] : [pki.certificateFromPem(identity.certificate)]
  // biome-ignore lint/suspicious/noExplicitAny: the key of a trust store is null, which the types do not declare
  const store = pkcs12.toPkcs12Asn1(key as any, certificates, password, { algorithm })
  return Buffer.from(asn1.toDer(store).getBytes(), "binary")
}

/** An encrypted private key. */
export const encryptedKey = (key: string, password: string): string =>
  pki.encryptRsaPrivateKey(pki.privateKeyFromPem(key), password, { algorithm: "aes256" })
