import type { GraphFormats } from "../../../structure/graph/GraphStream.ts"
import { pathOf } from "../../io/DataFiles.ts"
import { ReadTask } from "../../io/ReadTask.ts"
import { WriteTask } from "../../io/WriteTask.ts"
import { nameOf, stringArgument } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import type { DataFolder, Run } from "../../plan/Run.ts"
import { type PlanBuilder, Step } from "../../plan/Step.ts"
import { acting, type StepTraits } from "../../plan/StepTraits.ts"

/** Keys of with() options, as drivers send them. */
const READER = "~tinkerpop.io.reader"
const WRITER = "~tinkerpop.io.writer"
const REGISTRY = "~tinkerpop.io.registry"

/** The format for each file extension. */
const endings: ReadonlyArray<readonly [string, string]> = [
  [".kryo", "gryo"],
  [".json", "graphson"],
  [".xml", "graphml"],
  [".graphml", "graphml"]
]

/** The format for each simple class name of TinkerPop's readers and writers. */
const classes: ReadonlyMap<string, string> = new Map([
  ["GryoReader", "gryo"],
  ["GryoWriter", "gryo"],
  ["GraphSONReader", "graphson"],
  ["GraphSONWriter", "graphson"],
  ["GraphMLReader", "graphml"],
  ["GraphMLWriter", "graphml"]
])

/** Traits of write(). */
const writing = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "none",
  access: "files"
})
/** Traits of read(), which changes the graph. */
const reading: StepTraits = { ...writing, access: "writes" }

/** io(file).read() and io(file).write(): reads a whole graph from a file or writes it to one. Emits no results. */
class IoStep extends Step {
  readonly operator = "io"
  readonly name = "IoStep"
  readonly file: string
  mode: "read" | "write" | null = null
  /** The format that with(IO.reader, ...) names; null = the format for the file extension. */
  #reader: string | null = null
  /** The format that with(IO.writer, ...) names; null = the format for the file extension. */
  #writer: string | null = null

  constructor(file: string) {
    super()
    this.file = file
  }

  get traits(): StepTraits {
    return this.mode === "read" ? reading : writing
  }
  /** Both modes need write permission: read() changes the graph, and write() creates a file. */
  override require(needs: Needs): void {
    needs.writes = true
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator === "read" || operator === "write") {
      if (this.mode !== null && this.mode !== operator) {
        throw new TraversalInvalid("io() takes either read() or write(), not both")
      }
      this.mode = operator
    } else if (operator === "with") this.#with(args)
    else super.modulate(operator, args, compiler)
  }

  #with([key, value]: readonly unknown[]): void {
    switch (key) {
      case READER:
        this.#reader = formatOf(value, "reader")
        return
      case WRITER:
        this.#writer = formatOf(value, "writer")
        return
      case REGISTRY:
        // Custom registries are not supported. TinkerGraph's registries add no types, so the server accepts and ignores them.
        if (typeof value === "string" && /(^|\.)TinkerIoRegistryV\d$/.test(value)) return
        throw new TraversalInvalid(
          `with(IO.registry, ...) does not support ${nameOf(value)}: registries are Java classes`
        )
      default:
        throw new TraversalInvalid(`io() has no option ${nameOf(key)}; use IO.reader or IO.writer`)
    }
  }

  override reads(): null {
    return null
  }

  override run(_batch: Batch, activation: Activation): boolean {
    const { run } = activation
    const task = activation.state(this, () => this.#task(run))
    return task.advance()
  }

  #task(run: Run): ReadTask | WriteTask {
    const { dataFolder, formats } = run.environment
    if (this.mode === null) {
      throw new TraversalInvalid("IO mode was not set to read() or write(): io() must be followed by one of them")
    }
    if (dataFolder === null || formats === null) {
      throw new TraversalInvalid("io() is disabled: set the server's ioDirectory to a folder for its files")
    }
    pathOf(dataFolder, this.file)
    return this.mode === "read" ? this.#read(run, dataFolder, formats) : this.#write(run, dataFolder, formats)
  }

  #read(run: Run, data: DataFolder, formats: GraphFormats): ReadTask {
    const format = this.#reader ?? this.#formatOfName("reader")
    return new ReadTask(run, data, this.file, (loader) => {
      const decoder = formats.decoder(format, loader)
      if (decoder !== undefined) return decoder
      throw new TraversalInvalid(`io() cannot read the format ${format}: use graphml, graphson or gryo`)
    })
  }

  #write(run: Run, data: DataFolder, formats: GraphFormats): WriteTask {
    const format = this.#writer ?? this.#formatOfName("writer")
    const encoder = formats.encoder(format)
    if (encoder !== undefined) return new WriteTask(run, data, this.file, encoder)
    throw new TraversalInvalid(
      `io() cannot write the format ${format}: use graphml, graphson, graphson-v1 or graphson-v2`
    )
  }

  /** The format for the file extension. Throws TraversalInvalid if the extension is unknown. */
  #formatOfName(option: "reader" | "writer"): string {
    const found = endings.find(([ending]) => this.file.endsWith(ending))
    if (found !== undefined) return found[1]
    throw new TraversalInvalid(
      `Could not detect the file format of ${this.file}: name the format, as in with(IO.${option}, IO.graphson), or use one of the file extensions ${endings.map(([ending]) => ending).join(", ")}`
    )
  }

  override describe(): string {
    return this.file
  }
}

/** The format that a with() option names. The value is a format, or the class name of a TinkerPop reader or writer. */
const formatOf = (value: unknown, option: string): string => {
  if (typeof value !== "string") throw new TraversalInvalid(`with(IO.${option}, ...) cannot take ${nameOf(value)}`)
  return classes.get(value.slice(value.lastIndexOf(".") + 1)) ?? value
}

/** The operator io(), which must be the first step of a root traversal. */
export const ioSteps: Operators = {
  io: stepOperator(noParameters, (args, compiler, traversal) => {
    if (compiler.root !== traversal || traversal.steps.length > 0) {
      throw new TraversalInvalid("io() must be the first step of a traversal, as in g.io('file').read()")
    }
    const file = stringArgument("io", args[0], "file")
    if (file === "") throw new TraversalInvalid("io() takes the name of a file, but was given an empty string")
    return new IoStep(file)
  })
}
