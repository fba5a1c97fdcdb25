import { MAX_SHARED_LANES } from "../../services/PoolRequirements.ts"
import { hashOfText } from "../../structure/characters/TextHash.ts"

/**
 * The layout of the shared memory of a server with worker processes: a header, a slot for each worker, and tables that all
 * workers use. Words have 4 bytes and are read and written atomically.
 */

/** "EngW" in ASCII: the first word of the memory. */
export const MAGIC = 0x45_6e_67_57

/** Workers of a server at most. */
export const MAX_WORKERS = 64

/** Increase this number if the meaning of a word changes. A change of names or places changes {@link layoutVersion} itself. */
const MEANING = 3

/** Two cache lines: processors read them in pairs, so words of different writers stand this far apart. */
const LINE_BYTES = 128

const WORD_BYTES = 4

declare const headerWord: unique symbol
/** The place of a word in the header, in words. */
export type HeaderWord = number & { readonly [headerWord]: true }

declare const slotWord: unique symbol
/** The place of a word in the slot of a worker, in words from the start of the slot. */
export type SlotWord = number & { readonly [slotWord]: true }

/** Words that rarely change share a line. Each word that changes with requests has a line of its own. */
const wordsOf = <N extends string, W extends number>(
  lines: ReadonlyArray<ReadonlyArray<N>>
): Readonly<Record<N, W>> => {
  const places = lines.flatMap((names, line) =>
    names.map((name, i) => [name, (line * LINE_BYTES) / WORD_BYTES + i] as const)
  )
  return Object.fromEntries(places) as unknown as Readonly<Record<N, W>>
}

const headerLines = [
  // What the primary writes when it makes the memory. `seed`: of the hashes in the tables.
  ["magic", "version", "bytes", "seed0", "seed1"],
  // Written by the primary: the slots in use, from the first on, and the processes that have one. During a reload they differ.
  ["slots", "workers"],
  // Counts changes of users, passwords and roles.
  ["users"],
  // The time stamp of the latest write to a store that workers share, in two words.
  ["lastWriteTime", "lastWriteTimeHigh"],
  // Counts waits for lanes: lanes that went to workers whose requests waited, and workers whose requests began to wait. Another name of
  // this word would be another layout.
  ["turns"]
] as const

const slotLines = [
  // Written by the primary. `generation` counts the processes that had the slot.
  ["pid", "generation"],
  // Lanes that the worker uses, its requests that wait for a lane, and the number of its wait.
  ["lanes", "waiting", "waitingSince"],
  ["connections", "sessions"],
  // Kilobytes that requests hold, the most that one holds, kilobytes of arriving messages, and of files of answers.
  ["heldKilobytes", "largestKilobytes", "arrivingKilobytes", "answerKilobytes"],
  // The number of the record whose request has the event loop; 0 = none.
  ["onEventLoop"],
  // Milliseconds after which a write that was sent can no longer reach a store that workers share.
  ["writesLast"]
] as const

type Names<L extends ReadonlyArray<ReadonlyArray<string>>> = L[number][number]

/** The words of the header. */
export const header = wordsOf<Names<typeof headerLines>, HeaderWord>(headerLines)

/** The words of a slot. */
export const slotWords = wordsOf<Names<typeof slotLines>, SlotWord>(slotLines)

/** Requests of a worker that are recorded at a time. */
export const RECORDS = 40

/** Bytes of a record. */
export const RECORD_BYTES = 1_792

/** Entries of the table of the names of sessions and requests, of 8 bytes each. */
export const SESSION_ENTRIES = 65_536

/** Entries of the table of the files that are imported, of 8 bytes each. */
export const IMPORT_ENTRIES = 131_072

/** Entries of the table of transactions, of 8 bytes each. */
export const TRANSACTION_ENTRIES = 16_384

/** Entries of the table of failed logins. */
export const FAILURE_ENTRIES = 32_768

/** Bytes of an entry of the table of failed logins. */
export const FAILURE_BYTES = 32

/** Entries of the table of writes. */
export const WRITE_ENTRIES = 65_536

/** Bytes of an entry of the table of writes. */
export const WRITE_BYTES = 16

/**
 * Counts of changes that are not announced as parts, such as those of schemas, of 4 bytes each. They are apart from the table of writes,
 * whose entries data shares by chance.
 */
export const WHOLE_ENTRIES = 1_024

const HEADER_BYTES = headerLines.length * LINE_BYTES
const SLOT_BYTES = slotLines.length * LINE_BYTES

/** Words of a slot. */
export const SLOT_WORDS = SLOT_BYTES / WORD_BYTES

/** The parts of the memory in their order, with their lengths in bytes. */
const parts = {
  header: HEADER_BYTES,
  slots: SLOT_BYTES * MAX_WORKERS,
  lanes: MAX_SHARED_LANES * WORD_BYTES,
  sessions: SESSION_ENTRIES * 8,
  imports: IMPORT_ENTRIES * 8,
  transactions: TRANSACTION_ENTRIES * 8,
  failures: FAILURE_ENTRIES * FAILURE_BYTES,
  writes: WRITE_ENTRIES * WRITE_BYTES,
  wholes: WHOLE_ENTRIES * 4,
  records: RECORDS * RECORD_BYTES * MAX_WORKERS
}

type Part = keyof typeof parts

/** Where each part begins, bytes. */
export const starts: Readonly<Record<Part, number>> = (() => {
  let next = 0
  const found: Array<readonly [string, number]> = []
  for (const [part, bytes] of Object.entries(parts)) {
    found.push([part, next])
    next += bytes
  }
  return Object.fromEntries(found) as Record<Part, number>
})()

/** Length of the memory, bytes. A multiple of every size of a page. */
export const REGION_BYTES = Math.ceil((starts.records + parts.records) / 65_536) * 65_536

/** The version of the layout. Programs with equal versions can share the memory, and others cannot. */
export const layoutVersion = hashOfText(
  JSON.stringify([MEANING, LINE_BYTES, RECORDS, RECORD_BYTES, headerLines, slotLines, parts])
)
