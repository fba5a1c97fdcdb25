import { Slices, sliceOver } from "../structure/Slices.ts"
import { utf8Text } from "./Utf8.ts"

/** A message that is read slice by slice: every slice reads it again from the start, over what was read before. */
export class LongRead {
  readonly slices = new Slices()
  /** How often a slice goes on although it is over: it grows while slices get nowhere, in loops that keep no place. */
  #patience = 0
  #text: string | undefined

  /** The text of the message's bytes, made once. */
  text(bytes: Buffer): string {
    this.#text ??= utf8Text(bytes)
    return this.#text
  }

  /** Reads on until `isOver` is true, which is asked every few microseconds. Undefined = go on later. Fails as `read` does. */
  next<A>(isOver: () => boolean, read: () => A): A | undefined {
    let patience = this.#patience
    const { furthest } = this.slices
    this.slices.begin(() => isOver() && --patience < 0)
    current = this
    try {
      return read()
    } catch (error) {
      if (error !== sliceOver) throw error
      this.#patience = this.slices.furthest > furthest ? 0 : this.#patience * 2 + 1
      return undefined
    } finally {
      current = null
    }
  }
}

/** What is being read in slices; reading is synchronous, so that there is one at a time. */
let current: LongRead | null = null

/** The slices of the read that is going on; null when it is done at once. */
export const slicesOfRead = (): Slices | null => current?.slices ?? null

/** The text of a message in UTF-8. Fails with ProtocolError. */
export const textOfMessage = (message: Buffer | string): string =>
  typeof message === "string" ? message : current === null ? utf8Text(message) : current.text(message)

/** Passes on what ends a slice, which is no failure. */
export const passSliceOver = (error: unknown): void => {
  if (error === sliceOver) throw error
}
