import type { Environment } from "../Environment.ts"

/**
 * What has become of the commits that a process handed over: a record in the graph, written in the transaction that applies them. The
 * commits up to a number have been looked at, and all of them were applied but those that are named.
 */
interface Progress {
  readonly upTo: number
  readonly refused: ReadonlySet<number>
}

const PREFIX = "handed "
const NUMBER_BYTES = 8

const nameOf = (file: string): Buffer => Buffer.from(PREFIX + file)

/** What has become of the commits of a file; undefined if no commit of it has been looked at. Only inside a transaction. */
export const readProgress = (environment: Environment, file: string): Progress | undefined => {
  const bytes = environment.note(nameOf(file))
  if (bytes === undefined) return undefined
  const refused = new Set<number>()
  for (let at = NUMBER_BYTES; at < bytes.length; at += NUMBER_BYTES) refused.add(bytes.readDoubleBE(at))
  return { upTo: bytes.readDoubleBE(0), refused }
}

/** Writes what has become of the commits of a file. Only inside a transaction. */
export const writeProgress = (environment: Environment, file: string, { refused, upTo }: Progress): void => {
  const bytes = Buffer.alloc(NUMBER_BYTES * (1 + refused.size))
  bytes.writeDoubleBE(upTo, 0)
  let at = NUMBER_BYTES
  for (const number of refused) at = bytes.writeDoubleBE(number, at)
  environment.setNote(nameOf(file), bytes)
}

/** Removes the records of files that are not there any more. Only inside a transaction. */
export const removeProgress = (environment: Environment, isThere: (file: string) => boolean): void => {
  for (const name of environment.notes(Buffer.from(PREFIX))) {
    if (!isThere(name.toString("utf8", PREFIX.length))) environment.setNote(name, undefined)
  }
}
