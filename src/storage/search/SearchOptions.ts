/** TLS to a search engine, as PEM. */
export interface SearchTls {
  readonly ca: ReadonlyArray<string> | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
  readonly passphrase: string | undefined
  /** The name of the host must be in its certificate. */
  readonly hostnameValidation: boolean
  /** Accepts certificates that no trusted authority has signed. */
  readonly selfSigned: boolean
}

/** How a search engine is reached: JanusGraph's options `index.<name>.*`. Times are in ms. */
export interface SearchOptions {
  /** The name of the index backend: `search` of `index.search.backend`. */
  readonly backend: string
  /** Names or addresses, with a port or without. */
  readonly hosts: ReadonlyArray<string>
  readonly port: number
  /** The prefix of the names of the engine's indexes. */
  readonly indexName: string
  /** The number of results that a search fetches at once. */
  readonly pageSize: number
  /** The parameter `refresh` of writes. */
  readonly refresh: string
  readonly connectTimeout: number
  readonly socketTimeout: number
  /** Seconds for which the engine keeps a search open between two pages. */
  readonly keepAlive: number
  /** Maximum bytes of one write. */
  readonly chunkBytes: number
  /** Retries of a request that was answered with one of the codes, and the pauses before them. */
  readonly retries: {
    readonly limit: number
    readonly codes: ReadonlySet<number>
    readonly first: number
    readonly longest: number
  }
  readonly login: { readonly username: string; readonly password: string } | undefined
  /** Undefined without TLS. */
  readonly tls: SearchTls | undefined
}
