import { Bytecode, Instruction } from "../../process/Bytecode.ts"
import { GremlinMap } from "../../structure/Collections.ts"
import { Cardinality, type EnumName } from "../../structure/Enums.ts"
import { ClassName } from "../../structure/Temporal.ts"
import { type Operand, UnaryExpression } from "../Script.ts"
import { closest, noCode } from "../SyntaxErrors.ts"
import {
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
import { anything, inWords, Kind, kindOfConstant } from "./Kinds.ts"
import {
  codeWords,
  constantOf,
  isEnumName,
  namedClasses,
  optionConstants,
  packageRoots,
  vertexClasses
} from "./Names.ts"
import { OperatorParser } from "./OperatorParser.ts"
import { sourceMethods, spawns, steps, terminals } from "./Steps.ts"

const cardinalities = new Map<string, typeof Cardinality.single>([
  ["single", Cardinality.single],
  ["list", Cardinality.list],
  ["set", Cardinality.set]
])

/** Classes in front of a constant's own class: VertexProperty.Cardinality.single. */
const outerClasses: ReadonlySet<string> = new Set(["VertexProperty", "SackFunctions"])

/** Collections that scripts construct empty. */
const emptyCollections: { readonly [name: string]: () => unknown } = {
  ArrayList: () => [],
  LinkedList: () => [],
  HashMap: () => new GremlinMap(),
  LinkedHashMap: () => new GremlinMap()
}

/** Operands: literals, names and what a name may begin. */
export abstract class ExpressionParser extends OperatorParser {
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
    if (cardinality !== undefined) return this.#cardinalityValue(cardinality)
    if (name === "datetime" || name === "DateTime") return this.datetime(start)
    if (name === "UUID") return this.uuid(start)
    if (vertexClasses.has(name)) return this.vertex(start, name)
    throw this.failAt(start, this.#notCallable(name))
  }

  #notCallable(name: string): string {
    if (codeWords.has(name)) return noCode(`'${name}' is a statement of a programming language`)
    if (/^[A-Z]/.test(name)) return noCode(`${name}(...) calls a class`)
    if (spawns.has(name) || sourceMethods.has(name) || terminals.has(name) || name === "tx") {
      return `${name}() needs a traversal source before it, such as g.${name}()`
    }
    const near = closest(name, steps.keys())
    const hint = near === undefined ? "" : `. Did you mean ${near}()?`
    return `there is no step, predicate or function ${name}()${hint}`
  }

  /** `name.`; the position is at the point. Undefined when the name is a variable. */
  #dotted(name: string, start: number): Operand | undefined {
    if (name === "__") return this.afterUnderscores()
    if (name !== "g" && !this.declared.has(name)) {
      const value = this.#fromClass(name, start)
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

  /** What follows the name of an enumeration, of another class or of a package. */
  #fromClass(name: string, start: number): Operand | undefined {
    if (name === "P" || name === "TextP") return this.#prefixedPredicate(name)
    if (isEnumName(name)) return this.#constant(name)
    if (Object.hasOwn(optionConstants, name)) return this.#optionConstant(name)
    if (packageRoots.has(name) && /^[a-zA-Z]+\.[a-zA-Z]/.test(this.text.slice(this.position + 1, this.position + 40))) {
      return this.#qualified(start)
    }
    if (outerClasses.has(name)) {
      const inner = this.#memberName()
      if (inner !== undefined && isEnumName(inner) && this.skip() === DOT) return this.#constant(inner)
    }
    if (namedClasses.has(name)) return this.#className(name)
    if (/^[A-Z]\w*[a-z]/.test(name)) throw this.failAt(start, noCode(`${name} is a class`))
    return undefined
  }

  /** Goes behind `.name`; undefined and no move when something else follows. */
  #memberName(): string | undefined {
    const before = this.position
    this.position++
    this.skip()
    const name = this.name()
    if (name === "") this.position = before
    return name === "" ? undefined : name
  }

  #className(name: string): ClassName {
    this.kind = Kind.class
    if (/^\.class(?![\w$])/.test(this.text.slice(this.position, this.position + 7))) this.position += 6
    return new ClassName(name)
  }

  #prefixedPredicate(prefix: string): Operand {
    const start = this.position + 1
    const name = this.#memberName() ?? ""
    if (name === "" || !this.opens())
      throw this.failAt(start, `${prefix}. is not followed by a predicate such as eq(1)`)
    const predicate = this.predicate(name, start)
    if (predicate === undefined) throw this.failAt(start, `there is no predicate ${prefix}.${name}()`)
    return predicate
  }

  /** `Order.desc`, `Cardinality.single(1)`; the position is at the point. */
  #constant(enumName: EnumName): Operand {
    const start = this.position + 1
    const name = this.#memberName() ?? ""
    const constant = constantOf(enumName, name)
    if (constant === undefined) {
      throw this.failAt(start, `${enumName} has no constant ${JSON.stringify(name || this.word(start))}`)
    }
    if (enumName === "Cardinality" && this.opens()) return this.#cardinalityValue(constant)
    this.kind = Kind[enumName]
    return constant
  }

  #optionConstant(owner: string): Operand {
    const start = this.position + 1
    const name = this.#memberName() ?? ""
    const constants = optionConstants[owner]!
    if (!Object.hasOwn(constants, name)) {
      throw this.failAt(start, `${owner} has no constant ${JSON.stringify(name || this.word(start))}`)
    }
    this.kind = kindOfConstant(constants[name])
    return constants[name]
  }

  /** `org.janusgraph.core.Multiplicity.MULTI`: the package is left out. The name before the position is its first part. */
  #qualified(start: number): Operand {
    this.position = start
    const name = this.qualifiedName()
    const known =
      name === "P" ||
      name === "TextP" ||
      name === "__" ||
      isEnumName(name) ||
      Object.hasOwn(optionConstants, name) ||
      outerClasses.has(name) ||
      namedClasses.has(name)
    if (!known) throw this.failAt(start, noCode(`${this.text.slice(start, this.position)} is a class or package`))
    if (this.skip() !== DOT) return this.#className(name)
    if (name === "__") return this.afterUnderscores()
    return this.#fromClass(name, start)
  }

  /** Cardinality.single(x): it travels as a traversal with one source instruction, as TinkerPop sends it. */
  #cardinalityValue(cardinality: typeof Cardinality.single): Bytecode {
    this.enter()
    this.position++
    const value = this.asData(this.expression(anything, 0))
    this.expect(RIGHT_PAREN, `')' of ${cardinality.name}()`)
    this.leave()
    this.kind = Kind.traversal
    return new Bytecode([new Instruction("CardinalityValueTraversal", [cardinality, value])], [])
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
      if (namedClasses.has(name)) return this.#className(name)
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
