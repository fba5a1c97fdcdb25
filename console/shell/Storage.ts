import { signal } from "@preact/signals"

/** A query that the browser keeps. */
export interface KeptQuery {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const MAX_RECENT = 100

const read = (key: string): ReadonlyArray<KeptQuery> => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(found)
      ? found.filter(({ at, text }) => typeof text === "string" && typeof at === "number")
      : []
  } catch {
    return []
  }
}

const write = (key: string, queries: ReadonlyArray<KeptQuery>): void => {
  try {
    localStorage.setItem(key, JSON.stringify(queries))
  } catch {
    // A full or closed storage keeps nothing. The page has the queries until it is closed.
  }
}

const RECENT = "console.recent"
const SAVED = "console.saved"

/** Queries that ran, the last first. */
export const recent = signal(read(RECENT))
/** Queries that the user saved. */
export const saved = signal(read(SAVED))

/** Keeps a query that ran. */
export const remember = (text: string): void => {
  const others = recent.value.filter((query) => query.text !== text)
  recent.value = [{ text, at: Date.now() }, ...others].slice(0, MAX_RECENT)
  write(RECENT, recent.value)
}

/** Keeps a query until it is removed. */
export const save = (text: string): void => {
  saved.value = [{ text, at: Date.now() }, ...saved.value.filter((query) => query.text !== text)]
  write(SAVED, saved.value)
}

/** Removes a saved query. */
export const unsave = (text: string): void => {
  saved.value = saved.value.filter((query) => query.text !== text)
  write(SAVED, saved.value)
}

/** Forgets the queries that ran. */
export const clearRecent = (): void => {
  recent.value = []
  write(RECENT, recent.value)
}
