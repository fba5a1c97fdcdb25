import { type Clock, ResumableDescent, sliceOver } from "../scheduling/ResumableDescent.ts"
import { MessageTooLarge, type ProtocolError } from "./ProtocolError.ts"
import { utf8Text } from "./Utf8.ts"

/** Number of bytes of a text that are decoded without interruption. This takes up to 3 ms, if they are not ASCII. */
export const DECODED_CHUNK_BYTES = 1_048_576

/** The start of the UTF-8 character that contains the byte at `place`; the length of the bytes if `place` is after their end. */
export const characterEnd = (bytes: Buffer, place: number): number => {
  if (place >= bytes.length) return bytes.length
  let end = place
  while (end > place - 4 && (bytes[end]! & 0xc0) === 0x80) end--
  return end
}

/** A reader that estimates the memory of the values it has read. */
interface WeighingReader {
  /** Estimated memory in bytes. */
  heldBytes: number
}

/** A message that is read in time slices. Every slice starts at the beginning and skips what earlier slices have read. */
export class ResumableRead {
  slices = new ResumableDescent()
  /** The error of the first form in which the message was read; undefined while this form is tried. */
  refusal: ProtocolError | undefined = undefined
  readonly #limit: number
  /** Estimated memory at the end of the last slice that made progress, in bytes. */
  #heldBefore = 0
  /** Estimated memory at the end of the last slice, in bytes. */
  #held = 0
  /** The reader of this slice. */
  #reader: WeighingReader | null = null
  #failure: Error | null = null
  /**
   * How often a slice continues although its time is over. The number grows while slices make no progress, which happens in loops
   * that are too short to be saved.
   */
  #patience = 0
  /** For a message that is text: the number of bytes that are decoded so far, and their text. */
  #decoded = 0
  #text = ""
  #clock: Clock | null = null
  /** The clock of the descent. Its time is over if the slice is over and the patience is used up. */
  readonly #patientClock: Clock = {
    isOverNow: () => {
      this.#check()
      return this.#clock!.isOverNow() && --this.#patienceLeft < 0
    }
  }
  #patienceLeft = 0

  /** @param limit estimated memory that the message may take, in bytes; 0 = no limit */
  constructor(limit = 0) {
    this.#limit = limit
  }

  /** Estimated memory of the values read so far, in bytes. */
  get heldBytes(): number {
    return this.#held
  }

  /** Registers the reader of this slice. It takes over the estimate of earlier slices. */
  weigh(reader: WeighingReader): void {
    if (this.#heldBefore > 0) reader.heldBytes = this.#heldBefore
    this.#reader = reader
  }

  /** Releases what was read. The next slice fails with the error, as if `read` had thrown it. */
  abandon(error: Error): void {
    this.slices = new ResumableDescent()
    this.#heldBefore = 0
    this.#failure = new MessageTooLarge(error.message)
  }

  /** Begins again at the start of the message, in another form. What the first form has saved is not for it. */
  beginAgain(refusal: ProtocolError): void {
    this.refusal = refusal
    this.#heldBefore = 0
    this.slices = new ResumableDescent()
    this.slices.begin(this.#patientClock)
  }

  readonly #check = (): void => {
    if (this.#failure !== null) throw this.#failure
    if (this.#limit === 0 || (this.#reader?.heldBytes ?? 0) <= this.#limit) return
    throw new MessageTooLarge(
      `The values of the request take more than ${this.#limit} bytes, which is the server's requestMemoryLimit. ` +
        "Send fewer values in one request, or raise the setting."
    )
  }

  /** The text of the message's bytes, decoded once, in slices. */
  text(bytes: Buffer): string {
    while (this.#decoded < bytes.length) {
      const end = characterEnd(bytes, this.#decoded + DECODED_CHUNK_BYTES)
      this.#text += utf8Text(bytes, this.#decoded, end)
      this.#decoded = end
      if (end < bytes.length && this.#clock!.isOverNow()) throw sliceOver
    }
    return this.#text
  }

  /** Continues to read until the slice is over. Undefined = call again. Fails as `read` does. */
  next<A>(slice: Clock, read: (long: ResumableRead) => A): A | undefined {
    this.#patienceLeft = this.#patience
    const { slices } = this
    const { progress } = slices
    const decoded = this.#decoded
    this.#clock = slice
    slices.begin(this.#patientClock)
    try {
      return read(this)
    } catch (error) {
      if (error !== sliceOver) throw error
      if (this.slices !== slices || slices.progress > progress || this.#decoded > decoded) {
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

/** The text of a message in UTF-8, decoded in slices with `long`. Fails with ProtocolError. */
export const textOfMessage = (message: Buffer | string, long: ResumableRead | undefined): string =>
  typeof message === "string" ? message : long === undefined ? utf8Text(message) : long.text(message)

/** Rethrows an error if it is the signal that ends a slice, which is not a failure. */
export const passSliceOver = (error: unknown): void => {
  if (error === sliceOver) throw error
}
