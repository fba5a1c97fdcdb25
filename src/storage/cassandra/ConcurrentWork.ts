/**
 * Calls `work` for each item, at most `limit` calls at the same time. The iterator is advanced only when a call starts. Fails with
 * the first error, when all calls have ended.
 */
export const inWindow = <A>(items: Iterable<A>, limit: number, work: (item: A, at: number) => Promise<void>) =>
  new Promise<void>((resolve, reject) => {
    const iterator = items[Symbol.iterator]()
    let next = 0
    let running = 0
    let ended = false
    let failed = false
    let failure: unknown
    const more = (): void => {
      while (!failed && !ended && running < limit) {
        const item = iterator.next()
        if (item.done) {
          ended = true
          break
        }
        running++
        work(item.value, next++).then(done, (cause: unknown) => {
          if (!failed) failure = cause
          failed = true
          done()
        })
      }
      if (running > 0) return
      if (failed) reject(failure)
      else resolve()
    }
    const done = (): void => {
      running--
      more()
    }
    more()
  })
