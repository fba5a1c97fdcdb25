import { GremlinMap } from "../../structure/Collections.ts"
import { Cardinality } from "../../structure/Enums.ts"
import { type Operand, UnaryExpression } from "../Script.ts"
import { consoleCommand, consoleCommandAt, isPrinting, wordHint } from "../ScriptHints.ts"
import { closest, noCode } from "../SyntaxErrors.ts"
import {
  COLON,
  DOT,
  DOUBLE_QUOTE,
  EXCLAMATION,
  isDigit,
  isNameStart,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  MINUS,
  PLUS,
  RIGHT_PAREN,
  SINGLE_QUOTE
} from "./Characters.ts"
import { ClassParser } from "./ClassParser.ts"
import { anything, inWords, Kind } from "./Kinds.ts"
import { codeWords, namedClasses, shorts, vertexClasses } from "./Names.ts"
import { sourceMethods, spawns, steps, terminals } from "./Steps.ts"

const cardinalities = new Map<string, typeof Cardinality.single>([
  ["single", Cardinality.single],
  ["list", Cardinality.list],
  ["set", Cardinality.set]
])

/** Collections that scripts construct empty. */
const emptyCollections: { readonly [name: string]: () => unknown } = {
  ArrayList: () => [],
  LinkedList: () => [],
  HashMap: () => new GremlinMap(),
  LinkedHashMap: () => new GremlinMap()
}

/** Operands: literals, names and what a name may begin. */
export abstract class ExpressionParser extends ClassParser {
  protected operand(accepts: number, asked: number): Operand {
    const code = this.skip()
    const start = this.position
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return this.followed(this.string(code), start)
    if (isDigit(code)) return this.followed(this.number(), start)
    if (isNameStart(code)) return this.followed(this.#named(start, accepts, asked), start)
    switch (code) {
      case LEFT_BRACKET:
        return this.followed(this.bracket(), start)
      case LEFT_BRACE:
        return this.followed(this.brace(), start)
      case LEFT_PAREN:
        return this.followed(this.#parenthesised(), start)
      case PLUS:
      case MINUS:
        return this.#signed(code, start)
      case EXCLAMATION:
        return this.#unary("!", start)
      case DOT:
        if (isDigit(this.peek(1))) return this.followed(this.number(), start)
    }
    const command = code === COLON ? consoleCommandAt(this.text, start) : undefined
    if (command !== undefined) throw this.failAt(start, consoleCommand(command))
    throw this.unexpected(accepts === anything ? "a value" : inWords(accepts))
  }

  protected rangeEnd(): Operand {
    return this.operand(anything, 0)
  }

  #parenthesised(): Operand {
    this.enter()
    this.position++
    const value = this.expression(anything, 0)
    const kind = this.kind
    this.expect(RIGHT_PAREN, "')'")
    this.leave()
    this.kind = kind
    return value
  }

  #signed(code: number, start: number): Operand {
    const next = this.peek(1)
    if (isDigit(next) || (next === DOT && isDigit(this.peek(2)))) return this.followed(this.number(), start)
    const infinity = this.infinity()
    if (infinity !== undefined) return infinity
    if (code === MINUS) return this.#unary("-", start)
    throw this.unexpected("a value")
  }

  #unary(operator: "!" | "-", start: number): Operand {
    this.enter()
    this.position++
    const operand = this.operand(anything, 0)
    this.leave()
    this.kind = Kind.variable
    return new UnaryExpression(start, operator, operand)
  }

  #named(start: number, accepts: number, asked: number): Operand {
    const name = this.name()
    const code = this.skip()
    if (code === LEFT_PAREN && (this.depth > 0 || !this.crossedLine)) return this.#called(name, start, accepts)
    if (code === DOT && this.peek(1) !== DOT) {
      const value = this.#dotted(name, start)
      if (value !== undefined) return value
    }
    return this.#word(name, start, accepts, asked)
  }

  /** `name(`; the position is at the parenthesis. */
  #called(name: string, start: number, accepts: number): Operand {
    if (name === "not") return this.not(start, accepts)
    const spec = steps.get(name)
    if (spec !== undefined) return this.anonymous(spec, start)
    const predicate = this.predicate(name, start)
    if (predicate !== undefined) return predicate
    const cardinality = cardinalities.get(name)
    if (cardinality !== undefined) return this.cardinalityValue(cardinality)
    if (name === "datetime" || name === "DateTime") return this.datetime(start)
    if (name === "UUID") return this.uuid(start)
    if (vertexClasses.has(name)) return this.vertex(start, name)
    throw this.failAt(start, this.#notCallable(name))
  }

  #notCallable(name: string): string {
    const hint = wordHint(name)
    if (hint !== undefined) return hint
    if (codeWords.has(name)) return noCode(`'${name}' is a statement of a programming language`)
    if (/^[A-Z]/.test(name)) return noCode(`${name}(...) calls a class`)
    if (spawns.has(name) || sourceMethods.has(name) || terminals.has(name) || name === "tx") {
      return `${name}() needs a traversal source before it, such as g.${name}()`
    }
    const near = closest(name, steps.keys())
    const meant = near === undefined ? "" : `. Did you mean ${near}()?`
    return `there is no step, predicate or function ${name}()${meant}`
  }

  /** `name.`; the position is at the point. Undefined when the name is a variable. */
  #dotted(name: string, start: number): Operand | undefined {
    if (name === "__") return this.afterUnderscores()
    if (name !== "g" && !this.declared.has(name)) {
      const value = this.fromClass(name, start)
      if (value !== undefined) return value
    }
    const before = this.position
    const found = this.fromSource(name, start)
    if (found === undefined && name === "g" && !this.declared.has(name)) {
      this.checkSourceMethod()
      this.position = before
    }
    return found
  }

  /** A name with neither a point nor a parenthesis after it. */
  #word(name: string, start: number, accepts: number, asked: number): Operand {
    switch (name) {
      case "true":
      case "false":
        this.kind = Kind.boolean
        return name === "true"
      case "null":
        this.kind = Kind.null
        return null
      case "NaN":
        this.kind = Kind.decimal
        return Number.NaN
      case "Infinity":
        this.kind = Kind.decimal
        return Number.POSITIVE_INFINITY
      case "new":
        return this.#construction(start)
      case "__":
        throw this.failAt(start, "__ needs a step after it, such as __.out()")
    }
    if (!this.declared.has(name)) {
      if (isPrinting(name, this.text, start + name.length)) throw this.failAt(start, wordHint(name)!)
      // UUID is both; a traversal means the GType.
      if (namedClasses.has(name) && (accepts === anything || !shorts.has(name))) return this.className(name)
      if (codeWords.has(name)) throw this.failAt(start, noCode(`'${name}' is a word of a programming language`))
    }
    return this.bareName(name, start, accepts, asked)
  }

  #construction(start: number): Operand {
    const name = this.qualifiedName()
    if (this.opens()) {
      if (vertexClasses.has(name)) return this.vertex(start, name)
      const empty = Object.hasOwn(emptyCollections, name) ? emptyCollections[name] : undefined
      if (empty !== undefined && this.anyArguments(name).length === 0) {
        const value = empty()
        this.kind = Array.isArray(value) ? Kind.list : Kind.map
        return value
      }
    }
    const hint = name === "Date" || name === "Timestamp" ? ": datetime() is the current time" : ""
    throw this.failAt(start, noCode(`new ${name}(...) constructs a class${hint}`))
  }
}
