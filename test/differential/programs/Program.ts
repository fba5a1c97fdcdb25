import { Random } from "../../fuzz/Random.ts"
import { expression, Names, type ValueType } from "./Expressions.ts"

const TYPES: ReadonlyArray<ValueType> = ["int", "int", "text", "bool", "double", "list", "list", "texts", "map"]
/** Levels of operands in an expression, and of blocks in a statement. */
const DEPTH = 2
const MAX_STATEMENTS = 7

const indented = (statements: ReadonlyArray<string>): string =>
  statements
    .join("\n")
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")

type Make = (names: Names, depth: number) => string

const block = (names: Names, depth: number): string => {
  const inner = names.inner()
  const count = 1 + names.random.below(2)
  return `{\n${indented(Array.from({ length: count }, () => statement(inner, depth - 1)))}\n}`
}

const declaration: Make = (names) => {
  const type = names.random.one(TYPES)
  const name = names.fresh("v")
  const value = expression(names, type, DEPTH)
  names.add(name, type)
  return `def ${name} = ${value}`
}

/** Changes a variable, or declares one where there is none. */
const change: Make = (names, depth) => {
  const { random } = names
  const type = random.one(TYPES)
  // The variable of a for is read only here, so that every loop ends.
  const variables = names.of(type).filter((name) => name.startsWith("v"))
  if (variables.length === 0) return declaration(names, depth)
  const name = random.one(variables)
  const of = (other: ValueType): string => expression(names, other, DEPTH - 1)
  switch (type) {
    case "int":
      return random.one([`${name} = ${of("int")}`, `${name} += ${of("int")}`, `${name}++`, `${name} -= 1`])
    case "list":
      return random.one([
        `${name} = ${of("list")}`,
        `${name} << ${of("int")}`,
        `${name} += ${of("list")}`,
        `${name}[0..1] = ${of("list")}`,
        `${name}[-1] = ${of("int")}`,
        `${name}[0, 1] = [${of("int")}, ${of("int")}]`
      ])
    case "texts":
      return random.one([`${name} = ${of("texts")}`, `${name} << ${of("text")}`, `${name}.add(${of("text")})`])
    case "map":
      return random.one([
        `${name}[${of("text")}] = ${of("int")}`,
        `${name}.put(${of("text")}, ${of("int")})`,
        `${name}.a = ${of("int")}`,
        `${name} = ${of("map")}`,
        `${name}.merge(${of("text")}, ${of("int")}) { x, y -> x + y }`,
        `${name}.compute(${of("text")}) { x, y -> y == null ? 1 : y - 1 }`,
        `${name}.computeIfAbsent(${of("text")}) { it.length() }`,
        `${name}.keySet().removeAll([${of("text")}])`,
        `${name}.replaceAll { x, y -> y * 2 }`,
        `${name}.each { it.value += 1 }`,
        `for (x in ${name}) x.value = ${of("int")}`,
        `${name}.entrySet().removeIf { it.value > ${of("int")} }`
      ])
    default:
      return `${name} = ${of(type)}`
  }
}

/** Declares two variables by one value, or swaps two. */
const several: Make = (names) => {
  const { random } = names
  const variables = names.of("int").filter((name) => name.startsWith("v"))
  if (variables.length > 1 && random.chance(0.5)) {
    const [first = "", second = ""] = [random.one(variables), random.one(variables)]
    return `(${first}, ${second}) = [${second}, ${first}]`
  }
  const [one, other] = [names.fresh("v"), names.fresh("v")]
  const values = random.chance(0.5)
    ? `[${expression(names, "int", DEPTH - 1)}, ${expression(names, "int", DEPTH - 1)}]`
    : expression(names, "list", DEPTH - 1)
  names.add(one, "int")
  names.add(other, "int")
  return `def (${one}, ${other}) = ${values}`
}

const condition: Make = (names, depth) => {
  const test = expression(names, names.random.one(["bool", "bool", "int", "text", "list"]), DEPTH - 1)
  const otherwise = names.random.chance(0.5) ? ` else ${block(names, depth)}` : ""
  return `if (${test}) ${block(names, depth)}${otherwise}`
}

const loop: Make = (names, depth) => {
  const { random } = names
  const inner = names.inner()
  const name = inner.fresh("i")
  const kind = random.below(5)
  if (kind === 0) {
    inner.add(name, "int")
    return `for (int ${name} = 0; ${name} < ${1 + random.below(5)}; ${name}++) ${block(inner, depth)}`
  }
  if (kind === 1) {
    const items = expression(names, "list", DEPTH - 1)
    inner.add(name, "int")
    const stop = random.chance(0.4)
      ? `\n  if (${expression(inner, "bool", 1)}) ${random.one(["break", "continue"])}`
      : ""
    const type = random.chance(0.3) ? `${random.one(["int", "long", "Number", "short"])} ` : ""
    return `for (${type}${name} in ${items}) {${stop}\n  ${statement(inner, depth - 1).replaceAll("\n", "\n  ")}\n}`
  }
  if (kind === 2) {
    const body = block(inner, depth).slice(2)
    return `def ${name} = 0\nwhile (${name} < ${1 + random.below(4)}) {\n  ${name}++\n${body}`
  }
  if (kind === 3) {
    const items = expression(names, "list", DEPTH - 1)
    inner.add(name, "int")
    return `(${items}).each { ${name} ->\n  ${statement(inner, depth - 1).replaceAll("\n", "\n  ")}\n}`
  }
  const items = expression(names, "map", DEPTH - 1)
  const key = inner.fresh("k")
  inner.add(key, "text")
  inner.add(name, "int")
  return `(${items}).each { ${key}, ${name} ->\n  ${statement(inner, depth - 1).replaceAll("\n", "\n  ")}\n}`
}

