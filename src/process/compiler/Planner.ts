import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Bytecode, type Instruction } from "../language/Bytecode.ts"
import type { Language } from "../plan/Language.ts"
import { type Compiled, Prepared } from "../plan/Prepared.ts"
import { Compiler } from "./Compiler.ts"
import { MEMBERS_AT_ONCE } from "./PlainCheck.ts"
import { inlined, rewritten } from "./Rewriter.ts"
import { LONGEST_SHAPE, type Template, templateOf } from "./Shape.ts"
import { ShapeTrie } from "./ShapeTrie.ts"
import { lengthOf, type TraversalLength } from "./TraversalLength.ts"

/** What a traversal source of the configuration adds to every traversal that starts at it. */
export interface TraversalSourceSettings {
  /** Source instructions, e.g. withStrategies(ReadOnlyStrategy). */
  readonly instructions: readonly Instruction[]
}

/** Compiles traversals and remembers plans by shape, so that the same traversal with other values is not compiled again. */
export class Planner {
  readonly #cacheSize: number
  #sources = new WeakMap<TraversalSourceSettings, SourceCache>()

  readonly #language: Language

  /** `cacheSize`: how many plans one traversal source keeps; when full, all are dropped. */
  constructor(language: Language, options: { readonly cacheSize: number }) {
    this.#language = language
    this.#cacheSize = options.cacheSize
  }

  /** `variables`: values for the Variables of a script; null when it has none. Throws what {@link Compiler.compile} and {@link lengthOf} throw. */
  prepare(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSourceSettings
  ): Prepared {
    return runWhole(this.prepareTask(bytecode, variables, source, new TimeSlice()))
  }

  /** The same a piece at a time, for a traversal that may be long. */
  *prepareTask(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: TraversalSourceSettings,
    slice: TimeSlice
  ): Task<Prepared> {
    let cache = this.#sources.get(source)
    if (cache === undefined) {
      cache = { templates: new WeakMap(), shapes: new ShapeTrie(this.#cacheSize, this.#language) }
      this.#sources.set(source, cache)
    }
    if (variables === null) {
      const parameters: Array<unknown> = []
      const compiled = cache.shapes.find(bytecode, parameters)
      if (compiled !== undefined) return new Prepared(compiled, parameters)
    } else {
      const known = cache.templates.get(bytecode)
      const parameters = known?.template.fill(variables)
      if (parameters !== undefined) return new Prepared(known!.compiled, parameters)
    }
    // A traversal whose plan is known has been let through.
    const length = yield* lengthOf(bytecode, variables, slice)
    const isLong = length.work > SHORT
    if (!sharesPlan(bytecode, this.#language)) {
      const written = withSource(yield* inlined(bytecode, variables, slice), source)
      return new Prepared(yield* new Compiler(this.#language, slice).compileTask(written, isLong), [])
    }
    if (!isKept(length)) {
      const { bytecode: written, parameters } = yield* rewritten(bytecode, variables, this.#language, slice)
      return new Prepared(
        yield* new Compiler(this.#language, slice).compileTask(withSource(written, source), isLong),
        parameters
      )
    }
    const template = templateOf(bytecode, variables, this.#language)
    if (isLong) yield
    let compiled = cache.shapes.get(template)
    if (compiled === undefined) {
      compiled = yield* new Compiler(this.#language, slice).compileTask(withSource(template.bytecode, source), isLong)
      cache.shapes.set(template, compiled)
    }
    if (template.reusable && variables !== null) cache.templates.set(bytecode, { template, compiled })
    return new Prepared(compiled, template.parameters)
  }
}

/** Work, in steps, of a traversal that is planned at once. */
export const SHORT = 1_000

/** False for a traversal whose template no cache would keep: it has two tokens for each step, and one for each argument. */
const isKept = ({ args, members, steps }: TraversalLength): boolean =>
  2 * steps + args <= LONGEST_SHAPE && members <= MEMBERS_AT_ONCE

/** Whether the plan of a traversal may be that of another one with other parameters. */
const sharesPlan = ({ stepInstructions }: Bytecode, { operators }: Language): boolean =>
  stepInstructions.every(({ operator }) => operators.get(operator)?.sharesPlan !== false)

interface SourceCache {
  /** By identity: scripts that are cached by text, and bytecode that a program runs again. */
  readonly templates: WeakMap<Bytecode, { readonly template: Template; readonly compiled: Compiled }>
  readonly shapes: ShapeTrie
}

/** The traversal with what its source adds. */
export const withSource = (bytecode: Bytecode, source: TraversalSourceSettings): Bytecode =>
  source.instructions.length === 0
    ? bytecode
    : new Bytecode([...source.instructions, ...bytecode.sourceInstructions], bytecode.stepInstructions)
