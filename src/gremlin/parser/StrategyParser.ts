import { StrategySpec } from "../../process/language/Bytecode.ts"
import { ClassName } from "../../structure/Temporal.ts"
import { COLON, COMMA, DOT, LEFT_PAREN, RIGHT_PAREN } from "./Characters.ts"
import { anything } from "./Kinds.ts"
import { packageRoots } from "./Names.ts"
import { PredicateParser } from "./PredicateParser.ts"

/** Strategies, in the spelling of gremlin-lang and in that of Java. */
export abstract class StrategyParser extends PredicateParser {
  /** The arguments of withStrategies() or withoutStrategies(); undefined for other methods. The position is at `(`. */
  protected strategies(method: string): Array<unknown> | undefined {
    if (method === "withStrategies") return this.#list(() => this.#strategy())
    return method === "withoutStrategies" ? this.#list(() => new ClassName(this.#strategyName())) : undefined
  }

  /** Items in parentheses, at least one; lists of strategies are short and are not cut into slices. */
  #list<A>(item: () => A): Array<A> {
    this.position++
    this.enter()
    const items = [item()]
    while (this.skip() === COMMA) {
      this.position++
      items.push(item())
    }
    this.expect(RIGHT_PAREN, "',' or ')' after a strategy")
    this.leave()
    return items
  }

  /** `Name`, `Name(key: value)`, `new Name(...)`, `Name.instance()`, `Name.build().key(value).create()`, or a variable. */
  #strategy(): unknown {
    this.skip()
    const start = this.position
    const isVariable = this.declared.has(this.peekName())
    if (isVariable) return this.variable(this.name(), start)
    const name = this.#strategyName()
    const configuration = new Map<string, unknown>()
    const code = this.skip()
    if (code === LEFT_PAREN) this.#configuration(configuration)
    else if (code === DOT) this.#builder(configuration)
    return new StrategySpec(name, configuration)
  }

  #strategyName(): string {
    this.skip()
    if (this.peekName() === "new") this.name()
    const name = this.qualifiedName()
    if (name === "") throw this.unexpected("the name of a strategy")
    if (this.skip() === DOT && this.text.startsWith(".class", this.position)) this.position += 6
    return name
  }

  /** A name, with the package before it left out. "" when there is none. */
  protected qualifiedName(): string {
    this.skip()
    let name = this.name()
    if (!packageRoots.has(name)) return name
    while (/^[a-z]/.test(name) && this.skip() === DOT) {
      this.position++
      this.skip()
      name = this.name()
    }
    return name
  }

  #configuration(configuration: Map<string, unknown>): void {
    this.position++
    this.enter()
    for (let first = true; this.skip() !== RIGHT_PAREN; first = false) {
      if (!first) this.expect(COMMA, "',' or ')' in the configuration of a strategy")
      this.skip()
      const key = this.name()
      if (key === "") throw this.unexpected("a key of the strategy's configuration")
      this.expect(COLON, "':' after a key of the strategy's configuration")
      configuration.set(key, this.asData(this.expression(anything, 0)))
    }
    this.position++
    this.leave()
  }

  /** The Java way to make a strategy. */
  #builder(configuration: Map<string, unknown>): void {
    while (this.skip() === DOT) {
      this.position++
      this.skip()
      const at = this.position
      const name = this.name()
      if (name === "" || !this.opens()) throw this.unexpected("a method of the strategy's builder")
      const args = this.anyArguments(name).map((arg) => this.asData(arg))
      if (name === "build" || name === "create" || name === "instance") {
        if (args.length > 0) throw this.failAt(at, `${name}() of a strategy takes no argument`)
      } else configuration.set(name, args.length === 0 ? true : args.length === 1 ? args[0] : args)
    }
  }
}