const choice: Make = (names, depth) => {
  const cases = Array.from({ length: 1 + names.random.below(3) }, () => {
    const label = names.random.one([
      () => expression(names, "int", 0),
      () => expression(names, "text", 0),
      () => expression(names, "list", 0),
      () => "Integer",
      () => "2..5"
    ])()
    return `case ${label}:\n  ${statement(names.inner(), depth - 1).replaceAll("\n", "\n  ")}${names.random.chance(0.7) ? "\n  break" : ""}`
  })
  const last = names.random.chance(0.5)
    ? `\ndefault:\n  ${statement(names.inner(), depth - 1).replaceAll("\n", "\n  ")}`
    : ""
  return `switch (${expression(names, names.random.one(["int", "text"]), 1)}) {\n${cases.join("\n")}${last}\n}`
}

const attempt: Make = (names, depth) => {
  const throws = names.random.chance(0.6)
    ? `\n  if (${expression(names, "bool", 1)}) throw new ${names.random.one(["RuntimeException", "IllegalStateException", "IllegalArgumentException"])}(${expression(names, "text", 1)})`
    : `\n  ${names.random.one(["def z = 1.intdiv(0)", "def z = null; z.length()", "def z = 'x' as int", "def z = [1][5]"])}`
  const caught = names.fresh("e")
  const inner = names.inner()
  const type = names.random.one(["Exception", "RuntimeException", "IllegalStateException | IllegalArgumentException"])
  const final = names.random.chance(0.3) ? ` finally ${block(names, depth)}` : ""
  return `try {${throws}\n  ${statement(inner, depth - 1).replaceAll("\n", "\n  ")}\n} catch (${type} ${caught}) ${block(names, depth)}${final}`
}

const definition: Make = (names, depth) => {
  // The reference keeps functions of earlier programs, so that each program needs names of its own.
  const name = names.fresh(`f${names.suffix}x`)
  const inner = new Names(names.random)
  inner.add("n", "int")
  const early = names.random.chance(0.4)
    ? `\n  if (${expression(inner, "bool", 1)}) return ${expression(inner, "int", 1)}`
    : ""
  const recursive = depth > 0 && names.random.chance(0.3) ? `\n  if (n > 0) return n + ${name}(n - 1)` : ""
  const { random } = names
  const result = random.one(["def", "def", "int", "long", "short", "Integer", "Number"])
  const parameter = random.one(["", "", "long ", "Number ", "Object "])
  const body = `${result} ${name}(${parameter}n) {${early}${recursive}\n  ${expression(inner, "int", DEPTH)}\n}`
  names.functions.push(name)
  if (!random.chance(0.3)) return body
  const other = random.one(["Integer", "Long", "Comparable"])
  return `${body}\ndef ${name}(${other} n) {\n  ${expression(inner, "int", 1)}\n}`
}

const closure: Make = (names) => {
  const name = names.fresh("f")
  const inner = names.inner()
  inner.add("n", "int")
  const body = `def ${name} = { n -> ${expression(inner, "int", DEPTH)} }`
  names.functions.push(name)
  return body
}

const statements: ReadonlyArray<Make> = [
  declaration,
  change,
  change,
  change,
  condition,
  condition,
  loop,
  loop,
  choice,
  attempt
]

const statement = (names: Names, depth: number): string =>
  depth <= 0 ? change(names, 0) : names.random.one(statements)(names, depth)

/** A program: its statements, and the list of all its outermost variables, which is its result. */
export interface Program {
  readonly statements: ReadonlyArray<string>
  readonly result: ReadonlyArray<string>
}

/** The program with a number in the run with a seed. Equal arguments give equal programs. */
export const programOf = (seed: number, number: number): Program => {
  const names = new Names(new Random(seed, number), undefined, number)
  const { random } = names
  const written: Array<string> = []
  if (random.chance(0.4)) written.push(definition(names, DEPTH))
  if (random.chance(0.3)) written.push(closure(names, DEPTH))
  written.push(declaration(names, DEPTH), declaration(names, DEPTH))
  for (let count = random.below(MAX_STATEMENTS); count > 0; count--) {
    const make = random.chance(0.3) ? declaration : random.chance(0.15) ? several : statement
    written.push(make(names, DEPTH))
  }
  return { statements: written, result: names.all.filter((name) => name.startsWith("v")) }
}

/** The text of a program. */
export const programText = ({ statements, result }: Program): string =>
  [...statements, `[${result.join(", ")}]`].join("\n")

/** Programs with one statement, or one variable of the result, less. */
export const smallerPrograms = (program: Program): ReadonlyArray<Program> => [
  // The reference keeps functions, so that a program without its function would still work there.
  ...program.statements.flatMap((text, index) =>
    /^[A-Za-z]+ f\d+x/.test(text) ? [] : [{ ...program, statements: program.statements.toSpliced(index, 1) }]
  ),
  ...(program.result.length < 2
    ? []
    : program.result.map((_, index) => ({ ...program, result: program.result.toSpliced(index, 1) })))
]
