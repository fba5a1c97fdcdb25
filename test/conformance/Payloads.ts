import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Value } from "./Value.ts"
import { GremlinError } from "./wire/Answer.ts"
import * as GraphSONParameters from "./wire/GraphSONParameters.ts"
import type { Format } from "./wire/Socket.ts"

interface Written {
  readonly payload?: string
  readonly error?: string
}

/** A traversal to be sent as bytecode. */
export interface TraversalRequest {
  readonly format: Format
  readonly gremlin: string
  /** the traversal source it is for */
  readonly source: string
  readonly parameters: ReadonlyMap<string, Value>
  /** whether a parameter is a Binding in the bytecode, and not its plain value */
  readonly bindings: boolean
}

/** Bytes of the cache beyond which it starts anew. */
const largestCache = 32_000_000

/**
 * Request messages with bytecode, written by TinkerPop's own parser and serializers in a Java process that is started
 * when the first message is not in the cache yet. The cache is a file of lines, keyed by everything a message depends on.
 */
export class Payloads {
  readonly #classPath: string
  readonly #file: string
  readonly #salt: string
  readonly #known = new Map<string, Written>()
  readonly #waiting = new Map<number, { resolve: (written: Written) => void; reject: (error: Error) => void }>()
  #child: ChildProcessWithoutNullStreams | undefined
  #next = 1

  /** @param home folder of the suite: another Java program, or another version of TinkerPop, writes other messages */
  constructor(classPath: string, cache: string, home: string) {
    this.#classPath = classPath
    this.#file = join(cache, "payloads.jsonl")
    this.#salt = ["java/BytecodeWriter.java", "maven/pom.xml"]
      .map((name) => readFileSync(join(home, name), "utf8"))
      .join()
    if (!existsSync(this.#file)) return
    // messages with ids of one run of a graph are of no use later
    if (statSync(this.#file).size > largestCache) rmSync(this.#file)
    else this.#load()
  }

  #load(): void {
    for (const line of readFileSync(this.#file, "utf8").split("\n")) {
      if (!line.endsWith("}")) continue
      const { key, ...written } = JSON.parse(line) as Written & { readonly key: string }
      this.#known.set(key, written)
    }
  }

  /**
   * The request message for a traversal, with its request id all zeros. Fails with a GremlinError of code 0 when
   * TinkerPop's parser refuses the traversal, which is how a driver fails before it sends anything.
   */
  async message(traversal: TraversalRequest): Promise<Buffer> {
    const { parameters } = traversal
    const encoded = Object.fromEntries([...parameters].map(([name, value]) => [name, GraphSONParameters.encode(value)]))
    const request = { ...traversal, parameters: encoded }
    const key = createHash("sha256").update(this.#salt).update(JSON.stringify(request)).digest("base64url")
    let written = this.#known.get(key)
    if (written === undefined) {
      written = await this.#write(request)
      this.#known.set(key, written)
      appendFileSync(this.#file, `${JSON.stringify({ key, ...written })}\n`)
    }
    if (written.payload === undefined) throw new GremlinError(0, written.error ?? "no message")
    return Buffer.from(written.payload, "base64")
  }

  close(): void {
    this.#child?.stdin.end()
    this.#child = undefined
  }

  #write(request: object): Promise<Written> {
    const child = this.#start()
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }

  #start(): ChildProcessWithoutNullStreams {
    if (this.#child !== undefined) return this.#child
    const child = spawn("java", ["-Xshare:auto", "-cp", this.#classPath, "BytecodeWriter"])
    child.stderr.pipe(process.stderr)
    child.on("exit", (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the bytecode writer ended with ${code}`))
    })
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, ...written } = JSON.parse(line) as Written & { readonly id: number }
      this.#waiting.get(id)?.resolve(written)
      this.#waiting.delete(id)
    })
    this.#child = child
    return child
  }
}

const zeros = "00000000-0000-0000-0000-000000000000"

/** Puts a request id of its own into a message: as text in GraphSON, as the 16 bytes after the version in GraphBinary. */
export const withRequestId = (format: Format, message: Buffer, requestId: string): Buffer => {
  if (format === "graphson") return Buffer.from(message.toString("utf8").replace(zeros, requestId))
  const copy = Buffer.from(message)
  Buffer.from(requestId.replaceAll("-", ""), "hex").copy(copy, 1)
  return copy
}
