import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import { isPredicate } from "../../process/language/Predicate.ts"
import { type Operand, SourceExpression, type Terminal, TraversalExpression } from "../Script.ts"
import { closureRefused } from "../ScriptHints.ts"
import { DOT, RIGHT_PAREN } from "./Characters.ts"
import { inWords, Kind } from "./Kinds.ts"
import { LoopKind } from "./ParserBase.ts"
import { negated } from "./PredicateParser.ts"
import type { CallSpec } from "./Signatures.ts"
import { sourceMethods, sourceSteps, spawns, steps, terminals } from "./Steps.ts"
import { StrategyParser } from "./StrategyParser.ts"

/** What else may be asked of a source. */
const sourceNames: ReadonlySet<string> = new Set(["tx", "toString", "close"])

const noInstructions: readonly Instruction[] = Object.freeze([])

const instruction = (spec: CallSpec, args: readonly unknown[]): Instruction =>
  new Instruction(args.length === 0 ? spec.emptyOperator : spec.operator, args)

/** Traversals: chains of steps, anonymous or of a source, with terminal methods. */
export abstract class TraversalParser extends StrategyParser {
  /** An anonymous traversal whose first step is named; the position is at that step's parenthesis. */
  protected anonymous(spec: CallSpec, start: number): Bytecode {
    return this.#anonymousFrom([instruction(spec, this.arguments(spec, start))])
  }

  /** An anonymous traversal after `__`; the position is at the point. */
  protected afterUnderscores(): Bytecode {
    return this.#anonymousFrom([])
  }

  /** `not(...)`: of a traversal a step, of a predicate a predicate. The position is at the parenthesis. */
  protected not(start: number, accepts: number): unknown {
    this.enter()
    this.position++
    const inner = this.asData(this.expression(Kind.predicate | Kind.traversal | Kind.variable, 0))
    const kind = this.kind
    this.expect(RIGHT_PAREN, "')' of not()")
    this.leave()
    if (kind === Kind.predicate && isPredicate(inner)) return this.joined(negated(inner))
    if (kind === Kind.traversal || (kind === Kind.variable && (accepts & Kind.traversal) !== 0)) {
      return this.#anonymousFrom([new Instruction("not", [inner])])
    }
    throw this.failAt(start, `not() takes a traversal or a predicate, but was given ${inWords(kind)}`)
  }

