import { Binding, Bytecode, type Instruction, Lambda, Variable } from "../../process/language/Bytecode.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"
import type { RequestIdentity } from "../../services/RequestRecords.ts"
import { beginningOf } from "../../structure/texts/Text.ts"

/** Characters of a text, from its start and from its end. */
const HEAD_CHARS = 320
const TAIL_CHARS = 40

const MAX_USER_CHARS = 64
const MAX_BINDINGS_CHARS = 120
const MAX_TEXT_CHARS = HEAD_CHARS + TAIL_CHARS

/** Characters of bindings that are followed by a hash of all of them. */
const BINDINGS_HEAD_CHARS = 100

/** Characters of one value. */
const MAX_VALUE_CHARS = 40

/** The text of an integer with more digits than a record has room for. */
const LONG_INTEGER = "(a long integer)"

/** The end of the bindings of a request of which only a part is recorded: nothing says whether another request is the same. */
export const CUT = "\u007f"

/** Characters that are hashed of a request before its first slice: each request pays for them, at most a microsecond. */
const BRIEF_CHARS = 512

/** Characters that are hashed of a request that needs more than a slice. */
const WHOLE_CHARS = 262_144

/** A text that ends when it is long enough: each request writes one, so it must cost little. */
interface Brief {
  text: string
  /** A part of a value is not in the text. */
  isCut: boolean
  /** Characters that may still be hashed. */
  left: number
  /** Long bytecode and bindings are written as far as they can be hashed. */
  readonly isWhole: boolean
}

/** Whether a text is long enough for a record of so many characters. */
const isFull = ({ isWhole, left, text }: Brief, chars: number): boolean =>
  text.length > (isWhole ? Math.max(left, chars) : chars)

/** A hash of all characters of a long text. Without it, nothing says whether another text is the same. */
const hashed = (text: string, brief: Brief): string => {
  brief.left -= text.length
  if (brief.left < 0) {
    brief.isCut = true
    return ""
  }
  let hash = text.length
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return String(hash)
}

/**
 * What makes a request the same as another one.
 *
 * @param isWhole long texts, bytecode and bindings are hashed, too. Without it, the identity of a request with one of them has the end
 *   {@link CUT}
 */
export const identityOf = ({ bindings, gremlin, user }: EvaluationRequest, isWhole: boolean): RequestIdentity => {
  const isLongName = user.name.length > MAX_USER_CHARS
  const own = isLongName ? user.name.slice(0, MAX_USER_CHARS) : user.name
  const brief: Brief = { text: "", isCut: isLongName, left: isWhole ? WHOLE_CHARS : BRIEF_CHARS, isWhole }
  const known = bindings === null || bindings.size === 0 ? "" : bindingsText(bindings, brief)
  if (typeof gremlin === "string") {
    const text = gremlin.length > MAX_TEXT_CHARS ? shortened(gremlin, brief) : gremlin
    return { user: own, kind: "script", text, length: gremlin.length, bindings: brief.isCut ? known + CUT : known }
  }
  brief.text = ""
  writeBytecode(gremlin, brief)
  const text = bytecodeText(brief)
  const length = gremlin.sourceInstructions.length + gremlin.stepInstructions.length
  return { user: own, kind: "bytecode", text, length, bindings: brief.isCut ? known + CUT : known }
}

const shortened = (text: string, brief: Brief): string =>
  `${text.slice(0, HEAD_CHARS)}#${hashed(text, brief)}#${text.slice(-TAIL_CHARS)}`

/** The bytecode as text, which `brief` has. */
const bytecodeText = (brief: Brief): string => {
  const { isWhole, text } = brief
  if (text.length <= MAX_TEXT_CHARS) return text
  if (isWhole) return shortened(text, brief)
  brief.isCut = true
  return text.slice(0, MAX_TEXT_CHARS)
}

/** The bindings as text. */
const bindingsText = (bindings: ReadonlyMap<string, unknown>, brief: Brief): string => {
  for (const [name, value] of bindings) {
    brief.text += `${name}=`
    writeValue(value, brief)
    if (isFull(brief, MAX_BINDINGS_CHARS)) break
    brief.text += " "
  }
  const { isWhole, text } = brief
  if (text.length <= MAX_BINDINGS_CHARS) return text
  if (isWhole) return `${text.slice(0, BINDINGS_HEAD_CHARS)}#${hashed(text, brief)}`
  brief.isCut = true
  return text.slice(0, MAX_BINDINGS_CHARS)
}

const writeBytecode = ({ sourceInstructions, stepInstructions }: Bytecode, brief: Brief): void => {
  writeInstructions(sourceInstructions, brief)
  writeInstructions(stepInstructions, brief)
}

const writeInstructions = (instructions: ReadonlyArray<Instruction>, brief: Brief): void => {
  for (let i = 0; i < instructions.length && !isFull(brief, MAX_TEXT_CHARS); i++) {
    const { args, operator } = instructions[i]!
    brief.text += `${operator}(`
    for (let j = 0; j < args.length && !isFull(brief, MAX_TEXT_CHARS); j++) {
      if (j > 0) brief.text += ","
      writeValue(args[j], brief)
    }
    brief.text += ")"
  }
}

const writeValue = (value: unknown, brief: Brief): void => {
  switch (typeof value) {
    case "string":
      brief.text +=
        value.length > MAX_VALUE_CHARS
          ? `'${value.slice(0, MAX_VALUE_CHARS)}'${value.length}#${hashed(value, brief)}`
          : `'${value}'`
      return
    case "number":
    case "boolean":
      brief.text += value
      return
    case "bigint":
      if (BigInt.asIntN(64, value) === value) brief.text += `${value}L`
      else {
        brief.text += LONG_INTEGER
        brief.isCut = true
      }
      return
    default:
      writeObject(value, brief)
  }
}

const writeObject = (value: unknown, brief: Brief): void => {
  if (value instanceof Bytecode) writeBytecode(value, brief)
  else if (value instanceof Lambda) writeValue(value.script, brief)
  else if (value instanceof Variable) brief.text += value.name
  else if (value instanceof Binding) writeValue(value.value, brief)
  else {
    const text = beginning(value)
    brief.isCut ||= text.length >= MAX_VALUE_CHARS || text === LONG_INTEGER
    brief.text += text
  }
}

const beginning = (value: unknown): string => {
  try {
    return beginningOf(value, MAX_VALUE_CHARS).slice(0, MAX_VALUE_CHARS)
  } catch {
    // Only integers with very many digits have no text.
    return LONG_INTEGER
  }
}
