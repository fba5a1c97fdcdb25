import { runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { compact } from "../../structure/containers/Compact.ts"
import { Bytecode, type Instruction } from "../language/Bytecode.ts"
import type { Language } from "../plan/Language.ts"
import { type Compiled, Prepared } from "../plan/Prepared.ts"
import { Compiler } from "./Compiler.ts"
import { MAX_UNYIELDED_MEMBERS } from "./PlainCheck.ts"
import { inlined, rewritten } from "./Rewriter.ts"
import { MAX_SHAPE_TOKENS, type Template, templateOf } from "./Shape.ts"
import { ShapeTrie } from "./ShapeTrie.ts"
import { lengthOf, type TraversalLength } from "./TraversalLength.ts"

/** The instructions of a configured traversal source, which apply to every traversal that starts at it. */
export interface SourceInstructions {
  /** Source instructions such as withStrategies(ReadOnlyStrategy). */
  readonly instructions: readonly Instruction[]
}

/** Compiles traversals and caches plans by shape. A traversal that differs only in values uses the cached plan. */
export class Planner {
  readonly #cacheSize: number
  #sources = new WeakMap<SourceInstructions, SourceCache>()

  readonly #language: Language

  /** @param options `cacheSize`: maximum number of cached plans for each traversal source. A full cache is cleared. */
  constructor(language: Language, options: { readonly cacheSize: number }) {
    this.#language = language
    this.#cacheSize = options.cacheSize
  }

  /**
   * Returns a plan and the parameters of a traversal. `variables` has the value of each Variable in the traversal; null if the
   * traversal has none. Throws the errors of {@link Compiler.compile} and {@link lengthOf}.
   */
  prepare(bytecode: Bytecode, variables: ReadonlyMap<string, unknown> | null, source: SourceInstructions): Prepared {
    return runWhole(this.prepareTask(bytecode, variables, source, new TimeSlice()))
  }

  /** What {@link prepare} returns for a traversal that this object of Bytecode has been before; undefined otherwise. */
  known(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: SourceInstructions
  ): Prepared | undefined {
    if (variables === null) return undefined
    const known = this.#sources.get(source)?.templates.get(bytecode)
    const parameters = known?.fill(variables)
    return parameters === undefined ? undefined : new Prepared(known!.compiled, parameters)
  }

  /** Does the same as {@link prepare}, but yields if the traversal is long. */
  *prepareTask(
    bytecode: Bytecode,
    variables: ReadonlyMap<string, unknown> | null,
    source: SourceInstructions,
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
      if (compiled !== undefined) return new Prepared(compiled, compact(parameters))
    } else {
      const known = cache.templates.get(bytecode)
      const parameters = known?.fill(variables)
      if (parameters !== undefined) return new Prepared(known!.compiled, parameters)
    }
    // A traversal with a cached plan is within the limits.
    const length = yield* lengthOf(bytecode, variables, slice)
    const isLong = length.work > MAX_SHORT_WORK
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
    if (template.reusable && variables !== null) cache.templates.set(bytecode, { fill: template.fill, compiled })
    return new Prepared(compiled, template.parameters)
  }
}

/** Largest {@link TraversalLength.work | work}, in steps, of a traversal that is planned without yields. */
export const MAX_SHORT_WORK = 1_000

/** True if the caches accept the template of a traversal. It has two tokens for each step and one for each argument. */
const isKept = ({ args, members, steps }: TraversalLength): boolean =>
  2 * steps + args <= MAX_SHAPE_TOKENS && members <= MAX_UNYIELDED_MEMBERS

/** True if traversals that differ only in parameters may share a plan. */
const sharesPlan = ({ stepInstructions }: Bytecode, { operators }: Language): boolean =>
  stepInstructions.every(({ operator }) => operators.get(operator)?.sharesPlan !== false)

/** The cached plans of one traversal source. */
interface SourceCache {
  /** Plans by Bytecode object. A repeated script has the same object, and programs may run an object several times. */
  readonly templates: WeakMap<Bytecode, { readonly fill: Template["fill"]; readonly compiled: Compiled }>
  /** Plans by shape. */
  readonly shapes: ShapeTrie
}

/** A traversal with the instructions of its source before its own. */
export const withSource = (bytecode: Bytecode, source: SourceInstructions): Bytecode =>
  source.instructions.length === 0
    ? bytecode
    : new Bytecode([...source.instructions, ...bytecode.sourceInstructions], bytecode.stepInstructions)
