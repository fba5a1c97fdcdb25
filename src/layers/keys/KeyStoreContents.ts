/** The contents of a key store or trust store as PEM. */
export interface KeyStoreContents {
  /** Undefined in a trust store. */
  readonly key: string | undefined
  readonly certificates: ReadonlyArray<string>
}

/** Bytes in DER as PEM, whose lines have 64 characters. */
export const pem = (label: string, der: Buffer): string => {
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n")
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
