import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import type { Cardinality, EnumName } from "../../structure/Enums.ts"
import { ClassName } from "../../structure/Temporal.ts"
import type { Operand } from "../Script.ts"
import { noCode } from "../SyntaxErrors.ts"
import { DOT, RIGHT_PAREN } from "./Characters.ts"
import { isClass, unknownClass } from "./Imports.ts"
import { anything, Kind, kindOfConstant } from "./Kinds.ts"
import { constantOf, isEnumName, namedClasses, optionConstants, packageRoots } from "./Names.ts"
import { OperatorParser } from "./OperatorParser.ts"

/** Classes in front of a constant's own class: VertexProperty.Cardinality.single. */
const outerClasses: ReadonlySet<string> = new Set(["VertexProperty", "SackFunctions"])

/** Classes whose methods are predicates; the last two are JanusGraph's. */
const predicateClasses: ReadonlySet<string> = new Set(["P", "TextP", "Text", "Geo"])

/** Names of enumerations and other classes, and what may follow them. */
export abstract class ClassParser extends OperatorParser {
  /** What follows the name of an enumeration, of another class or of a package. */
  protected fromClass(name: string, start: number): Operand | undefined {
    if (predicateClasses.has(name)) return this.#prefixedPredicate(name)
    if (isEnumName(name)) return this.#constant(name)
    if (Object.hasOwn(optionConstants, name)) return this.#optionConstant(name)
    if (packageRoots.has(name) && /^[a-zA-Z]+\.[a-zA-Z]/.test(this.text.slice(this.position + 1, this.position + 40))) {
      return this.#qualified(start)
    }
    if (outerClasses.has(name)) {
      const inner = this.#memberName()
      if (inner !== undefined && isEnumName(inner) && this.skip() === DOT) return this.#constant(inner)
    }
    if (namedClasses.has(name)) return this.className(name)
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

  protected className(name: string): ClassName {
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
    if (enumName === "Cardinality" && this.opens()) return this.cardinalityValue(constant)
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
      predicateClasses.has(name) ||
      name === "__" ||
      isEnumName(name) ||
      Object.hasOwn(optionConstants, name) ||
      outerClasses.has(name) ||
      namedClasses.has(name)
    if (!known) throw this.failAt(start, noCode(`${this.text.slice(start, this.position)} is a class or package`))
    const written = this.text.slice(start, this.position).replace(/\s/g, "")
    if (!isClass(written)) throw this.failAt(start, unknownClass(written))
    if (this.skip() !== DOT) return this.className(name)
    if (name === "__") return this.afterUnderscores()
    return this.fromClass(name, start)
  }

  /** Cardinality.single(x): it travels as a traversal with one source instruction, as TinkerPop sends it. */
  protected cardinalityValue(cardinality: typeof Cardinality.single): Bytecode {
    this.enter()
    this.position++
    const value = this.asData(this.expression(anything, 0))
    this.expect(RIGHT_PAREN, `')' of ${cardinality.name}()`)
    this.leave()
    this.kind = Kind.traversal
    return new Bytecode([new Instruction("CardinalityValueTraversal", [cardinality, value])], [])
  }
}
