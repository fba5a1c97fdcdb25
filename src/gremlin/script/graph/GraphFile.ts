import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import type { ScriptRun } from "../../HostCall.ts"
import type { ScriptSource } from "../../ScriptObjects.ts"
import { noMethod } from "../closures/ClosureCalls.ts"
import { asText } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** Formats of files, as `graphson()` and `IoCore.graphson()` give them. */
const fileFormats: ReadonlySet<string> = new Set(["graphson", "graphml", "gryo"])

/** Runs a traversal without results. */
type Runner = (bytecode: Bytecode, source: ScriptSource) => ScriptRun

/**
 * TinkerPop's `graph.io(graphson())`: reads and writes a file below the folder of io(). Each call is the step io() with the access
 * and the strategies of the source.
 */
export class GraphFile {
  readonly source: ScriptSource
  readonly #format: string

  /** Fails with OperandError for a format that is not known. */
  constructor(source: ScriptSource, format: unknown) {
    if (typeof format !== "string" || !fileFormats.has(format)) {
      throw new OperandError("io() of a graph takes a format: graphson(), graphml() or gryo()")
    }
    this.source = source
    this.#format = format
  }
  get [Symbol.toStringTag](): string {
    return "Io"
  }

  toString(): string {
    return `io[${this.#format}]`
  }

  /** Calls `readGraph('file')` or `writeGraph('file')`. Fails with OperandError for another method. */
  *call(name: string, args: readonly unknown[], run: Runner): ScriptRun {
    const isRead = name === "readGraph"
    if (!isRead && name !== "writeGraph") throw noMethod(`${this}`, name, ["readGraph", "writeGraph"])
    if (args.length !== 1) throw new OperandError(`${name}() takes the name of a file, such as ${name}('graph.json')`)
    yield* run(
      new Bytecode(
        [],
        [
          new Instruction("io", [asText(args[0])]),
          new Instruction("with", [`~tinkerpop.io.${isRead ? "reader" : "writer"}`, this.#format]),
          new Instruction(isRead ? "read" : "write", [])
        ]
      ),
      this.source
    )
    return null
  }
}
