import type { LinkedList } from "../../../structure/containers/LinkedList.ts"
import type { DriverConnection } from "./DriverInternals.ts"
import { FrameSpace } from "./FrameSpace.ts"
import { type BatchExecution, type Execution, endOfFrame, HEADER_BYTES, streamOf, writeRequest } from "./Frames.ts"

/** Receives the answer of a statement: the frame that begins at `at`, or undefined if none will come. */
export type Receive = (bytes: Buffer | undefined, at: number) => void

/**
 * When a statement leaves: at the end of the current call of the event loop, or of the current turn. Each write to a socket costs a
 * system call, which costs more than a statement.
 */
export type Leaving = "after the call" | "after the turn"

interface Waiting {
  readonly receive: Receive
  /** The number of the check before which the statement was sent. */
  readonly check: number
}

/**
 * Gives an answer to its statement. An error is thrown again in another turn of the event loop: it must not stop the division into
 * frames, which would begin again with frames whose stream ids other statements have by then.
 */
const give = ({ receive }: Waiting, bytes: Buffer | undefined, at: number): void => {
  try {
    receive(bytes, at)
  } catch (defect) {
    setImmediate(() => {
      throw defect
    })
  }
}

/**
 * Statements over a connection of the driver, without the driver's objects for each statement and each cell. The frames
 * that answer them are taken from the socket. All other frames go to the driver. Statements that wait to leave share a write.
 */
export class DirectConnection {
  readonly #connection: DriverConnection
  /** Statements without an answer, by their stream ids. Not a Map, for the reason of {@link LinkedList}. */
  readonly #waiting: Array<Waiting | undefined> = []
  /** Stream ids of statements whose requests have ended. A node may still answer them. */
  readonly #late = new Set<number>()
  #check = 0
  readonly #isSick: () => void
  /** Frames that wait to leave. */
  readonly #leaving = new FrameSpace()
  /** The planned flushes. */
  readonly #flushes = new Set<Leaving>()
  /** What has arrived of a frame that is not complete. */
  #arrived: Array<Buffer> = []
  #arrivedBytes = 0
  /** Bytes that are needed before the next frame can be read. */
  #neededBytes = HEADER_BYTES
  #isOpen = true
  readonly #toDriver: (chunk: Buffer) => boolean

  /**
   * The connection must be usable (`isUsable`). A statement whose answer takes longer than `timeout`, in ms, up to twice as long,
   * gets no answer: the caller must have given it up. `isSick` is called when there are such statements.
   */
  constructor(connection: DriverConnection, timeout: number, isSick: () => void) {
    this.#connection = connection
    this.#isSick = isSick
    const { protocol } = connection
    this.#toDriver = protocol.write.bind(protocol)
    Object.defineProperty(protocol, "write", {
      configurable: true,
      value: (chunk: Buffer) => this.#take(chunk)
    })
    const timer = setInterval(() => this.#giveUp(), timeout).unref()
    connection.netClient.once("close", () => {
      clearInterval(timer)
      this.#close()
    })
  }

  /** Sends a statement or a batch. Returns false if it cannot be sent now. */
  send(request: Execution | BatchExecution, receive: Receive, leaving: Leaving = "after the call"): boolean {
    const stream = this.#isOpen ? this.#connection._getStreamId() : null
    if (stream === null) return false
    const before = this.#leaving.length
    try {
      writeRequest(this.#leaving, stream, request)
    } catch (error) {
      // A value does not fit its field. The other frames leave.
      this.#leaving.cut(before)
      this.#connection.freeStreamId({ streamId: stream })
      throw error
    }
    this.#keep(stream, { receive, check: this.#check })
    this.#flushLater(leaving)
    return true
  }

  #keep(stream: number, waiting: Waiting): void {
    // Without holes.
    while (this.#waiting.length <= stream) this.#waiting.push(undefined)
    this.#waiting[stream] = waiting
  }

  #flushLater(leaving: Leaving): void {
    if (this.#flushes.has(leaving)) return
    this.#flushes.add(leaving)
    const flush = (): void => this.#flush(leaving)
    if (leaving === "after the call") process.nextTick(flush)
    else setImmediate(flush)
  }

  #flush(leaving: Leaving): void {
    this.#flushes.delete(leaving)
    if (this.#leaving.length === 0) return
    const frames = this.#leaving.take()
    if (this.#isOpen) this.#connection.netClient.write(frames)
  }

  /** Divides what arrives into frames. */
  #take(chunk: Buffer): boolean {
    this.#arrived.push(chunk)
    this.#arrivedBytes += chunk.length
    if (this.#arrivedBytes < this.#neededBytes) return true
    const bytes = this.#arrived.length === 1 ? chunk : Buffer.concat(this.#arrived)
    let at = 0
    /** Where the frames begin that the driver has not received yet. */
    let others = 0
    this.#neededBytes = HEADER_BYTES
    while (bytes.length - at >= HEADER_BYTES) {
      const end = endOfFrame(bytes, at)
      if (end > bytes.length) {
        this.#neededBytes = end - at
        break
      }
      const stream = streamOf(bytes, at)
      const waiting = this.#waiting[stream]
      if (waiting !== undefined || this.#late.has(stream)) {
        if (others < at) this.#toDriver(bytes.subarray(others, at))
        others = end
        this.#free(stream)
        if (waiting !== undefined) give(waiting, bytes, at)
      }
      at = end
    }
    if (others < at) this.#toDriver(bytes.subarray(others, at))
    this.#arrived = at === bytes.length ? [] : [bytes.subarray(at)]
    this.#arrivedBytes = bytes.length - at
    return true
  }

  #free(streamId: number): void {
    if (this.#waiting[streamId] === undefined) {
      this.#late.delete(streamId)
      this.#connection.timedOutOperations--
    } else this.#waiting[streamId] = undefined
    this.#connection.freeStreamId({ streamId })
  }

  /** Gives up the statements that were sent before the previous call. */
  #giveUp(): void {
    for (let stream = 0; stream < this.#waiting.length; stream++) {
      const waiting = this.#waiting[stream]
      if (waiting === undefined || waiting.check === this.#check) continue
      this.#waiting[stream] = undefined
      this.#late.add(stream)
      this.#connection.timedOutOperations++
    }
    this.#check++
    if (this.#late.size > 0) this.#isSick()
  }

  #close(): void {
    this.#isOpen = false
    for (const waiting of this.#waiting.splice(0)) if (waiting !== undefined) give(waiting, undefined, 0)
  }
}
