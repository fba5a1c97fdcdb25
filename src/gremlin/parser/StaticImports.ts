import { closest } from "../../structure/Spelling.ts"

/** Numbers of arguments that a method takes. */
type Counts = readonly [least: number, most: number]

const none: Counts = [0, 0]
const one: Counts = [1, 1]
const two: Counts = [2, 2]
const oneOrTwo: Counts = [1, 2]
const many = (least: number): Counts => [least, Number.POSITIVE_INFINITY]

/** The methods of java.lang.Math that scripts have. */
const mathMethods = {
  ...{ abs: one, ceil: one, floor: one, rint: one, round: one, sqrt: one, cbrt: one, exp: one, log: one, log10: one },
  ...{ sin: one, cos: one, tan: one, asin: one, acos: one, atan: one, signum: one, toRadians: one, toDegrees: one },
  ...{ atan2: two, hypot: two, pow: two, min: two, max: two, floorMod: two, random: none }
}

/** The name of a method of java.lang.Math that scripts have. */
export type MathMethod = keyof typeof mathMethods

/**
 * The static methods that scripts can call without their class, by class. A method is not here if a step or a predicate takes as
 * many arguments: `format('x')` stays the step.
 */
export const staticMethods: { readonly [className: string]: { readonly [method: string]: Counts } } = {
  "java.lang.Math": mathMethods,
  "java.lang.Double": { parseDouble: one, valueOf: one, isNaN: one, isInfinite: one },
  "java.lang.Integer": {
    ...{ parseInt: oneOrTwo, valueOf: oneOrTwo, signum: one, compare: two },
    ...{ toString: oneOrTwo, toBinaryString: one, toHexString: one }
  },
  "java.lang.Long": { parseLong: oneOrTwo, valueOf: oneOrTwo },
  "java.lang.String": { valueOf: one, format: many(2), join: many(2) },
  "java.lang.System": { currentTimeMillis: none, nanoTime: none },
  "java.util.Arrays": { asList: many(0) },
  "java.util.Collections": {
    ...{ emptyList: none, emptyMap: none, emptySet: none, singleton: one, singletonList: one, singletonMap: two },
    ...{ sort: one, reverse: one, swap: [3, 3], nCopies: two, frequency: two }
  },
  "java.util.Objects": {
    ...{ equals: two, hashCode: one, hash: many(0), toString: oneOrTwo },
    ...{ requireNonNull: one, requireNonNullElse: two, isNull: one, nonNull: one }
  },
  "java.util.UUID": { randomUUID: none, fromString: one }
}

/** A static method that a name alone means. */
export interface ImportedMethod {
  /** Full name of its class. */
  readonly className: string
  readonly counts: Counts
}

/** The static methods that scripts can call without their class, by name. */
export type StaticImports = ReadonlyMap<string, ReadonlyArray<ImportedMethod>>

/** An import of `methodImports`: all methods of a class if `method` is `*`. */
interface WrittenImport {
  readonly className: string
  readonly method: string
}

/** Reads `java.lang.Math#*`, `java.lang.Math#abs` or `java.lang.Integer#parseInt(java.lang.String)`. Undefined for other text. */
const readWritten = (written: string): WrittenImport | undefined => {
  const [, className, method] = /^\s*([\w$.]+)\s*#\s*(\*|[\w$]+\s*(?=\(|$))(?:\([\w$.,\s]*\))?\s*$/.exec(written) ?? []
  return className === undefined || method === undefined ? undefined : { className, method: method.trim() }
}

/** What is wrong with an import of `methodImports`. `isMalformed`: it names no method, of any class. */
interface ImportProblem {
  readonly isMalformed: boolean
  readonly problem: string
}

/** The problem of an import of `methodImports`; undefined if scripts have its methods. */
export const importProblem = (written: string): ImportProblem | undefined => {
  const read = readWritten(written)
  if (read === undefined) {
    const problem = `'${written}' names no method: write CLASS#METHOD, or CLASS#* for all methods, such as java.lang.Math#*`
    return { isMalformed: true, problem }
  }
  const { className, method } = read
  if (!Object.hasOwn(staticMethods, className)) {
    const near = closest(className, Object.keys(staticMethods))
    const instead =
      near === undefined ? `those of ${Object.keys(staticMethods).join(", ")} can be imported` : `did you mean ${near}?`
    return {
      isMalformed: false,
      problem: `scripts have no static methods of the class ${className} without its name; ${instead}`
    }
  }
  const methods = staticMethods[className]!
  if (method === "*" || Object.hasOwn(methods, method)) return undefined
  const near = closest(method, Object.keys(methods))
  const instead = near === undefined ? "" : `; did you mean ${near}?`
  return {
    isMalformed: false,
    problem: `scripts have no method ${method}() of ${className} without its class${instead}`
  }
}

/** The static methods of several imports of `methodImports`. Skips those with an {@link importProblem}. */
export const staticImportsOf = (imports: ReadonlyArray<string>): StaticImports => {
  const found = new Map<string, ReadonlyArray<ImportedMethod>>()
  for (const written of new Set(imports)) {
    const { className, method: only } = readWritten(written) ?? { className: "", method: "" }
    const methods = Object.hasOwn(staticMethods, className) ? staticMethods[className]! : {}
    for (const [method, counts] of Object.entries(methods)) {
      if (only !== "*" && only !== method) continue
      found.set(method, [...(found.get(method) ?? []), { className, counts }])
    }
  }
  return found
}
