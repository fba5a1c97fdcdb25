import type { AddressInfo, ListenOptions } from "node:net"

/** Set to `true` by the launcher for `-Djava.net.preferIPv4Stack=true`. */
const IPV4_ONLY = "SERVICE_PREFER_IPV4"

/**
 * What a server listens on for its settings. `0.0.0.0` is every address of both families, as on the JVM: a probe of an IPv6-only cluster
 * reaches the server, too. Node.js listens so without a host, and only on IPv4 where the machine has no IPv6. As on the JVM, an option
 * of the launcher keeps IPv6 closed: a firewall may have rules for IPv4 only. `localhost` is the
 * IPv4 address: clients are configured with `localhost` or with 127.0.0.1. An address may have the brackets of a URL.
 */
export const listenOptions = (
  host: string,
  port: number,
  environment: Readonly<Record<string, string | undefined>> = process.env
): ListenOptions => {
  if (host === "0.0.0.0" && environment[IPV4_ONLY] !== "true") return { port }
  return { port, host: host === "localhost" ? "127.0.0.1" : withoutBrackets(host) }
}

/** An IPv6 address without the brackets that it has in a URL. Other hosts are returned as they are. */
export const withoutBrackets = (host: string): string => /^\[(.*:.*)\]$/.exec(host)?.[1] ?? host

/** An address and its port as in a URL: an IPv6 address has brackets. */
export const hostAndPort = (address: string, port: number): string =>
  `${address.includes(":") ? `[${address}]` : address}:${port}`

/** What a server listens on, for its log. */
export const listeningOn = ({ address }: Pick<AddressInfo, "address">): string =>
  address === "::" ? ":: (IPv6 and IPv4)" : address === "0.0.0.0" ? "0.0.0.0 (IPv4)" : address
