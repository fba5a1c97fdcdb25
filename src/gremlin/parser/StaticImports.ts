import { closest } from "../../structure/characters/Spelling.ts"
import { lastPart } from "../../structure/scalars/ClassNames.ts"
import { cardinalities, janusGraphConstants } from "./JanusGraphEnums.ts"

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
  ...{ log1p: one, expm1: one, signum: one, toRadians: one, toDegrees: one, sinh: one, cosh: one, tanh: one },
  ...{ sin: one, cos: one, tan: one, asin: one, acos: one, atan: one, atan2: two, hypot: two, pow: two, copySign: two },
  ...{ min: two, max: two, floorDiv: two, floorMod: two, addExact: two, subtractExact: two, multiplyExact: two },
  ...{ incrementExact: one, decrementExact: one, negateExact: one, toIntExact: one, random: none }
}

/** The name of a method of java.lang.Math that scripts have. */
export type MathMethod = keyof typeof mathMethods

/**
 * The static methods that scripts can call without their class, by class. A method is not here if a step or a predicate takes as
 * many arguments: `format('x')` stays the step.
 */
export const staticMethods: { readonly [className: string]: { readonly [method: string]: Counts } } = {
  "java.lang.Math": mathMethods,
  "java.lang.Double": { parseDouble: one, valueOf: one, isNaN: one, isInfinite: one, compare: two },
  "java.lang.Integer": {
    ...{ parseInt: oneOrTwo, valueOf: oneOrTwo, signum: one, compare: two, bitCount: one },
    ...{ toString: oneOrTwo, toBinaryString: one, toHexString: one }
  },
  "java.lang.Long": { parseLong: oneOrTwo, valueOf: oneOrTwo, signum: one, compare: two, bitCount: one },
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
  "java.util.UUID": { randomUUID: none, fromString: one },
  "java.util.stream.Collectors": {
    ...{ toList: none, toUnmodifiableList: none, toSet: none, toUnmodifiableSet: none, counting: none },
    ...{ joining: [0, 3], mapping: two, groupingBy: [1, 3], partitioningBy: oneOrTwo, toMap: [2, 3] },
    ...{
      summingInt: one,
      summingLong: one,
      summingDouble: one,
      averagingInt: one,
      averagingLong: one,
      averagingDouble: one
    }
  }
}

const inPackage = (owner: string, classes: Record<string, ReadonlyArray<string>>) =>
  Object.fromEntries(Object.entries(classes).map(([name, constants]) => [`${owner}.${name}`, constants]))

const inDays = "NANOSECONDS MICROSECONDS MILLISECONDS SECONDS MINUTES HOURS DAYS"

const { Cmp, ConsistencyModifier, Contain, Geo, Mapping, Multiplicity, SchemaAction, SchemaStatus, Text } =
  janusGraphConstants

/** Constants of classes that `import static CLASS.*` names, besides those of Gremlin's enumerations. */
const staticConstants: { readonly [className: string]: ReadonlyArray<string> } = {
  ...inPackage("org.janusgraph.core", { Cardinality: cardinalities, Multiplicity }),
  ...inPackage("org.janusgraph.core.attribute", { Cmp, Contain, Geo, Text }),
  ...inPackage("org.janusgraph.core.schema", { ConsistencyModifier, Mapping, SchemaAction, SchemaStatus }),
  "java.lang.Math": ["PI", "E"],
  "java.lang.Integer": ["MIN_VALUE", "MAX_VALUE"],
  "java.lang.Long": ["MIN_VALUE", "MAX_VALUE"],
  "java.util.concurrent.TimeUnit": inDays.split(" "),
  "java.time.temporal.ChronoUnit":
    "NANOS MICROS MILLIS SECONDS MINUTES HOURS HALF_DAYS DAYS WEEKS MONTHS YEARS DECADES CENTURIES".split(" "),
  "java.time.DayOfWeek": "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY".split(" ")
}

/** True for `*` of a class whose constants are listed here, and for one of these constants. */
export const isStaticConstant = (className: string, member: string): boolean =>
  Object.hasOwn(staticConstants, className) && (member === "*" || staticConstants[className]!.includes(member))

/** Classes of dates, whose constants and methods are not listed here: `of` is one of them. */
const datesWithOf = /^java\.time\.(Local|Offset|Zoned|Day|Month|Zone|Duration)/

/** A static method that a name alone means. */
export interface ImportedMethod {
  /** Full name of its class. */
  readonly className: string
  /** Its name in the class, if the import has given it another one. */
  readonly method?: string
  /** True if a static import of the script names it. */
  readonly isOfScript?: boolean
  readonly counts: Counts
}

/** The static methods that scripts can call without their class, by name. */
export type StaticImports = ReadonlyMap<string, ReadonlyArray<ImportedMethod>>

/** A constant that a name alone means. */
export interface ImportedConstant {
  /** Full name of its class. */
  readonly className: string
  readonly constant: string
  /** True for an import of `*`, which does not name the constant. */
  readonly isEach: boolean
}

/** What a static import of a script adds to the names that the script calls and reads. */
export interface StaticMembers {
  /** True for `*`. A name that an import gives alone comes before it, and so does that of an earlier `*`. */
  readonly isEach: boolean
  readonly methods: ReadonlyArray<readonly [name: string, method: ImportedMethod]>
  /** Names of constants, with the names in their class. */
  readonly constants: ReadonlyArray<readonly [name: string, constant: string]>
}

/** A name of a constant of Java. */
const constantName = /^[A-Z][A-Z\d_]*$|^NaN$/

/**
 * What `import static CLASS.member as alias` adds; the text of a problem if scripts do not have the member. `*` adds all members, for
 * the classes whose members are known here. Another class has any number of arguments, and a call of it finds whether it exists.
 */
export const staticMembersOf = (className: string, member: string, alias: string): StaticMembers | string => {
  const methods = Object.hasOwn(staticMethods, className) ? staticMethods[className]! : undefined
  const constants = Object.hasOwn(staticConstants, className) ? staticConstants[className]! : []
  const simple = lastPart(className)
  if (member === "*") {
    if (methods === undefined && constants.length === 0) {
      const example = datesWithOf.test(className) ? `, such as import static ${className}.of` : ""
      return `the members of ${simple} need its class name, or an import of each${example}`
    }
    const all = Object.entries(methods ?? {}).map(
      ([name, counts]) => [name, { className, counts, isOfScript: true }] as const
    )
    return { isEach: true, methods: all, constants: constants.map((name) => [name, name] as const) }
  }
  if (constantName.test(member)) return { isEach: false, methods: [], constants: [[alias, member]] }
  if (methods !== undefined && !Object.hasOwn(methods, member)) {
    const near = closest(member, Object.keys(methods))
    return `scripts have no method ${member}() of ${simple} without its class${near === undefined ? "" : `; did you mean ${near}?`}`
  }
  const counts = methods?.[member] ?? many(0)
  return { isEach: false, methods: [[alias, { className, method: member, counts, isOfScript: true }]], constants: [] }
}

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
