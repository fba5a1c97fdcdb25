/** The distance between an upper-case and a lower-case letter. */
const DISTANCE = 32

const shifted = (from: number, to: number, by: number): string =>
  from > to ? "" : `${String.fromCharCode(from + by)}-${String.fromCharCode(to + by)}`

/** The ASCII letters that differ only in their case from a letter of a range of code points, as members of a class; "" = none. */
export const otherCases = (from: number, to: number): string =>
  shifted(Math.max(from, 0x41), Math.min(to, 0x5a), DISTANCE) +
  shifted(Math.max(from, 0x61), Math.min(to, 0x7a), -DISTANCE)

/** The members of a character class, as they are read: it finds the ASCII letters of the other case. */
export class CasedClass {
  /** The last member if a range may begin with it; -1 = none. */
  #last = -1
  #isRange = false
  #others = ""

  /** The next member is this character, or it ends a range. */
  literal(codePoint: number): void {
    this.#others += otherCases(this.#isRange ? this.#last : codePoint, codePoint)
    this.#last = this.#isRange ? -1 : codePoint
    this.#isRange = false
  }

  /** The next character is an unescaped hyphen that does not end the class. True if it stands in a range, and false if it is a member. */
  hyphen(): boolean {
    if (this.#isRange || this.#last === -1) {
      this.literal(0x2d)
      return false
    }
    this.#isRange = true
    return true
  }

  /** The next member is a class, such as \d. */
  class(): void {
    this.#last = -1
    this.#isRange = false
  }

  /** The letters of the other case, as members. */
  get others(): string {
    return this.#others
  }
}
