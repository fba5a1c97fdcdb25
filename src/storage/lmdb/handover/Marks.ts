import type { Environment } from "../Environment.ts"

/**
 * What has become of the commits that a process handed over: a record in the graph, written in the transaction that applies them. The
 * commits up to a number have been looked at, and all of them were applied but those that are named.
 */
interface Mark {
  readonly upTo: number
  readonly refused: ReadonlySet<number>
}

const PREFIX = "handed "
const NUMBER_BYTES = 8

const nameOf = (file: string): Buffer => Buffer.from(PREFIX + file)

/** The mark of a file; undefined if no commit of it has been looked at. Only inside a transaction. */
export const readMark = (environment: Environment, file: string): Mark | undefined => {
  const bytes = environment.note(nameOf(file))
  if (bytes === undefined) return undefined
  const refused = new Set<number>()
  for (let at = NUMBER_BYTES; at < bytes.length; at += NUMBER_BYTES) refused.add(bytes.readDoubleBE(at))
  return { upTo: bytes.readDoubleBE(0), refused }
}

/** Sets the mark of a file. Only inside a transaction. */
export const writeMark = (environment: Environment, file: string, { refused, upTo }: Mark): void => {
  const bytes = Buffer.alloc(NUMBER_BYTES * (1 + refused.size))
  bytes.writeDoubleBE(upTo, 0)
  let at = NUMBER_BYTES
  for (const number of refused) at = bytes.writeDoubleBE(number, at)
  environment.setNote(nameOf(file), bytes)
}

/** Removes the marks of files that are not there any more. Only inside a transaction. */
export const removeMarks = (environment: Environment, isThere: (file: string) => boolean): void => {
  for (const name of environment.notes(Buffer.from(PREFIX))) {
    if (!isThere(name.toString("utf8", PREFIX.length))) environment.setNote(name, undefined)
  }
}
