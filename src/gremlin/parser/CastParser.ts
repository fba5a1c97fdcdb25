import { anything, Kind } from "../../process/language/Kinds.ts"
import { CastExpression, type Operand } from "../Script.ts"
import { noCode } from "../SyntaxErrors.ts"
import { isEnumName, namedClasses } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"

const PRIMITIVE = /\(\s*(byte|short|int|long|float|double|char|boolean)(\[\])?\s*\)\s*(?=[\w"'([.+~!-])/y

/**
 * A class in parentheses, followed by an operand. A name in capitals may be a variable, and then the brackets after it are an
 * index.
 */
const CLASS =
  /\(\s*((?:[a-z][\w$]*\.)*[A-Z][\w$]*(?:\.[A-Z][\w$]*)?)(?:<[\w$.,? <>]{0,200}>)?(\[\])?\s*\)[ \t]*(?=[\w"'([{~]|!(?!=|in\b|instanceof\b))/y

/** A type of values in parentheses, followed by a sign. Another class may be a variable: `(A) - 1` subtracts. */
const SIGNED =
  /\(\s*((?:java\.(?:lang|math)\.)?(?:Byte|Short|Integer|Long|Float|Double|BigDecimal|BigInteger|Number|String|Object|Boolean))(\[\])?\s*\)[ \t]*(?=[+-])/y

const OPERATOR_WORD = /(?:in|as|instanceof)\b/y

const matchAt = (pattern: RegExp, { position, text }: ParseContext): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

/** True when a cast such as `(byte) 1` or `(List) x` begins at the position. */
export const isCast = (context: ParseContext): boolean => {
  if (matchAt(PRIMITIVE, context) !== null) return true
  const found = matchAt(CLASS, context) ?? matchAt(SIGNED, context)
  if (found === null || context.isDeclared(found[1]!)) return false
  OPERATOR_WORD.lastIndex = context.position + found[0].length
  return !OPERATOR_WORD.test(context.text)
}

/** Reads a cast with its operand. Only if {@link isCast}. */
export const readCast = (context: ParseContext, start: number): Operand => {
  const found = matchAt(PRIMITIVE, context) ?? matchAt(CLASS, context) ?? matchAt(SIGNED, context)
  const [whole = "", written = "", array = ""] = found ?? []
  const type = written.slice(written.lastIndexOf(".") + 1)
  if (/^[A-Z]/.test(type) && !namedClasses.has(type) && !castable.has(type) && !isEnumName(type)) {
    throw context.failAt(start, noCode(`scripts do not have the class ${written}`))
  }
  context.enterOperand()
  context.position += whole.length
  const operand = context.readOperand(context, anything, 0)
  context.leaveOperand()
  context.kind = Kind.variable
  context.calculates = true
  return new CastExpression(start, operand, `${type}${array}`, true)
}

/** Classes of casts besides those that scripts name otherwise. */
const castable: ReadonlySet<string> = new Set([
  "Entry",
  "Traversal",
  "GraphTraversal",
  "GraphTraversalSource",
  "Path",
  "BulkSet",
  // JanusGraph's interfaces. A cast to one that scripts cannot tell from others keeps the value.
  ...["JanusGraph", "JanusGraphManagement", "JanusGraphTransaction", "JanusGraphElement", "JanusGraphVertex"],
  ...["JanusGraphEdge", "JanusGraphRelation", "JanusGraphVertexProperty", "JanusGraphProperty", "JanusGraphIndex"],
  ...[
    "RelationTypeIndex",
    "PropertyKeyMaker",
    "EdgeLabelMaker",
    "VertexLabelMaker",
    "SchemaManager",
    "SchemaInspector"
  ],
  ...[
    "TransactionBuilder",
    "JanusGraphQuery",
    "JanusGraphVertexQuery",
    "JanusGraphSchemaElement",
    "JanusGraphSchemaType"
  ],
  "Transaction"
])
