import { anything, Kind } from "../../process/language/Kinds.ts"
import { TemplateExpression } from "../ProgramExpressions.ts"
import { ChainExpression, type Link, type Operand } from "../Script.ts"
import { BACKSLASH, DOLLAR, DOT, DOUBLE_QUOTE, isNamePart, isNameStart, LEFT_BRACE, RIGHT_BRACE } from "./Characters.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, stepLoop } from "./Loops.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect } from "./Scanner.ts"
import { beginsTriple, decoded, hasHole, readString } from "./StringLiterals.ts"
import { readBareName, readImportedConstant, useVariable } from "./Variables.ts"

/** The name of a nested Java class, as the configuration of MatchAlgorithmStrategy has it. Its dollar sign begins no hole. */
const NESTED_CLASS = /^(?:[a-z]\w*\.)+[A-Z]\w*\$[A-Z]\w*$/

/** Reads a string in quotes: a string, or a TemplateExpression for one with holes. The position is at its first quote. */
export const readText = (context: ParseContext, quote: number): Operand => {
  const start = context.position
  const value = readString(context, quote)
  if (quote !== DOUBLE_QUOTE || !value.includes("$") || NESTED_CLASS.test(value)) return value
  const end = context.position
  context.position = start
  if (hasHole(context, isHole)) {
    return readParts(context, start, quotes[beginsTriple(context, quote) ? '"""' : '"']!)
  }
  context.position = end
  return value
}

/** True when `${` or `$name` begins at an offset. */
const isHole = (text: string, at: number): boolean =>
  text.charCodeAt(at) === DOLLAR &&
  (text.charCodeAt(at + 1) === LEFT_BRACE ||
    (text.charCodeAt(at + 1) !== DOLLAR && isNameStart(text.charCodeAt(at + 1))))

/** What ends a string, and how its characters are read. */
interface Quoting {
  /** The characters that end the string. */
  readonly mark: string
  /** The value of the characters between two offsets. */
  readonly textOf: (context: ParseContext, from: number, to: number) => string
}

/** A string in slashes: a backslash is itself, except before a slash. */
const slashes: Quoting = {
  mark: "/",
  textOf: (context, from, to) => context.text.slice(from, to).replaceAll("\\/", "/")
}

const quotes: { readonly [mark: string]: Quoting } = {
  '"': { mark: '"', textOf: decoded },
  '"""': { mark: '"""', textOf: decoded }
}

/** Reads a string in slashes. The position is at the first one. */
export const readSlashy = (context: ParseContext): Operand => readParts(context, context.position, slashes)

const readParts = (context: ParseContext, start: number, quoting: Quoting): Operand => {
  const { text } = context
  const { mark } = quoting
  context.position = start + mark.length
  const read = enterLoop(context, LoopKind.holes, {
    texts: [] as Array<string>,
    holes: [] as Array<Operand>,
    literals: [] as Array<string>
  })
  for (;;) {
    const from = context.position
    let at = from
    while (at < context.end && !text.startsWith(mark, at) && !isHole(text, at)) {
      at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    }
    if (at >= context.end || (mark === "/" && text.slice(from, at).includes("\n\n"))) {
      throw context.failAt(start, `a string begins here and never ends: close it with ${mark}`)
    }
    const part = quoting.textOf(context, from, at)
    context.position = at
    if (text.startsWith(mark, at)) {
      read.texts.push(part)
      break
    }
    const isLenient = !context.isGroovy && context.isInStep && text.charCodeAt(at + 1) !== LEFT_BRACE
    // The hole may end a slice. The next slice reads the text before it again.
    const hole = readHole(context)
    read.texts.push(part)
    read.holes.push(hole)
    read.literals.push(isLenient ? text.slice(at, context.position) : "")
    stepLoop(context)
  }
  leaveLoop(context, read.holes.length)
  context.position += mark.length
  context.kind = read.holes.length === 0 ? Kind.string : Kind.variable
  if (read.holes.length === 0) return read.texts[0]
  context.calculates = true
  return new TemplateExpression(start, read.texts, read.holes, read.literals)
}

/** Reads `${expression}` or `$name.name`. The position is at the dollar sign. */
const readHole = (context: ParseContext): Operand => {
  const start = context.position
  context.position++
  if (context.peek() === LEFT_BRACE) {
    context.position++
    context.enter()
    if (/\s*->/y.test(context.text.slice(context.position, context.position + 20))) {
      throw context.failAt(start, "a closure in a string is not supported: put its value there")
    }
    const value = context.skip() === RIGHT_BRACE ? null : context.readExpression(context, anything, 0)
    expect(context, RIGHT_BRACE, "'}' after the expression in the string")
    context.leave()
    return value
  }
  const root = readHoleName(context)
  const links: Array<Link> = []
  while (context.peek() === DOT && isNameStart(context.peek(1)) && context.peek(1) !== DOLLAR) {
    context.position++
    const position = context.position
    links.push({ kind: "member", name: nameAt(context), safe: false, position })
  }
  return links.length === 0 ? root : new ChainExpression(start, root, links)
}

const readHoleName = (context: ParseContext): Operand => {
  const start = context.position
  const name = nameAt(context)
  const constant = readImportedConstant(context, name, start, 0)
  if (constant !== undefined) return constant
  return context.isGroovy ? readBareName(context, name, start, anything, 0) : useVariable(context, name, start)
}

/** Reads a name without dollar signs, which begin the next hole. */
const nameAt = (context: ParseContext): string => {
  const start = context.position
  let at = start
  while (at < context.end && isNamePart(context.text.charCodeAt(at)) && context.text.charCodeAt(at) !== DOLLAR) at++
  context.position = at
  return context.text.slice(start, at)
}
