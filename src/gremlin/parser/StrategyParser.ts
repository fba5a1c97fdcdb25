import { Instruction, StrategySpec } from "../../process/language/Bytecode.ts"
import { anything, Kind } from "../../process/language/Kinds.ts"
import { ClassName } from "../../structure/scalars/ClassNames.ts"
import { readAnyArguments } from "./ArgumentParser.ts"
import { COLON, COMMA, DOT, LEFT_PAREN, RIGHT_PAREN } from "./Characters.ts"
import { namedClasses, packageRoots } from "./Names.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, opens, peekName, unexpected } from "./Scanner.ts"
import { readQualifiedName } from "./TypeNames.ts"
import { asData, useVariable } from "./Variables.ts"

// Strategies, in the notation of gremlin-lang and in that of Java.

/**
 * Reads the arguments of withStrategies(), withoutStrategies() or withComputer(computer), which is a strategy as well; undefined for
 * other calls. The position is at `(`.
 */
export const readStrategies = (context: ParseContext, method: string): Instruction | undefined => {
  if (method === "withStrategies")
    return new Instruction(
      method,
      readList(context, () => readStrategy(context))
    )
  if (method === "withoutStrategies") {
    return new Instruction(
      method,
      readList(context, () => new ClassName(readStrategyName(context)))
    )
  }
  if (method !== "withComputer" || isCallWithoutArguments(context)) return undefined
  return new Instruction(
    "withStrategies",
    readList(context, () => readComputer(context))
  )
}

const isCallWithoutArguments = (context: ParseContext): boolean => {
  const { position } = context
  context.position++
  const isEmpty = context.skip() === RIGHT_PAREN
  context.position = position
  return isEmpty
}

/** Reads `Computer.compute().vertices(...).workers(4)`, or the class of a graph computer, which has no effect. */
const readComputer = (context: ParseContext): StrategySpec => {
  context.skip()
  const start = context.position
  const name = readStrategyName(context)
  const configuration = new Map<string, unknown>()
  if (name === "Computer" && context.skip() === DOT) readBuilder(context, configuration)
  else if (!name.endsWith("GraphComputer")) {
    throw context.failAt(
      start,
      "withComputer() takes nothing, a graph computer, or Computer.compute() with vertices() and edges(). " +
        "In withStrategies() the same options are VertexProgramStrategy(vertices: __.hasLabel('a'))"
    )
  }
  // They give the class of a graph computer, and its own options.
  configuration.delete("compute")
  configuration.delete("configure")
  return new StrategySpec("VertexProgramStrategy", configuration)
}

/** Reads at least one item in parentheses. Lists of strategies are short, so no time slice ends inside one. */
const readList = <A>(context: ParseContext, item: () => A): Array<A> => {
  context.position++
  context.enter()
  const items = [item()]
  while (context.skip() === COMMA) {
    context.position++
    // gremlin-lang allows a comma before the parenthesis.
    if (context.skip() === RIGHT_PAREN) break
    items.push(item())
  }
  expect(context, RIGHT_PAREN, "',' or ')' after a strategy")
  context.leave()
  return items
}

/** Reads `Name`, `Name(key: value)`, `new Name(...)`, `Name.instance()`, `Name.build().key(value).create()`, or a variable. */
const readStrategy = (context: ParseContext): unknown => {
  context.skip()
  const start = context.position
  if (isVariable(context)) return useVariable(context, context.readName(), start)
  const name = readStrategyName(context)
  const configuration = new Map<string, unknown>()
  const code = context.skip()
  if (code === LEFT_PAREN) readConfiguration(context, configuration)
  else if (code === DOT) readBuilder(context, configuration)
  return new StrategySpec(name, configuration)
}

/** True for a declared name, and for one that begins in lower case and is neither `new` nor a package: a variable of the session. */
const isVariable = (context: ParseContext): boolean => {
  const name = peekName(context)
  if (context.isDeclared(name)) return true
  return /^[a-z_$]/.test(name) && name !== "new" && !packageRoots.has(name)
}

/** True for the name of a strategy, which begins a value of a script: `x = ReadOnlyStrategy.instance()`. */
export const isStrategyName = (name: string): boolean => /^[A-Z]\w*Strategy$/.test(name) && !namedClasses.has(name)

