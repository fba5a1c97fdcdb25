import { lateModule } from "../../services/LateModules.ts"

/** Comparisons that run at a time. libuv has four threads, and files and storage need some of them. */
const MAX_RUNNING_COMPARISONS = 2

/** A comparison that waits. */
interface Job {
  readonly password: string
  readonly hash: string
  readonly done: (matches: boolean) => void
  readonly failed: (error: unknown) => void
}

/** Compares a password with a hash, on another thread. False for a malformed hash. */
type Verify = (password: string, hash: string) => Promise<boolean>

/** bcrypt is loaded with the first password: most servers need none. */
const bcrypt: Verify = async (password, hash) => (await lateModule(import("./Bcrypt.ts"))).verify(password, hash)

/** Compares passwords with hashes on other threads. A few comparisons run at a time, and the others wait in order. */
export class HashQueue {
  #running = 0
  readonly #waiting: Array<Job> = []
  readonly #verify: Verify

  constructor(verify: Verify = bcrypt) {
    this.#verify = verify
  }

  /** Comparisons that wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Fails when passwords cannot be compared. `next`: before all waiting comparisons. */
  matches(password: string, hash: string, next = false): Promise<boolean> {
    return new Promise((done, failed) => {
      if (next) this.#waiting.unshift({ password, hash, done, failed })
      else this.#waiting.push({ password, hash, done, failed })
      this.#next()
    })
  }

  #next(): void {
    if (this.#running >= MAX_RUNNING_COMPARISONS) return
    const job = this.#waiting.shift()
    if (job === undefined) return
    this.#running++
    this.#verify(job.password, job.hash)
      .then(job.done, job.failed)
      .finally(() => {
        this.#running--
        this.#next()
      })
  }
}
