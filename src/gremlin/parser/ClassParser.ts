import { Bytecode, Instruction } from "../../process/language/Bytecode.ts"
import { anything, Kind, kindOfConstant } from "../../process/language/Kinds.ts"
import { arrayClassName, ClassName } from "../../structure/scalars/ClassNames.ts"
import type { Cardinality, EnumName } from "../../structure/scalars/Enums.ts"
import { CallExpression, ReferenceExpression } from "../ProgramExpressions.ts"
import type { Operand } from "../Script.ts"
import { noClass } from "../ScriptHints.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import { DOT, RIGHT_PAREN } from "./Characters.ts"
import { isClass, javaClassName, unknownClass } from "./Imports.ts"
import { constantOf, isEnumName, namedClasses, optionConstants, packageRoots, primitiveClasses } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { readPredicate } from "./PredicateParser.ts"
import { expect, opens, wordAt } from "./Scanner.ts"
import { readAfterUnderscores } from "./TraversalParser.ts"
import { readQualifiedName } from "./TypeNames.ts"
import { asData } from "./Variables.ts"

// Parses the names of enumerations and other classes, and the members after these names.

/** Classes that may precede the class of a constant: VertexProperty.Cardinality.single. */
const outerClasses: ReadonlySet<string> = new Set(["VertexProperty", "SackFunctions"])

/** Classes whose methods are predicates; the last two are JanusGraph's. */
const predicateClasses: ReadonlySet<string> = new Set(["P", "TextP", "Text", "Geo"])

/** Those of JanusGraph, which are also enumerations: `Text.CONTAINS`. */
const searchClasses: ReadonlySet<string> = new Set(["Text", "Geo"])

/**
 * Reads the member after the name of an enumeration, of another class or of a package: `.desc` after `Order`. The position must
 * be at the dot after the name. `start` is the offset of the name. Returns undefined if the name is none of these.
 */
export const readFromClass = (context: ParseContext, name: string, start: number): Operand | undefined => {
  const printing = name === "System" ? readPrinting(context, start) : undefined
  if (printing !== undefined) return printing
  if (predicateClasses.has(name)) {
    const following = context.text.slice(context.position, context.position + MAX_CALL_CHARS)
    const isConstant = SEARCH_CONSTANT.test(following) || ENUM_CALL.test(following)
    return searchClasses.has(name) && isConstant ? readClassName(context, name) : readPrefixedPredicate(context, name)
  }
  if (isEnumName(name)) return readFromEnum(context, name)
  if (Object.hasOwn(optionConstants, name)) return readOptionConstant(context, name)
  if (
    packageRoots.has(name) &&
    /^[a-zA-Z]\w*\.[a-zA-Z]/.test(context.text.slice(context.position + 1, context.position + 40))
  ) {
    return readQualified(context, start)
  }
  if (outerClasses.has(name)) {
    const inner = readMemberName(context)
    if (inner !== undefined && isEnumName(inner) && context.skip() === DOT) return readFromEnum(context, inner)
  }
  if (namedClasses.has(name) || primitiveClasses.has(name)) return readClassName(context, name)
  if (/^[A-Z]\w*[a-z]/.test(name)) throw context.failAt(start, noClass(`scripts do not have the class ${name}`, name))
  return undefined
}

/**
 * Reads the rest of `System.out.println(x)`, which is `println(x)`, or of `System.out.&println`. Undefined when something else
 * follows `System`.
 */
