/**
 * Work that ends later: reads that a store fetches, or a commit that waits for the disk. A function that may answer at once or
 * later returns `Pending | undefined`; undefined means that the work is done. Unlike a promise it costs nothing in the first case,
 * and it resumes its waiter in the turn of the event loop in which the work ends.
 */
export interface Pending {
  /** Waits for the end of the work: `resume` is called once, with the error of failed work. Call this once; lazy work begins with it. */
  onDone(resume: (error: Error | undefined) => void): void
}

/**
 * The commit of a request or a session. It is not undone when the request that waits for it ends early, so its outcome is always waited
 * for. Stores return plain {@link Pending} work: whoever commits for a request makes it this, and whoever passes it on keeps it.
 */
export interface PendingCommit extends Pending {
  readonly isCommit: true
}

/** A thrown value as an Error. */
export const errorOf = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/**
 * Two operations in sequence. `next` runs after `first` has succeeded, and the Pending that it returns is awaited, too. If `first`
 * fails, `failed` is called, and the result fails with the error of `first`. If `next` throws, the result fails with that error.
 */
const then = (first: Pending, next: () => Pending | undefined, failed?: (error: Error) => void): Pending => ({
  onDone: (resume) =>
    first.onDone((error) => {
      if (error !== undefined) {
        failed?.(error)
        resume(error)
        return
      }
      let second: Pending | undefined
      try {
        second = next()
      } catch (cause) {
        resume(errorOf(cause))
        return
      }
      if (second === undefined) resume(undefined)
      else second.onDone(resume)
    })
})

/** Several works at the same time. Ends when each of them has ended; fails with the first error. Undefined for no work. */
const all = (parts: ReadonlyArray<Pending>): Pending | undefined => {
  if (parts.length < 2) return parts[0]
  return {
    onDone: (resume) => {
      let running = parts.length
      let failure: Error | undefined
      for (const part of parts) {
        part.onDone((error) => {
          failure ??= error
          if (--running === 0) resume(failure)
        })
      }
    }
  }
}

/**
 * A promise as pending work; `use` gets its answer first. A rejection that comes before {@link Pending.onDone} is kept for it. There is
 * no further promise: each of them costs time.
 */
const fromPromise = <A>(promise: Promise<A>, use?: (answer: A) => void): Pending => {
  let isDone = false
  let failure: Error | undefined
  let waiter: ((error: Error | undefined) => void) | undefined
  const end = (error: Error | undefined): void => {
    isDone = true
    failure = error
    waiter?.(error)
  }
  promise.then(
    (answer) => {
      let error: Error | undefined
      try {
        use?.(answer)
      } catch (cause) {
        error = errorOf(cause)
      }
      end(error)
    },
    (cause: unknown) => end(errorOf(cause))
  )
  return {
    onDone: (resume) => {
      // Never during the call: the waiter may not be ready.
      if (isDone) queueMicrotask(() => resume(failure))
      else waiter = resume
    }
  }
}

/** Pending work as a promise; undefined, which is work that is done, as a resolved one. */
const toPromise = (pending: Pending | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (pending === undefined) resolve()
    else pending.onDone((error) => (error === undefined ? resolve() : reject(error)))
  })

/** Work as the commit of a request. */
const asCommit = (work: Pending): PendingCommit => ({ onDone: (resume) => work.onDone(resume), isCommit: true })

/** Whether the outcome of the work must be waited for. */
const isCommit = (work: Pending): work is PendingCommit => (work as Partial<PendingCommit>).isCommit === true

/** Combines and converts {@link Pending} work. An object, because a module that exports `then` is taken for a promise by `import()`. */
export const Pending = { then, all, fromPromise, toPromise, asCommit, isCommit } as const
