import { constants, PerformanceObserver } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { LimitExceeded } from "../../process/language/Errors.ts"
import { Config } from "../../services/Config.ts"
import { type MemoryAccount, MemoryBudget, type MemoryHolder } from "../../services/MemoryBudget.ts"
import type { SharedHeld } from "../../services/SharedLimits.ts"
import { SharedState } from "../../services/SharedState.ts"
import { type Linked, LinkedList } from "../../structure/containers/LinkedList.ts"
import { heapRoom } from "../../structure/memory/HeapRoom.ts"
import { HeldInWorkers } from "./HeldInWorkers.ts"

/** Share of the heap limit that may be in use after a garbage collection. If more is in use, V8 soon ends the process. */
const FULL_SHARE = 0.75
/** If more is in use, requests are cancelled until this share of the heap limit is in use. */
const RELIEVED_SHARE = 0.6
/** Share of the heap limit that requests and graphs in memory may use together. */
const COMBINED_SHARE = 0.85
/** Share of the heap limit that requests may always use, so that small requests are answered even if graphs fill the heap. */
const MIN_REQUEST_SHARE = 0.05

/** How often a worker looks whether it has to free memory for the server. */
const WATCH_INTERVAL_MS = 100

/** A performance entry of the type `gc`. @types/node does not declare its detail. */
interface Collection {
  readonly detail: { readonly kind: number }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MB`

/** The memory of one holder. */
class Account implements MemoryAccount, Linked<Account> {
  readonly holder: MemoryHolder
  readonly #budget: Budget
  bytes = 0
  most = 0
  /** True if the holder was cancelled to make room. Its memory is freed with its next slice, and is no longer counted. */
  condemned = false
  previous: Account | undefined = undefined
  next: Account | undefined = undefined

  constructor(holder: MemoryHolder, budget: Budget) {
    this.holder = holder
    this.#budget = budget
  }

  set(bytes: number): void {
    if (this.condemned) return
    const more = bytes - this.bytes
    this.bytes = bytes
    this.#budget.change(this, more)
  }

  mayHold(bytes: number): void {
    this.most = bytes
  }

  close(): void {
    this.#budget.forget(this)
    this.condemned = true
  }
}

/** The accounts of all holders of this process, with one limit. */
class Budget {
  readonly #limit: number
  readonly #accounts = new LinkedList<Account>()
  /** The holders of all workers of the server; undefined in a server of one process. */
  readonly #shared: HeldInWorkers | undefined
  #used = 0

  constructor(limit: number, shared: SharedHeld | undefined) {
    this.#limit = limit
    this.#shared = shared === undefined ? undefined : new HeldInWorkers(shared, limit)
  }

  get used(): number {
    return this.#used
  }

  open(holder: MemoryHolder): Account {
    const account = new Account(holder, this)
    this.#accounts.add(account)
    return account
  }

  /** Bytes for requests: the setting, or what graphs in memory leave. */
  get #room(): number {
    const { kept, limit } = heapRoom
    if (kept < limit * MIN_REQUEST_SHARE) return this.#limit
    return Math.min(this.#limit, Math.max(limit * COMBINED_SHARE - kept, limit * MIN_REQUEST_SHARE))
  }

  change(account: Account, bytes: number): void {
    this.#used += bytes
    const isBeyond = this.#shared?.changed(this.#used, account.bytes) === true
    if (bytes <= 0 || this.#limit === 0) return
    if (isBeyond) this.relieveServer(account)
    for (let room = this.#room; this.#used > room; ) {
      const largest = this.#largest()
      if (largest === undefined) return
      const error = tooMuch(room, largest.bytes, room === this.#limit)
      this.#condemn(largest)
      if (largest === account) throw error
      largest.holder.cancel(error)
    }
  }

  /**
   * Cancels the largest holders of this process while all workers hold more than the budget together, and no other worker has
   * a larger one. Throws LimitExceeded when `current` is among them.
   */
  relieveServer(current?: Account): void {
    while (this.#shared !== undefined) {
      const largest = this.#largest()
      if (!this.#shared.mustFree(this.#used, largest?.bytes ?? 0) || largest === undefined) return
      const error = tooMuch(this.#limit, largest.bytes, true)
      this.#condemn(largest)
      if (largest === current) throw error
      largest.holder.cancel(error)
    }
  }

  /** @param isExplained whether the bytes of the accounts are what fills the heap */
  relieve(reason: string, isExplained = true): boolean {
    const largest = isExplained ? this.#largest() : this.#largest(({ bytes, most }) => Math.max(bytes, most))
    if (largest === undefined) return false
    this.#condemn(largest)
    largest.holder.cancel(
      new LimitExceeded(
        isExplained
          ? `${reason} This request holds the most memory, about ${megabytes(largest.bytes)}, and is ended. Narrow it with has() or limit().`
          : `${reason} This request made the most values, of about ${megabytes(Math.max(largest.bytes, largest.most))}, and is ended. Keep fewer of them.`
      )
    )
    return true
  }

  forget(account: Account): void {
    if (!this.#accounts.delete(account)) return
    this.#used -= account.bytes
    account.bytes = 0
    this.#shared?.changed(this.#used, 0)
  }

  #condemn(account: Account): void {
    account.condemned = true
    this.#accounts.delete(account)
    this.#used -= account.bytes
    this.#shared?.changed(this.#used, 0)
  }

  #largest(size = ({ bytes }: Account) => bytes): Account | undefined {
    let largest: Account | undefined
    for (const account of this.#accounts) {
      if (largest === undefined || size(account) > size(largest)) largest = account
    }
    return largest
  }
}

/**
 * The accounts are estimates, so the heap itself is checked, too. When a full garbage collection leaves it nearly full, the
 * largest holders are cancelled.
 */
const guardHeap = (budget: Budget) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const observer = new PerformanceObserver((list) => {
        const collections = list.getEntries() as unknown as ReadonlyArray<Collection>
        const full = collections.some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
        if (!full) return
        const { heap_size_limit, used_heap_size } = getHeapStatistics()
        heapRoom.collected(Math.max(0, used_heap_size - budget.used))
        if (used_heap_size <= heap_size_limit * FULL_SHARE) return
        const reason = `The server's heap of ${megabytes(heap_size_limit)} is nearly full.`
        // Scripts cannot tell exactly what they hold. When no account explains the heap, the script that made the most ends.
        const excess = used_heap_size - heap_size_limit * RELIEVED_SHARE
        if (budget.used < excess) {
          budget.relieve(reason, false)
          return
        }
        // Approximately the factor by which the accounts underestimate the heap.
        const scale = Math.max(1, used_heap_size / Math.max(1, budget.used))
        const wanted = budget.used - (used_heap_size - heap_size_limit * RELIEVED_SHARE) / scale
        while (budget.relieve(reason) && budget.used > wanted) {
          // The next largest holder is cancelled, too.
        }
      })
      observer.observe({ entryTypes: ["gc"] })
      return observer
    }),
    (observer) => Effect.sync(() => observer.disconnect())
  )

