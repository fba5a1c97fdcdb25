import { type Clock, ResumableDescent, sliceOver } from "../scheduling/ResumableDescent.ts"
import { MessageTooLarge } from "./ProtocolError.ts"
import { utf8Text } from "./Utf8.ts"

/** Bytes of a text that are decoded in one piece: 3 ms where they are not ASCII. */
export const DECODED_AT_ONCE = 1_048_576

/** Where the last character begins before a place, which the place may be in the middle of; the end where that is nearer. */
export const characterEnd = (bytes: Buffer, place: number): number => {
  if (place >= bytes.length) return bytes.length
  let end = place
  while (end > place - 4 && (bytes[end]! & 0xc0) === 0x80) end--
  return end
}

/** A reader that counts the bytes that hold what it has read, about. */
interface WeighingReader {
  heldBytes: number
}

/** A message that is read slice by slice: every slice reads it again from the start, over what was read before. */
export class LongRead {
  slices = new ResumableDescent()
  readonly #limit: number
  /** Read before this slice began; and who reads in this one. */
  #heldBefore = 0
  #held = 0
  #reader: WeighingReader | null = null
  #failure: Error | null = null
  /** How often a slice goes on although it is over: it grows while slices get nowhere, in loops that keep no place. */
  #patience = 0
  /** What was decoded of a message in text: its bytes up to a place, and their characters. */
  #decoded = 0
  #text = ""
  #clock: Clock | null = null
  /** What the descent asks: it is over where the slice is, unless nothing was read in it yet. */
  readonly #patientClock: Clock = {
    isOverNow: () => {
      this.#check()
      return this.#clock!.isOverNow() && --this.#patienceLeft < 0
    }
  }
  #patienceLeft = 0

  /** `limit`: bytes that what is read of it may hold, 0 = no limit. */
  constructor(limit = 0) {
    this.#limit = limit
  }

  /** Bytes that hold what was read so far, about. */
  get heldBytes(): number {
    return this.#held
  }

  /** A reader of this slice begins: what earlier slices have read counts as its own. */
  weigh(reader: WeighingReader): void {
    if (this.#heldBefore > 0) reader.heldBytes = this.#heldBefore
    this.#reader = reader
  }

  /** Lets go of what was read; the next slice fails with the error, as from inside of `read`. */
  abandon(error: Error): void {
    this.slices = new ResumableDescent()
    this.#heldBefore = 0
    this.#failure = new MessageTooLarge(error.message)
  }

  readonly #check = (): void => {
    if (this.#failure !== null) throw this.#failure
    if (this.#limit === 0 || (this.#reader?.heldBytes ?? 0) <= this.#limit) return
    throw new MessageTooLarge(
      `The values of the request take more than ${this.#limit} bytes, which is the server's requestMemoryLimit. ` +
        "Send fewer of them at once, or raise the setting."
    )
  }

  /** The text of the message's bytes, made once, in slices. */
  text(bytes: Buffer): string {
    while (this.#decoded < bytes.length) {
      const end = characterEnd(bytes, this.#decoded + DECODED_AT_ONCE)
      this.#text += utf8Text(bytes, this.#decoded, end)
      this.#decoded = end
      if (end < bytes.length && this.#clock!.isOverNow()) throw sliceOver
    }
    return this.#text
  }

  /** Reads on until the slice is over. Undefined = call again. Fails as `read` does. */
  next<A>(slice: Clock, read: (long: LongRead) => A): A | undefined {
    this.#patienceLeft = this.#patience
    const { progress } = this.slices
    const decoded = this.#decoded
    this.#clock = slice
    this.slices.begin(this.#patientClock)
    try {
      return read(this)
    } catch (error) {
      if (error !== sliceOver) throw error
      if (this.slices.progress > progress || this.#decoded > decoded) {
        this.#patience = 0
        this.#heldBefore = this.#reader?.heldBytes ?? 0
      } else this.#patience = this.#patience * 2 + 1
      return undefined
    } finally {
      this.#held = this.#reader?.heldBytes ?? 0
      this.#reader = null
    }
  }
}

/** The text of a message in UTF-8, made in slices by the `long` read that it belongs to. Fails with ProtocolError. */
export const textOfMessage = (message: Buffer | string, long: LongRead | undefined): string =>
  typeof message === "string" ? message : long === undefined ? utf8Text(message) : long.text(message)

/** Passes on what ends a slice, which is no failure. */
export const passSliceOver = (error: unknown): void => {
  if (error === sliceOver) throw error
}
