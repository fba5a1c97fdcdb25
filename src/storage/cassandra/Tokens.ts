import type { Client } from "cassandra-driver"

/** The largest token of Murmur3Partitioner, and the number of its tokens. */
const MAX_TOKEN = 2n ** 63n - 1n
const TOKENS = 2 ** 64
/** The driver's code of the type bigint. */
const BIGINT = 2

/** Rows of a table by their tokens: greater than `above`, and at most `upTo`. */
export interface TokenRange {
  readonly above: bigint
  readonly upTo: bigint
}

/**
 * The token of a row. Undefined if the cluster has another partitioner than Murmur3Partitioner, or the client does not know the
 * partitioner.
 */
export const tokenOf = (client: Client, key: Buffer): bigint | undefined => {
  const { metadata } = client as Partial<Pick<Client, "metadata">>
  const token = metadata?.newToken(key)
  return token?.getType().code === BIGINT ? BigInt(String(token.getValue())) : undefined
}

/** The share of all tokens that are less than a token. */
export const shareBelow = (token: bigint): number => (Number(token) + TOKENS / 2) / TOKENS

/** Divides the tokens from `from` on into ranges of equal size. */
export const rangesFrom = (from: bigint, count: number): ReadonlyArray<TokenRange> => {
  const width = (MAX_TOKEN - from) / BigInt(count)
  const borders = Array.from({ length: count }, (_, at) => from - 1n + width * BigInt(at))
  return borders.map((above, at) => ({ above, upTo: borders[at + 1] ?? MAX_TOKEN }))
}