  #anonymousFrom(instructions: Array<Instruction>): Bytecode {
    const all = this.#steps(instructions)
    if (this.skip() === DOT) {
      this.position++
      this.skip()
      const name = this.peekName()
      if (terminals.has(name)) {
        throw this.failAt(
          this.position,
          `a nested traversal is not ended with ${name}(): leave it out, or begin the traversal with g`
        )
      }
      throw this.noStep(name)
    }
    if (all.length === 0) throw this.unexpected("a step after '__'")
    this.kind = Kind.traversal
    return new Bytecode(noInstructions, all)
  }

  /** An error at the position: no step has the name that stands there. */
  protected noStep(name: string): Error {
    if (name === "") return this.unexpected("the name of a step")
    const behind = this.text.slice(this.position + name.length, this.position + name.length + 20)
    if (/^\s*\{/.test(behind)) return this.failAt(this.position, closureRefused(name))
    if (steps.has(name) || terminals.has(name)) {
      return this.failAt(this.position, `${name} needs parentheses: ${name}()`)
    }
    const isCall = /^\s*\(/.test(behind)
    const property = isCall ? "" : `: values('${name}') reads a property`
    return this.failAt(this.position, `there is no step ${name}()${property}${this.suggestion(name, steps.keys())}`)
  }

  /** Refuses what follows the server's source g: nothing of a source, but not a transaction either. */
  protected checkSourceMethod(): void {
    this.position++
    this.skip()
    const name = this.peekName()
    if (sourceNames.has(name)) return
    if (spawns.has(name) || sourceMethods.has(name)) {
      throw this.failAt(this.position, `${name} needs parentheses: g.${name}()`)
    }
    const known = [...spawns, ...sourceMethods.keys(), "tx"]
    const hint = steps.has(name) ? `: begin with V(), as in g.V().${name}()` : this.suggestion(name, known)
    throw this.failAt(this.position, `a traversal does not begin with ${name || this.word(this.position)}()${hint}`)
  }

  /** Steps as long as there are any. Stops before a point that something else follows. */
  #steps(first: Array<Instruction>): ReadonlyArray<Instruction> {
    const slices = this.slices
    let instructions = first
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.steps), instructions, this.position, 0)
      instructions = loop.items as Array<Instruction>
      this.position = loop.position
    }
    while (this.skip() === DOT) {
      const before = this.position
      this.position++
      this.skip()
      const start = this.position
      const spec = steps.get(this.name())
      if (spec === undefined || !this.opens()) {
        this.position = before
        break
      }
      instructions.push(instruction(spec, this.arguments(spec, start)))
      slices?.step(this.position, 0)
    }
    slices?.leave(instructions.length)
    return instructions
  }

  /**
   * What follows a traversal source: its methods, a traversal, a terminal method. The position is at the point.
   * Gives undefined and stays when neither a method of sources nor a first step follows.
   */
  protected fromSource(source: string | Operand, start: number): Operand | undefined {
    const configured = this.#sourceMethods()
    const before = this.position
    if (this.skip() === DOT) {
      this.position++
      this.skip()
      const at = this.position
      const name = this.name()
      if (spawns.has(name) && this.opens()) {
        const spec = sourceSteps.get(name) ?? steps.get(name)!
        const first = instruction(spec, this.arguments(spec, at))
        const bytecode = new Bytecode(configured, this.#steps([first]))
        const terminal = this.#terminal()
        this.kind = Kind.variable
        return new TraversalExpression(start, source, bytecode, terminal)
      }
      this.position = before
    }
    this.kind = Kind.variable
    return configured.length === 0
      ? undefined
      : new SourceExpression(start, source, new Bytecode(configured, noInstructions))
  }

  #sourceMethods(): readonly Instruction[] {
    if (!sourceMethods.has(this.#nextMethod())) return noInstructions
    const slices = this.slices
    let found: Array<Instruction> = []
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.source), found, this.position, 0)
      found = loop.items as Array<Instruction>
      this.position = loop.position
    }
    for (let spec = sourceMethods.get(this.#nextMethod()); spec !== undefined; ) {
      this.position++
      this.skip()
      const start = this.position
      this.name()
      if (!this.opens()) throw this.unexpected(`'(' after ${spec.name}`)
      found.push(this.#sourceMethod(spec, start))
      slices?.step(this.position, 0)
      spec = sourceMethods.get(this.#nextMethod())
    }
    slices?.leave(found.length)
    return found
  }

  /** The name behind a point, without going there; "" when no point follows. */
  #nextMethod(): string {
    if (this.skip() !== DOT) return ""
    const before = this.position
    this.position++
    this.skip()
    const name = this.name()
    this.position = before
    return name
  }

  #sourceMethod(spec: CallSpec, start: number): Instruction {
    const strategies = this.strategies(spec.name)
    return strategies === undefined
      ? instruction(spec, this.arguments(spec, start))
      : new Instruction(spec.name, strategies)
  }

  /** The method that ends a traversal of a source; undefined when none follows. An unknown step is an error here. */
  #terminal(): Terminal | undefined {
    if (this.skip() !== DOT) return undefined
    const before = this.position
    this.position++
    this.skip()
    const start = this.position
    const name = this.name()
    const spec = terminals.get(name)
    if (spec === undefined || !this.opens()) {
      this.position = start
      if (name !== "toString") throw this.noStep(name)
      this.position = before
      return undefined
    }
    const [count] = this.arguments(spec, start)
    if (count !== undefined && (typeof count !== "number" || count < 0)) {
      throw this.failAt(start, `${name}() takes how many results it should give, such as ${name}(2)`)
    }
    return { name: name as Terminal["name"], count: count as number | undefined }
  }
}
