import type { SearchEngineOptions } from "../../structure/graph/StoreOptions.ts"

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

/** How a search engine is reached. */
export interface SearchOptions extends SearchEngineOptions {
  /** Undefined without TLS. */
  readonly tls: SearchTls | undefined
}
