/** Hashes at a time: libuv has four threads, and files and storage need some of them. */
const AT_ONCE = 2
interface Job {
  readonly password: string
  readonly hash: string
  readonly done: (matches: boolean) => void
  readonly failed: (error: unknown) => void
}

/** Compares a password with its hash, on another thread. False for a hash that is none. */
type Verify = (password: string, hash: string) => Promise<boolean>

/** Loaded when the first password comes: most servers start without. */
const bcrypt: Verify = async (password, hash) => (await import("./Bcrypt.ts")).verify(password, hash)

/** Compares passwords with their hashes on other threads, a few at a time, the others in order. */
export class HashQueue {
  #running = 0
  readonly #waiting: Array<Job> = []
  readonly #verify: Verify

  constructor(verify: Verify = bcrypt) {
    this.#verify = verify
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Fails where passwords cannot be compared at all. `next`: before all that wait. */
  matches(password: string, hash: string, next = false): Promise<boolean> {
    return new Promise((done, failed) => {
      if (next) this.#waiting.unshift({ password, hash, done, failed })
      else this.#waiting.push({ password, hash, done, failed })
      this.#next()
    })
  }

  #next(): void {
    if (this.#running >= AT_ONCE) return
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
