import type { RefColumn, RefScan } from "../../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"

/** Maximum number of recorded elements of a scan: half a megabyte. */
const RECORDED_MAX_REFS = 65_536

interface Found {
  refs: RefColumn
  length: number
}

/** A scan, and whether its elements have the order of the index query. */
export interface OrderedScan {
  readonly scan: RefScan
  readonly ordered: boolean | undefined
}

/**
 * Scans that V() or E() in the middle of a traversal repeats for each traverser. The second scan is recorded. Later
 * scans read the record until the transaction makes a change. A single scan has no extra cost.
 */
export class RepeatedScans {
  /** The change counter of the transaction when the last scan began; -1 before the first scan. */
  #changes = -1
  #record: { readonly found: Found; readonly ordered: boolean | undefined } | null = null

  /** Returns the next scan; `open` opens one in the store. */
  next(transaction: GraphTransaction, element: "vertex" | "edge", open: () => OrderedScan): OrderedScan {
    const { changes } = transaction
    if (changes === undefined) return open()
    const isRepeated = this.#changes === changes
    if (isRepeated && this.#record !== null) {
      const { found, ordered } = this.#record
      return { scan: new RecordedScan(found, transaction, element), ordered }
    }
    this.#changes = changes
    this.#record = null
    const opened = open()
    if (!isRepeated) return opened
    const keep = (found: Found): void => {
      if (transaction.changes === changes) this.#record = { found, ordered: opened.ordered }
    }
    return { scan: new RecordingScan(opened.scan, transaction, keep), ordered: opened.ordered }
  }
}

class RecordingScan implements RefScan {
  readonly #scan: RefScan
  readonly #transaction: GraphTransaction
  readonly #keep: (found: Found) => void
  /** Null after the limit is exceeded. */
  #found: Found | null

  constructor(scan: RefScan, transaction: GraphTransaction, keep: (found: Found) => void) {
    this.#scan = scan
    this.#transaction = transaction
    this.#keep = keep
    this.#found = { refs: transaction.newRefs(16), length: 0 }
  }

  next(max: number, out: Found): boolean {
    const before = out.length
    const more = this.#scan.next(max, out)
    if (this.#found !== null) this.#add(this.#found, out, before)
    if (!more && this.#found !== null) this.#keep(this.#found)
    return more
  }

  #add(found: Found, out: Found, from: number): void {
    const length = found.length + out.length - from
    if (length > RECORDED_MAX_REFS) {
      this.#found = null
      return
    }
    if (length > found.refs.length) {
      const grown = this.#transaction.newRefs(length * 2)
      for (let i = 0; i < found.length; i++) grown[i] = found.refs[i]!
      found.refs = grown
    }
    for (let i = from; i < out.length; i++) found.refs[found.length++] = out.refs[i]!
  }

  close(): void {
    this.#scan.close()
  }
}

class RecordedScan implements RefScan {
  readonly #found: Found
  readonly #transaction: GraphTransaction
  readonly #element: "vertex" | "edge"
  readonly #changes: number | undefined
  #at = 0

  constructor(found: Found, transaction: GraphTransaction, element: "vertex" | "edge") {
    this.#found = found
    this.#transaction = transaction
    this.#element = element
    this.#changes = transaction.changes
  }

  next(max: number, out: Found): boolean {
    const end = Math.min(this.#found.length, this.#at + max)
    // Elements removed after the scan began are skipped, as in a scan of the store.
    const isChanged = this.#transaction.changes !== this.#changes
    for (; this.#at < end; this.#at++) {
      const ref = this.#found.refs[this.#at]!
      if (!isChanged || this.#exists(ref)) out.refs[out.length++] = ref
    }
    return this.#at < this.#found.length
  }

  #exists(ref: number): boolean {
    return this.#element === "vertex" ? this.#transaction.hasVertex(ref) : this.#transaction.hasEdge(ref)
  }

  close(): void {
    this.#at = this.#found.length
  }
}
