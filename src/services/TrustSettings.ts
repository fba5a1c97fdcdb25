import type * as Redacted from "effect/Redacted"
import type { GraphSettings } from "./GraphSettings.ts"

/** An authenticator shipped with the server, named as in Gremlin Server. */
export type AuthenticatorName =
  | "AllowAllAuthenticator"
  | "SimpleAuthenticator"
  | "HMACAuthenticator"
  | "SaslAndHMACAuthenticator"

/** A handler that asks the clients of a transport for credentials, named as in Gremlin Server. */
export type AuthenticationHandlerName =
  | "SaslAuthenticationHandler"
  | "HttpBasicAuthenticationHandler"
  | "SaslAndHttpBasicAuthenticationHandler"
  | "HttpHMACAuthenticationHandler"
  | "SaslAndHMACAuthenticationHandler"

/** `authentication` of the YAML file, as in Gremlin Server and JanusGraph Server. Default: AllowAllAuthenticator. */
export interface AuthenticationSettings {
  readonly authenticator: AuthenticatorName
  /** Undefined with AllowAllAuthenticator. The default handler depends on the authenticator and the channelizer. */
  readonly authenticationHandler: AuthenticationHandlerName | undefined
  /** A user that is created when it does not exist. Both or none. */
  readonly defaultUsername: string | undefined
  readonly defaultPassword: Redacted.Redacted | undefined
  /** The graph of the users. Present unless the authenticator is AllowAllAuthenticator. */
  readonly credentialsDb: GraphSettings | undefined
  /** Secret of token signatures. Present with the HMAC authenticators. */
  readonly hmacSecret: Redacted.Redacted | undefined
  /** JCA name of the token's MAC. Default HmacSHA256. */
  readonly hmacAlgo: "HmacSHA256" | "HmacSHA384" | "HmacSHA512"
  /** Lifetime of a token, ms. Default 3,600,000. */
  readonly tokenTimeout: number
  /** Role of users without one in the credentials graph. Default editor. */
  readonly defaultRole: "reader" | "editor" | "admin"
  /** Failed authentications per minute from one address. Default 30; 0 off. */
  readonly maxFailures: number
  /**
   * Failed authentications per minute with one user name, from all addresses together; 0 off. Default 150. In a file the default is five
   * times `maxFailures` if this is more, because one address must not use up the attempts of a user name.
   */
  readonly maxUserFailures: number
  /**
   * Time in which a WebSocket must authenticate after the challenge, ms. Default 5,000, the fixed value of Gremlin Server.
   */
  readonly authenticationTimeout: number
}

/** `authorization` of the YAML file. */
export interface AuthorizationSettings {
  /** RoleAuthorizer (reader, editor, admin per user and graph), the path of an ES module, or undefined for none. */
  readonly authorizer: "RoleAuthorizer" | { readonly module: string } | undefined
  /** Passed to the authorizer unchanged. */
  readonly config: Readonly<Record<string, unknown>>
}

/** `ssl` of the YAML file. Files are absolute paths. */
export interface SslSettings {
  readonly enabled: boolean
  /** PKCS#12 file with key and certificate chain. */
  readonly keyStore: string | undefined
  readonly keyStorePassword: Redacted.Redacted | undefined
  readonly keyStoreType: "PKCS12" | "PEM" | "JKS" | undefined
  /** PEM files: certificate chain and private key (encrypted when keyPassword is given). */
  readonly keyCertChainFile: string | undefined
  readonly keyFile: string | undefined
  readonly keyPassword: Redacted.Redacted | undefined
  /** Certificates of the authorities that sign clients' certificates: PKCS#12 or PEM. */
  readonly trustStore: string | undefined
  readonly trustStorePassword: Redacted.Redacted | undefined
  readonly trustStoreType: "PKCS12" | "PEM" | "JKS" | undefined
  readonly trustCertChainFile: string | undefined
  /** JVM names (TLSv1.2, TLSv1.3). Empty: Node's default. */
  readonly sslEnabledProtocols: ReadonlyArray<string>
  /** IANA or OpenSSL names. Empty: Node's default. */
  readonly sslCipherSuites: ReadonlyArray<string>
  /** OPTIONAL is treated as REQUIRE with a warning, as in Gremlin Server. */
  readonly needClientAuth: "NONE" | "REQUIRE"
  /** Interval at which changed files are loaded, ms. Default 60,000; 0 never. */
  readonly refreshInterval: number
}

/** The defaults of the block `authentication`, which also apply without the block: no authentication. */
export const openAuthentication: AuthenticationSettings = {
  authenticator: "AllowAllAuthenticator",
  authenticationHandler: undefined,
  defaultUsername: undefined,
  defaultPassword: undefined,
  credentialsDb: undefined,
  hmacSecret: undefined,
  hmacAlgo: "HmacSHA256",
  tokenTimeout: 3_600_000,
  defaultRole: "editor",
  maxFailures: 30,
  maxUserFailures: 150,
  authenticationTimeout: 5_000
}

/** The defaults of the block `ssl`, which also apply without the block: no TLS. */
export const noSsl: SslSettings = {
  enabled: false,
  keyStore: undefined,
  keyStorePassword: undefined,
  keyStoreType: undefined,
  keyCertChainFile: undefined,
  keyFile: undefined,
  keyPassword: undefined,
  trustStore: undefined,
  trustStorePassword: undefined,
  trustStoreType: undefined,
  trustCertChainFile: undefined,
  sslEnabledProtocols: [],
  sslCipherSuites: [],
  needClientAuth: "NONE",
  refreshInterval: 60_000
}
