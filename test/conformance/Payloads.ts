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

/** A larger cache file is removed at the start. */
const MAX_CACHE_BYTES = 32_000_000

/**
 * Request messages with bytecode, written by the parser and serializers of TinkerPop. A Java process writes them; it is
 * started for the first message that is not in the cache. The cache is a file of lines. Its keys contain all inputs of a
 * message.
 */
export class Payloads {
  readonly #classPath: string
  readonly #file: string
  readonly #salt: string
  readonly #known = new Map<string, Written>()
  readonly #waiting = new Map<number, { resolve: (written: Written) => void; reject: (error: Error) => void }>()
  #child: ChildProcessWithoutNullStreams | undefined
  #next = 1

  /** @param home folder of the suite. The keys include its Java program and version of TinkerPop. */
  constructor(classPath: string, cache: string, home: string) {
    this.#classPath = classPath
    this.#file = join(cache, "payloads.jsonl")
    this.#salt = ["java/BytecodeWriter.java", "maven/pom.xml"]
      .map((name) => readFileSync(join(home, name), "utf8"))
      .join()
    if (!existsSync(this.#file)) return
    // Messages with generated ids of one run are not used again, so the file would grow without limit.
    if (statSync(this.#file).size > MAX_CACHE_BYTES) rmSync(this.#file)
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
   * The request message for a traversal, with zeros as its request id. Fails with a GremlinError of code 0 if TinkerPop's
   * parser refuses the traversal. A driver would then not send it.
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

/** Writes a request id into a message: as text in GraphSON, as the 16 bytes after the version in GraphBinary. */
export const withRequestId = (format: Format, message: Buffer, requestId: string): Buffer => {
  if (format === "graphson") return Buffer.from(message.toString("utf8").replace(zeros, requestId))
  const copy = Buffer.from(message)
  Buffer.from(requestId.replaceAll("-", ""), "hex").copy(copy, 1)
  return copy
}
