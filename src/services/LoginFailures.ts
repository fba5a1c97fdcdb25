/** The token bucket of an address or a user. Each failed attempt to authenticate takes a token. */
export interface FailureBucket {
  /** Takes a token of a bucket that has `size` tokens and fills within a minute. Returns 0, or the time until the next token, ms. */
  readonly take: (size: number) => number
  readonly giveBack: (size: number) => void
  /** Attempts under way, which may give their tokens back. */
  readonly pending: () => number
  /** An attempt is under way. */
  readonly begin: () => void
  /** An attempt has its outcome. */
  readonly end: () => void
}
