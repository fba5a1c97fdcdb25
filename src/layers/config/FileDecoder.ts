import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { FileSchema, type FileSettings } from "./Fields.ts"
import { aliases } from "./Legacy.ts"
import type { Report } from "./Report.ts"
import { suggestion } from "./Suggestions.ts"
import { type Path, type Tree, withoutValue } from "./Tree.ts"

const decode = Schema.decodeUnknownEither(FileSchema, { errors: "all", onExcessProperty: "error" })

/** The schema of the value at a path. */
const schemaAt = (ast: AST.AST, path: Path): AST.AST | undefined => {
  const [part, ...rest] = path
  if (AST.isTransformation(ast)) return schemaAt(ast.from, path)
  if (AST.isUnion(ast)) {
    const members = ast.types.map((type) => schemaAt(type, path))
    return members.find((type) => type !== undefined)
  }
  if (part === undefined) return ast
  if (AST.isTupleType(ast) && ast.rest[0] !== undefined) return schemaAt(ast.rest[0].type, rest)
  if (!AST.isTypeLiteral(ast)) return undefined
  const property = ast.propertySignatures.find((signature) => signature.name === part)
  const type = property?.type ?? ast.indexSignatures[0]?.type
  return type === undefined ? undefined : schemaAt(type, rest)
}

/** The settings of a block, with their other names. */
export const settingsBelow = (path: Path): ReadonlyArray<string> => {
  const ast = schemaAt(FileSchema.ast, path)
  const names = ast !== undefined && AST.isTypeLiteral(ast) ? ast.propertySignatures.map((one) => String(one.name)) : []
  return path.length === 0 ? [...names, ...[...aliases.keys()].map((alias) => alias.split(".")[0] ?? "")] : names
}

/** A decoded tree, and the paths of the wrong values that were left out. */
interface DecodedTree {
  readonly settings: FileSettings
  readonly wrong: ReadonlyArray<Path>
}

/**
 * Decodes a tree and reports every unknown name and wrong value. The rest is decoded, too, so that later checks can report
 * their problems at the same time.
 */
export const decodeTree = (tree: Tree, report: Report): DecodedTree => {
  const result = decode(tree)
  if (Either.isRight(result)) return { settings: result.right, wrong: [] }
  const wrong: Array<Path> = []
  for (const issue of ParseResult.ArrayFormatter.formatErrorSync(result.left)) {
    const path = issue.path.filter((part) => typeof part !== "symbol")
    const name = String(path.at(-1) ?? "")
    // An entry with a missing part is left out as a whole.
    wrong.push(issue._tag === "Missing" ? path.slice(0, -1) : path)
    if (issue._tag === "Unexpected") {
      report.fail(path, `there is no such setting${suggestion(name, settingsBelow(path.slice(0, -1)))}`)
    } else if (issue._tag === "Missing") report.fail(path, "is missing")
    else if (isOwnMessage(issue.message)) report.fail(path, issue.message)
    else report.fail(path, describeShape(path))
  }
  // From the last to the first, so that list positions stay valid.
  const rest = wrong.toReversed().reduce(withoutValue, tree)
  return { settings: Either.getOrElse(decode(rest), () => ({})), wrong }
}

/** True for messages of Scalars.ts. All others are about the shape of blocks and lists. */
const isOwnMessage = (message: string): boolean => /^must |is not known here/.test(message)

/** The expected shape of a value, for messages. */
const describeShape = (path: Path): string => {
  const ast = schemaAt(FileSchema.ast, path)
  if (ast !== undefined && AST.isTupleType(ast)) return "must be a list"
  const names = settingsBelow(path)
  return names.length === 0 ? "must be a map" : `must be a map with ${names.join(", ")}`
}
