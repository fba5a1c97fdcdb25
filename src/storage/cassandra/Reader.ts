/** True when no caller waits for an answer: statements that were not sent are dropped. */
export type IsOver = () => boolean

/** For a caller that always waits. */
export const neverOver: IsOver = () => false

/** Somebody who waits for one answer. A read with callbacks makes no promise, which would cost more than the read. */
export interface Reader<A> {
  isOver(): boolean
  answered(answer: A): void
  failed(cause: unknown): void
}

/** The answer of a read with callbacks as a promise. */
export const promiseOf = <A>(read: (reader: Reader<A>) => void, isOver: IsOver): Promise<A> =>
  new Promise((answered, failed) => read({ isOver, answered, failed }))
