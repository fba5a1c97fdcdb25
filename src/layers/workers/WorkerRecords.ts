import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { RequestIdentity, RequestRecords } from "../../services/RequestRecords.ts"
import { RECORD_BYTES, RECORDS, slotWords, starts } from "./RegionLayout.ts"
import { CUT, identityOf } from "./RequestIdentity.ts"
import type { SharedRegion } from "./SharedRegion.ts"

/** The words of a record. Its text follows: id, user, bindings and text of the request. */
const IS_USED = 0
const STARTED = 1
const IS_BYTECODE = 2
const LENGTH = 3
const ID_CHARS = 4
const USER_CHARS = 5
const BINDINGS_CHARS = 6
const TEXT_BYTES = 7
const TEXT_AT = 32

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT

/** The last record is that of requests for which no other one was free. */
const SPARE = RECORDS

/** Where a record begins, bytes. Records have numbers from 1 on. */
const recordAt = (slot: number, record: number): number => starts.records + (slot * RECORDS + record - 1) * RECORD_BYTES

/**
 * The records of a worker. Each has one string, because a write of a string costs more than its characters.
 *
 * @param slot of the worker
 */
export const workerRecords = (region: SharedRegion, slot: number): typeof RequestRecords.Service => {
  const free = Array.from({ length: RECORDS - 1 }, (_, i) => RECORDS - 1 - i)
  /** Records that have only a part of their request. Each is written again, whole, if its request needs a second slice. */
  const partial = new Set<number>()
  let current = 0

  const write = ({ requestId }: EvaluationRequest, identity: RequestIdentity, record: number): void => {
    const { bytes, words } = region
    const at = recordAt(slot, record)
    const word = at / WORD_BYTES
    const { bindings, kind, length, text, user } = identity
    Atomics.store(words, word + IS_USED, 0)
    words[word + IS_BYTECODE] = kind === "bytecode" ? 1 : 0
    words[word + LENGTH] = length
    words[word + ID_CHARS] = requestId.length
    words[word + USER_CHARS] = user.length
    words[word + BINDINGS_CHARS] = bindings.length
    words[word + TEXT_BYTES] = bytes.write(
      requestId + user + bindings + text,
      at + TEXT_AT,
      RECORD_BYTES - TEXT_AT,
      "utf8"
    )
    Atomics.store(words, word + IS_USED, 1)
  }

  const has = (record: number): void => {
    current = record
    region.setOf(slot, slotWords.onEventLoop, record)
  }

  return {
    current: () => current,
    enter: (request, record) => {
      if (record > 0) {
        if (partial.delete(record)) write(request, identityOf(request, true), record)
        has(record)
        return record
      }
      const taken = free.pop() ?? SPARE
      const identity = identityOf(request, false)
      region.words[recordAt(slot, taken) / WORD_BYTES + STARTED] = Date.now() / 1_000
      write(request, identity, taken)
      if (taken !== SPARE && identity.bindings.endsWith(CUT)) partial.add(taken)
      has(taken)
      return taken === SPARE ? 0 : taken
    },
    leave: has,
    end: (record) => {
      if (record === 0) return
      partial.delete(record)
      Atomics.store(region.words, recordAt(slot, record) / WORD_BYTES + IS_USED, 0)
      free.push(record)
    }
  }
}

/** A request that a worker evaluated. */
export interface RecordedRequest extends RequestIdentity {
  readonly requestId: string
  /** When it first had the event loop, in whole seconds since 1970. */
  readonly startedAt: number
}

/** What a worker was doing. */
export interface WorkerReading {
  /** The request that had the event loop; undefined when none had it. */
  readonly onEventLoop: RecordedRequest | undefined
  /** All requests that the worker evaluated, in the order of their start. */
  readonly evaluated: ReadonlyArray<RecordedRequest>
}

/** Reads what the worker of a slot is doing, or was doing when it died. */
export const readRecords = (region: SharedRegion, slot: number): WorkerReading => {
  const records = Array.from({ length: RECORDS }, (_, i) => read(region, slot, i + 1))
  const current = region.of(slot, slotWords.onEventLoop)
  const onEventLoop = records[current - 1]
  // The spare record keeps the last request that had it.
  const evaluated = records.filter((record, i) => record !== undefined && (i + 1 !== SPARE || current === SPARE))
  return {
    onEventLoop,
    evaluated: evaluated.filter((record) => record !== undefined).sort((a, b) => a.startedAt - b.startedAt)
  }
}

const read = (region: SharedRegion, slot: number, record: number): RecordedRequest | undefined => {
  const { bytes, words } = region
  const at = recordAt(slot, record)
  const word = (name: number): number => Atomics.load(words, at / WORD_BYTES + name)
  if (word(IS_USED) === 0) return undefined
  const all = bytes.toString("utf8", at + TEXT_AT, at + TEXT_AT + Math.min(word(TEXT_BYTES), RECORD_BYTES - TEXT_AT))
  const user = word(ID_CHARS)
  const bindings = user + word(USER_CHARS)
  const text = bindings + word(BINDINGS_CHARS)
  return {
    requestId: all.slice(0, user),
    user: all.slice(user, bindings),
    bindings: all.slice(bindings, text),
    text: all.slice(text),
    kind: word(IS_BYTECODE) === 1 ? "bytecode" : "script",
    length: word(LENGTH),
    startedAt: word(STARTED)
  }
}

/** Forgets what the process of a slot was doing. */
export const clearRecords = (region: SharedRegion, slot: number): void => {
  for (let record = 1; record <= RECORDS; record++) {
    Atomics.store(region.words, recordAt(slot, record) / WORD_BYTES + IS_USED, 0)
  }
}