/** Reads a strategy as a value. `start` is the offset of `new` or of its name. */
export const readStrategyValue = (context: ParseContext, start: number): StrategySpec => {
  context.position = start
  const strategy = readStrategy(context) as StrategySpec
  context.kind = Kind.variable
  return strategy
}

const readStrategyName = (context: ParseContext): string => {
  context.skip()
  if (peekName(context) === "new") context.readName()
  const name = readQualifiedName(context)
  if (name === "") throw unexpected(context, "the name of a strategy")
  if (context.skip() === DOT && context.text.startsWith(".class", context.position)) context.position += 6
  return name
}

const readConfiguration = (context: ParseContext, configuration: Map<string, unknown>): void => {
  context.position++
  context.enter()
  for (let first = true; context.skip() !== RIGHT_PAREN; first = false) {
    if (!first) expect(context, COMMA, "',' or ')' in the configuration of a strategy")
    context.skip()
    const key = context.readName()
    if (key === "") throw unexpected(context, "a key of the strategy's configuration")
    expect(context, COLON, "':' after a key of the strategy's configuration")
    const computer = computerMethods.has(key) ? readClassBefore(context) : undefined
    configuration.set(key, computer ?? asData(context, context.readExpression(context, anything, 0)))
  }
  context.position++
  context.leave()
}

/** The name of a class that is the whole of an argument, which may have a package. */
const ONLY_CLASS = /(?:[a-z]\w*\s*\.\s*)*[A-Z]\w*(?:\s*\.\s*class)?(?=\s*[,)])/y

/**
 * Reads the name of a class before `,` or `)`. Undefined for another value, and for a variable. Graph computers have no effect, so that
 * scripts need not have their classes.
 */
const readClassBefore = (context: ParseContext): string | undefined => {
  context.skip()
  ONLY_CLASS.lastIndex = context.position
  return ONLY_CLASS.test(context.text) && !context.isDeclared(peekName(context)) ? readStrategyName(context) : undefined
}

/** Reads `(X)` where X is a class. Undefined, at the same position, for other arguments. */
const readClassArgument = (context: ParseContext): string | undefined => {
  const { position } = context
  context.position++
  const name = readClassBefore(context)
  if (name !== undefined && context.skip() === RIGHT_PAREN) {
    context.position++
    return name
  }
  context.position = position
  return undefined
}

/** Options and methods that take the class of a graph computer. */
const computerMethods: ReadonlySet<string> = new Set(["compute", "graphComputer"])

/** Reads `(Computer.compute()...)`, whose options replace the earlier ones. */
const replaceOptions = (context: ParseContext, configuration: Map<string, unknown>): void => {
  const [computer] = readList(context, () => readComputer(context))
  configuration.clear()
  for (const [key, value] of computer!.configuration) configuration.set(key, value)
}

/** Reads Java's builder of a strategy: `.build().key(value).create()`. */
const readBuilder = (context: ParseContext, configuration: Map<string, unknown>): void => {
  while (context.skip() === DOT) {
    context.position++
    context.skip()
    const at = context.position
    const name = context.readName()
    if (name === "" || !opens(context)) throw unexpected(context, "a method of the strategy's builder")
    if (name === "computer") {
      replaceOptions(context, configuration)
      continue
    }
    const option = constants.has(name)
      ? readConstant(context)
      : computerMethods.has(name)
        ? readClassArgument(context)
        : undefined
    if (option !== undefined) {
      configuration.set(name, option)
      continue
    }
    const args = readAnyArguments(context, name).map((arg) => asData(context, arg))
    if (name === "build" || name === "create" || name === "instance") {
      if (args.length > 0) throw context.failAt(at, `${name}() of a strategy takes no argument`)
    } else configuration.set(name, args.length === 0 ? true : args.length === 1 ? args[0] : args)
  }
}

/** Methods of builders that take a constant of an enumeration. */
const constants: ReadonlySet<string> = new Set(["persist", "result"])

/** Reads `(NEW)` or `(GraphComputer.ResultGraph.NEW)`. */
const readConstant = (context: ParseContext): string => {
  context.position++
  let name = readQualifiedName(context)
  while (context.skip() === DOT) {
    context.position++
    name = readQualifiedName(context)
  }
  expect(context, RIGHT_PAREN, "')' after a constant")
  return name
}