const readPrinting = (context: ParseContext, start: number): Operand | undefined => {
  const [reference, referred] =
    /^\s*\.\s*out\s*(?:\.\s*&|::)\s*(println|print)(?![\w$])/.exec(
      context.text.slice(context.position, context.position + 60)
    ) ?? []
  if (reference !== undefined && referred !== undefined) {
    context.position += reference.length
    context.kind = Kind.variable
    context.calculates = true
    return new ReferenceExpression(start, undefined, referred)
  }
  const [written, called] =
    /^\s*\.\s*out\s*\.\s*(println|print)(?=\s*\()/.exec(context.text.slice(context.position, context.position + 60)) ??
    []
  if (written === undefined || called === undefined) return undefined
  context.position += written.length
  context.skip()
  const args = readAnyArguments(context, called)
  context.kind = Kind.variable
  context.calculates = true
  return new CallExpression(start, called, [...args])
}

/** Reads `.name`. Returns undefined and keeps the position if no name follows the dot. */
const readMemberName = (context: ParseContext): string | undefined => {
  const before = context.position
  context.position++
  context.skip()
  const name = context.readName()
  if (name === "") context.position = before
  return name === "" ? undefined : name
}

/** Returns the class of this name, and skips `.class` if it follows. */
export const readClassName = (context: ParseContext, name: string): ClassName => {
  context.kind = Kind.class
  if (name === "AnonymousTraversalSource") skipTraversal(context)
  if (/^\.class(?![\w$])/.test(context.text.slice(context.position, context.position + 7))) context.position += 6
  return new ClassName(javaClassName(name))
}

/** Reads `[].class` after the name of a type, such as `int` or `String`. Undefined when something else follows. */
export const readArrayClass = (context: ParseContext, name: string): ClassName | undefined => {
  if (!/^\[\]\.class(?![\w$])/.test(context.text.slice(context.position, context.position + 9))) return undefined
  context.position += 8
  context.kind = Kind.class
  return new ClassName(arrayClassName(javaClassName(name)))
}

/** Skips `.traversal()` after the class: the calls after it are those of the class, as after a bare `traversal()`. */
const skipTraversal = (context: ParseContext): void => {
  const call = /\s*\.\s*traversal\s*\(\s*\)/y
  call.lastIndex = context.position
  if (call.test(context.text)) context.position = call.lastIndex
}

const readPrefixedPredicate = (context: ParseContext, prefix: string): Operand => {
  const start = context.position + 1
  const name = readMemberName(context) ?? ""
  if (name === "" || !opens(context)) throw context.failAt(start, `a predicate such as eq(1) must follow ${prefix}.`)
  const predicate = readPredicate(context, name, start)
  if (predicate === undefined) throw context.failAt(start, `${prefix} has no predicate ${name}()`)
  return predicate
}

/** Reads a constant, or leaves `valueOf(name)` and `values()` to the calls of the class. The position must be at the dot. */
const readFromEnum = (context: ParseContext, enumName: EnumName): Operand => {
  const following = context.text.slice(context.position, context.position + MAX_CALL_CHARS)
  return ENUM_CALL.test(following) ? readClassName(context, enumName) : readConstant(context, enumName)
}

/** A constant such as `Text.CONTAINS`, which graph.query() takes. */
const SEARCH_CONSTANT = /^\.\s*[A-Z][A-Z_]*(?![\w$]|\s*\()/

const ENUM_CALL = /^\.\s*values?(?:Of)?\s*\(/

/** Characters of the beginning of a call that are read. */
const MAX_CALL_CHARS = 60

/** Reads the constant in `Order.desc` or `Cardinality.single(1)`. The position must be at the dot. */
const readConstant = (context: ParseContext, enumName: EnumName): Operand => {
  const start = context.position + 1
  const name = readMemberName(context) ?? ""
  const constant = constantOf(enumName, name)
  if (constant === undefined) {
    throw context.failAt(start, `${enumName} has no constant ${JSON.stringify(name || wordAt(context, start))}`)
  }
  if (enumName === "Cardinality" && opens(context)) return readCardinalityValue(context, constant)
  context.kind = Kind[enumName]
  return constant
}

const readOptionConstant = (context: ParseContext, owner: string): Operand => {
  const start = context.position + 1
  const name = readMemberName(context) ?? ""
  const constants = optionConstants[owner]!
  if (!Object.hasOwn(constants, name)) {
    throw context.failAt(start, `${owner} has no constant ${JSON.stringify(name || wordAt(context, start))}`)
  }
  context.kind = kindOfConstant(constants[name])
  return constants[name]
}

/** Reads a name with a package, such as `org.janusgraph.core.Multiplicity.MULTI`. `start` is the offset of its first part. */
const readQualified = (context: ParseContext, start: number): Operand => {
  context.position = start
  const name = readQualifiedName(context)
  const known =
    predicateClasses.has(name) ||
    name === "__" ||
    isEnumName(name) ||
    Object.hasOwn(optionConstants, name) ||
    outerClasses.has(name) ||
    namedClasses.has(name)
  if (!known)
    throw context.failAt(
      start,
      noClass(`scripts do not have the class or package ${context.text.slice(start, context.position)}`, name)
    )
  const written = context.text.slice(start, context.position).replace(/\s/g, "")
  if (!isClass(written)) throw context.failAt(start, unknownClass(written))
  if (context.skip() !== DOT) return readClassName(context, name)
  if (name === "__") return readAfterUnderscores(context)
  return readFromClass(context, name, start)
}

/** Reads `(x)` of Cardinality.single(x). As in TinkerPop, the result is a traversal with one source instruction. */
export const readCardinalityValue = (context: ParseContext, cardinality: typeof Cardinality.single): Bytecode => {
  context.enter()
  context.position++
  const value = asData(context, context.readExpression(context, anything, 0))
  expect(context, RIGHT_PAREN, `')' of ${cardinality.name}()`)
  context.leave()
  context.kind = Kind.traversal
  return new Bytecode([new Instruction("CardinalityValueTraversal", [cardinality, value])], [])
}
