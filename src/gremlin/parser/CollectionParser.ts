import { anything, Kind } from "../../process/language/Kinds.ts"
import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Expression, MapExpression, type Operand, SetExpression } from "../Script.ts"
import { noCode } from "../SyntaxErrors.ts"
import { holdsVariable } from "../script/arguments/Substitution.ts"
import { BraceScans } from "./BraceScans.ts"
import {
  ASTERISK,
  COLON,
  COMMA,
  LEFT_BRACE,
  LEFT_PAREN,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  RIGHT_PAREN
} from "./Characters.ts"
import { isClassWord } from "./LiteralTypes.ts"
import { LoopKind } from "./LoopKinds.ts"
import { leaveLoop, resumeLoop, stepLoop } from "./Loops.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, unexpected } from "./Scanner.ts"
import { readSpread } from "./SpreadParser.ts"
import { asData, readBareName, readImportedConstant } from "./Variables.ts"

const SPREAD_USE = "the members of a list stand in a list as *list, and the entries of a map in a map as *:map"

/** A list or map that is being read. It is "undecided" before its first item. */
interface Collected {
  type: "undecided" | "list" | "map"
  readonly list: Array<unknown>
  map: GremlinMap
  /** Replaces `map` as soon as a key is a variable. */
  entries: Array<[Operand, Operand]> | undefined
}

/** Reads `[1, 2]`, `[a: 1]`, `[]` or `[:]`. The position is at the bracket. */
export const readBracket = (context: ParseContext): Operand => {
  const start = context.position
  context.position++
  const first = context.skip()
  if (first === RIGHT_BRACKET) {
    context.position++
    context.kind = Kind.list
    return []
  }
  if (first === COLON) {
    context.position++
    expect(context, RIGHT_BRACKET, "']' of an empty map [:]")
    context.kind = Kind.map
    return new GremlinMap()
  }
  context.enter()
  let collected: Collected = { type: "undecided", list: [], map: new GremlinMap(), entries: undefined }
  let count = 0
  const loop = resumeLoop(context, LoopKind.collection, collected, 0)
  if (loop !== undefined) {
    collected = loop.items
    count = loop.state
  }
  for (;;) {
    if (count > 0) {
      const code = context.skip()
      if (code === RIGHT_BRACKET) break
      if (code !== COMMA) throw unexpected(context, `',' or ']' in a ${collected.type}`)
      context.position++
      // As in Groovy, a comma may follow the last item.
      if (context.skip() === RIGHT_BRACKET) break
    }
    readItem(context, collected)
    count++
    stepLoop(context, count)
  }
  leaveLoop(context, count)
  context.position++
  context.leave()
  context.kind = collected.type === "map" ? Kind.map : Kind.list
  if (collected.type === "list") return collected.list
  return collected.entries === undefined ? collected.map : new MapExpression(start, collected.entries)
}

/** Reads what may be the key of a map: a word before a colon is a string, anything else is an expression. */
export const readKey = (context: ParseContext): Operand => {
  const naked = readNakedKey(context)
  return naked === undefined ? context.readExpression(context, anything, 0) : naked
}

const readItem = (context: ParseContext, collected: Collected): void => {
  if (context.skip() === ASTERISK) {
    const spread = readSpread(context)
    if (collected.type === "undecided") collected.type = spread.isMap ? "map" : "list"
    if (spread.isMap !== (collected.type === "map")) throw context.failAt(spread.position, SPREAD_USE)
    if (spread.isMap) addEntry(collected, spread, null)
    else collected.list.push(asData(context, spread))
    return
  }
  const naked = collected.type === "list" ? undefined : (readNakedKey(context) ?? readSetKey(context))
  const key = naked ?? context.readExpression(context, anything, 0)
  if (collected.type === "undecided") collected.type = naked !== undefined || context.skip() === COLON ? "map" : "list"
  if (collected.type === "list") collected.list.push(asData(context, key))
  else {
    expect(context, COLON, "':' between key and value of a map")
    addEntry(collected, key, asData(context, context.readExpression(context, anything, 0)))
  }
}

const addEntry = (collected: Collected, key: Operand, value: unknown): void => {
  if (collected.entries === undefined && (key instanceof Expression || holdsVariable(key))) {
    collected.entries = [...collected.map]
  }
  if (collected.entries === undefined) collected.map.set(key, value)
  else collected.entries.push([key, value])
}

/**
 * Reads a map key without quotes: a word before a colon is a string; `(word)` before a colon is a constant or a variable, unless the word
 * names a class. If something else follows, returns undefined and leaves the position unchanged.
 */
const readNakedKey = (context: ParseContext): unknown => {
  const start = context.position
  const parenthesised = context.skip() === LEFT_PAREN
  if (parenthesised) {
    context.position++
    context.skip()
  }
  const at = context.position
  const name = context.readName()
  if (name !== "" && (!parenthesised || context.skip() === RIGHT_PAREN)) {
    if (parenthesised) context.position++
    const isOther = parenthesised && !context.isDeclared(name) && (LITERAL.test(name) || isClassWord(name))
    if (context.skip() === COLON && context.peek(1) !== COLON && !isOther)
      return parenthesised ? readParenthesised(context, name, at) : name
  }
  context.position = start
  return undefined
}

/** The key that a name in parentheses is: those of T and Direction come before variables, as in mergeV() and mergeE(). */
const readParenthesised = (context: ParseContext, name: string, start: number): Operand => {
  const asked = Kind.T | Kind.Direction
  return readImportedConstant(context, name, start, asked) ?? readBareName(context, name, start, anything, asked)
}

/** Words that are literals, unless a variable has the name. They stand for themselves in parentheses, as classes do: `[(NaN): 1]`. */
const LITERAL = /^(?:null|true|false|NaN|Infinity)$/

/** What follows the brace of a set that is a key in parentheses. */
const AFTER_SET_KEY = /\s*\)\s*:(?!:)/y

/** Reads the key of `[({1}): 'x']` in a step, where braces are a set. If something else follows, does what {@link readNakedKey} does. */
const readSetKey = (context: ParseContext): Operand | undefined => {
  const start = context.position
  if (context.isInStep && context.skip() === LEFT_PAREN) {
    context.position++
    if (context.skip() === LEFT_BRACE) {
      context.braces ??= new BraceScans(context.text)
      AFTER_SET_KEY.lastIndex = context.braces.at(context.position).end + 1
      if (AFTER_SET_KEY.test(context.text)) {
        const set = readBrace(context)
        expect(context, RIGHT_PAREN, "')'")
        return set
      }
    }
  }
  context.position = start
  return undefined
}

/** Reads the set `{1, 2}`. The position is at the brace. */
export const readBrace = (context: ParseContext): Operand => {
  const start = context.position
  context.position++
  context.enter()
  let items: Array<unknown> = []
  let calculated = 0
  const loop = resumeLoop(context, LoopKind.collection, items, 0)
  if (loop !== undefined) {
    items = loop.items
    calculated = loop.state
  }
  for (;;) {
    const code = context.skip()
    if (code === RIGHT_BRACE) break
    if (items.length > 0) {
      if (code !== COMMA) throw context.failAt(start, noCode("this is neither a set such as {1, 2} nor a closure"))
      context.position++
    }
    const item = asData(context, context.readExpression(context, anything, 0))
    if (holdsVariable(item)) calculated = 1
    items.push(item)
    stepLoop(context, calculated)
  }
  leaveLoop(context, items.length)
  context.position++
  context.leave()
  context.kind = Kind.set
  return calculated === 1 ? new SetExpression(start, items) : new GremlinSet(items)
}
