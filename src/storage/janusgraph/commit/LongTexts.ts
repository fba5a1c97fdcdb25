import { resultInSlices } from "../../../scheduling/Task.ts"
import type { Entry } from "../../shared/Properties.ts"
import { compress, MAX_PLAIN_UNITS, type ZippedTexts } from "../format/Strings.ts"
import type { Overlay } from "../transaction/Overlay.ts"

/** Texts that are compressed at the same time, by as many threads. */
const SIDE_BY_SIDE = 4

/** Compresses the long texts that a transaction writes, in other threads, so that its commit does not hold up the event loop. */
export const zippedTexts = async (own: Overlay): Promise<ZippedTexts> => {
  const zipped = new Map<string, Uint8Array>()
  const left = (await resultInSlices(() => longTexts(own)))[Symbol.iterator]()
  const work = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next())
      zipped.set(next.value, await compress(next.value))
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  return zipped
}

/** The long texts among the new values of vertices and edges. Yields after each value. */
function* longTexts({ edgeChanges, vertices }: Overlay): Generator<void, ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { changes, removed } of vertices.values()) {
    if (removed) continue
    for (const { base, state } of changes.values()) {
      if (state === base) continue
      const long = new Map<Entry, ReadonlySet<string>>()
      for (const entry of state?.entries ?? []) {
        const texts = textsOf(entry)
        if (texts.size > 0) long.set(entry, texts)
        yield
      }
      if (long.size === 0) continue
      // The commit does not write the entries again that were there before.
      for (const entry of base?.entries ?? []) {
        long.delete(entry)
        yield
      }
      for (const texts of long.values()) for (const text of texts) found.add(text)
    }
  }
  for (const changes of edgeChanges.values()) {
    for (const { value } of changes.values()) {
      addLong(value, found)
      yield
    }
  }
  return found
}

/** The long texts of one property of a vertex. */
const textsOf = ({ meta, value }: Entry): ReadonlySet<string> => {
  const found = new Set<string>()
  addLong(value, found)
  for (const metaValue of meta?.values() ?? []) addLong(metaValue, found)
  return found
}

/** Adds a long text, or those of an array of texts. */
const addLong = (value: unknown, found: Set<string>): void => {
  if (typeof value === "string" && value.length > MAX_PLAIN_UNITS) found.add(value)
  else if (Array.isArray(value)) for (const member of value) addLong(member, found)
}
