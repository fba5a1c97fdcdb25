import { type Signal, signal } from "@preact/signals"

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

/** Returns whether the storage keeps the queries. If it is full or closed, the page has them until it is closed. */
const write = (key: string, queries: ReadonlyArray<KeptQuery>): boolean => {
  try {
    localStorage.setItem(key, JSON.stringify(queries))
    return true
  } catch {
    return false
  }
}

/** Queries of the storage that the page shows. Other pages of the console change the storage, too. */
class KeptQueries {
  readonly #key: string
  readonly #shown: Signal<ReadonlyArray<KeptQuery>>
  /** The storage has not kept the last change: the page knows more than it. */
  #isAlone = false

  constructor(key: string) {
    this.#key = key
    this.#shown = signal(read(key))
    globalThis.addEventListener?.("storage", (event) => {
      if (!this.#isAlone && (event.key === key || event.key === null)) this.#shown.value = read(key)
    })
  }

  get value(): ReadonlyArray<KeptQuery> {
    return this.#shown.value
  }

  /** Changes what the storage has now. Returns whether it keeps the change. */
  change(how: (queries: ReadonlyArray<KeptQuery>) => ReadonlyArray<KeptQuery>): boolean {
    this.#shown.value = how(this.#isAlone ? this.#shown.peek() : read(this.#key))
    this.#isAlone = !write(this.#key, this.#shown.peek())
    return !this.#isAlone
  }
}

/** Queries that ran, the last first. */
export const recent = new KeptQueries("console.recent")
/** Queries that the user saved. */
export const saved = new KeptQueries("console.saved")

const withFirst = (queries: ReadonlyArray<KeptQuery>, text: string): ReadonlyArray<KeptQuery> => [
  { text, at: Date.now() },
  ...queries.filter((query) => query.text !== text)
]

/** Keeps a query that ran. */
export const remember = (text: string): void => {
  recent.change((queries) => withFirst(queries, text).slice(0, MAX_RECENT))
}

/** Keeps a query until it is removed. Returns whether it is kept when the page is closed. */
export const save = (text: string): boolean => saved.change((queries) => withFirst(queries, text))

/** Removes a saved query. */
export const unsave = (text: string): void => {
  saved.change((queries) => queries.filter((query) => query.text !== text))
}

/** Forgets the queries that ran. */
export const clearRecent = (): void => {
  recent.change(() => [])
}
