import { LimitExceeded } from "../../process/language/Errors.ts"
import type { ResultSink } from "../../process/machine/ResultSink.ts"

/** Collects the results of a traversal inside a script. */
export class Collected implements ResultSink {
  readonly values: Array<unknown> = []
  readonly #limit: number
  readonly #most: number
  readonly #want: "list" | "none" | "explain"

  constructor(limit: number | undefined, most: number, want: "list" | "none" | "explain") {
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#most = most
    this.#want = want
  }

  /** The answer of the call. */
  get answer(): unknown {
    return this.#want === "explain" ? this.values[0] : this.values
  }

  accept(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean {
    if (this.#want === "none") return true
    for (let i = 0; i < length; i++) {
      for (let times = bulks === null ? 1 : bulks[i]!; times > 0; times--) {
        if (this.values.length >= this.#limit) return false
        if (this.values.length >= this.#most) throw this.#tooMany()
        this.values.push(values[i])
      }
    }
    return this.values.length < this.#limit
  }

  /** The values are not read before the traversal has ended, and do not change after that. */
  acceptGrowing(values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null): boolean {
    return this.accept(values, length, bulks)
  }

  #tooMany(): LimitExceeded {
    return new LimitExceeded(
      `A traversal inside the script has more than ${this.#most} results; the script would hold them all. Let the ` +
        "traversal be the last statement, or narrow it."
    )
  }
}