/** @param isSetting whether the limit is the setting, or what graphs in memory leave of the heap */
const tooMuch = (limit: number, bytes: number, isSetting: boolean): LimitExceeded =>
  new LimitExceeded(
    `All requests together hold more than ${megabytes(limit)}, ` +
      `${isSetting ? "the server's memoryBudget" : "what graphs in memory leave of the server's heap"}. This request holds the ` +
      `most, ${megabytes(bytes)}, and is ended. Narrow it with has() or limit(), or raise the ` +
      `${isSetting ? "setting" : "limit of the heap (--max-old-space-size)"}.`
  )

/** Another worker may have exceeded the budget of the server while this one has the largest holder. */
const watchServer = (budget: Budget) =>
  Effect.acquireRelease(
    Effect.sync(() => setInterval(() => budget.relieveServer(), WATCH_INTERVAL_MS).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

/** The memory budget of the whole server. */
export const layer: Layer.Layer<MemoryBudget, never, Config> = Layer.scoped(
  MemoryBudget,
  Effect.gen(function* () {
    const { memoryBudget } = yield* Config
    const shared = Option.getOrUndefined(yield* Effect.serviceOption(SharedState))?.held
    const budget = new Budget(memoryBudget, shared)
    yield* guardHeap(budget)
    if (shared !== undefined) yield* watchServer(budget)
    return {
      open: (holder) => budget.open(holder),
      used: () => budget.used,
      relieve: (reason) => budget.relieve(reason)
    }
  })
)
