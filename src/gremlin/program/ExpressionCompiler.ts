import { Bytecode, Variable } from "../../process/language/Bytecode.ts"
import { GremlinSet } from "../../structure/collections/Collections.ts"
import { Detached } from "../../structure/elements/Element.ts"
import { Uuid } from "../../structure/scalars/Uuid.ts"
import { dateOfMillis } from "../../structure/times/Dates.ts"
import {
  type AnyExpression,
  type BinaryExpression,
  type BinaryOperator,
  Calculated,
  CastExpression,
  ChainExpression,
  Expression,
  type Link,
  type Operand,
  type Target
} from "../Script.ts"
import type { ClosureExpression } from "../Statement.ts"
import { addCounted } from "../script/arguments/Spread.ts"
import { visitVariables } from "../script/arguments/Substitution.ts"
import { constructed } from "../script/classes/Construction.ts"
import { MethodSite } from "../script/receivers/MethodSite.ts"
import { AssignCode, type TargetCode } from "./AssignCode.ts"
import { CallCode } from "./CallCode.ts"
import { CastCode } from "./CastCode.ts"
import { ChainCode, type LinkCode } from "./ChainCode.ts"
import { ofCommonType } from "./CommonTypes.ts"
import { ComputedCode } from "./ComputedCode.ts"
import { joined, mapOf } from "./ComputedValues.ts"
import { conditionOf, operandOf } from "./ConditionCode.ts"
import { isBoolean } from "./ConvertedCode.ts"
import type { Code } from "./Frame.ts"
import type { Names } from "./Names.ts"
import { BinaryCode, ConditionalCode, InstanceCode, UnaryCode } from "./OperatorCode.ts"
import { RangeCode } from "./RangeCode.ts"
import { FunctionReferenceCode, ReferenceCode } from "./ReferenceCode.ts"
import { SpreadCode } from "./SpreadCode.ts"
import { SourceCode, TraversalCode } from "./TraversalCode.ts"
import {
  AnonymousCode,
  BindingCode,
  ConstantCode,
  DataCode,
  isChangeable,
  LocalCode,
  OptionalCode
} from "./ValueCode.ts"

/** Prepares the body of a closure. It is given by the module that prepares statements. */
type ClosureCompiler = (closure: ClosureExpression, name: string, names: Names) => Code

/** Prepares expressions of one body for their runs. */
export class ExpressionCompiler {
  readonly names: Names
  readonly #closure: ClosureCompiler

  constructor(names: Names, closure: ClosureCompiler) {
    this.names = names
    this.#closure = closure
  }

  /** The code of an operand: data, a variable or an expression. */
  code(operand: Operand): Code {
    if (operand instanceof Expression) return this.#expression(operand as AnyExpression)
    if (typeof operand !== "object" || operand === null) return new ConstantCode(operand)
    if (operand instanceof Variable) return this.#variable(operand)
    const holes = this.#holes(operand)
    if (holes.length === 0 && operand instanceof Bytecode) return new AnonymousCode(operand)
    if (holes.length === 0 && !isChangeable(operand)) return new ConstantCode(operand)
    const { unit } = this.names
    return new DataCode(operand, holes, unit, unit.script.statements[0]?.position ?? 0)
  }

  /** The code of an operand whose truth is asked for. `position` is the place of an error of a traversal. */
  condition(operand: Operand, position: number): Code {
    return conditionOf(this.code(operand), this.names.unit, operand instanceof Expression ? operand.position : position)
  }

  #variable(variable: Variable): Code {
    if (variable instanceof Calculated) return this.code(variable.expression)
    const local = this.names.find(variable.name)
    if (local !== undefined) return new LocalCode(local)
    const { unit } = this.names
    return new BindingCode(variable.name, unit, unit.script.variables.get(variable.name) ?? 0)
  }

  /** The variables of data, each once, with the codes of their values. */
  #holes(data: unknown): ReadonlyArray<readonly [string, Code]> {
    const holes = new Map<string, Code>()
    visitVariables(data, (variable) => {
      if (!holes.has(variable.name)) holes.set(variable.name, this.#variable(variable))
    })
    return [...holes]
  }

  #expression(expression: AnyExpression): Code {
    const { position } = expression
    const { unit } = this.names
    switch (expression.kind) {
      case "traversal":
        return new TraversalCode(this.#spawned(expression.source, expression.bytecode, position), expression.terminal)
      case "source":
        return new SourceCode(this.#spawned(expression.source, expression.bytecode, position))
      case "chain":
        return new ChainCode(
          this.code(expression.root),
          expression.links.map((link) => this.#link(link)),
          unit
        )
      case "binary":
        return this.#binary(expression)
      case "unary":
        return expression.operator === "!"
          ? new UnaryCode("!", this.condition(expression.operand, position), unit, position)
          : new UnaryCode(expression.operator, this.code(expression.operand), unit, position)
      case "conditional":
        return new ConditionalCode(
          this.condition(expression.condition, position),
          ...ofCommonType(this.code(expression.whenTrue), this.code(expression.whenFalse), unit, position)
        )
      case "cast":
        return this.#cast(expression)
      case "instance":
        return new InstanceCode(this.code(expression.operand), expression.type, expression.isNegated, unit, position)
      case "range":
        return new RangeCode(
          this.code(expression.from),
          this.code(expression.to),
          expression.isInclusive,
          unit,
          position
        )
      case "closure":
        return this.#closure(expression, "", this.names)
      case "function call": {
        const args = expression.args.map((arg) => this.code(arg))
        return new CallCode(expression.name, this.names.find(expression.name), args, unit, position)
      }
      case "reference": {
        const { name, of } = expression
        if (of !== undefined) return new ReferenceCode(this.code(of), name, unit, position)
        return new FunctionReferenceCode(new CallCode(name, undefined, [], unit, position), name)
      }
      case "assign":
        return this.assignment(expression.statement)
      case "spread":
        return new SpreadCode(this.code(expression.operand), expression.isMap, unit, position)
      case "increment":
        return this.assignment(expression.statement, !expression.isPrefix)
      default:
        return this.#computed(expression)
    }
  }

  #binary({ first: left, position, rest: parts }: BinaryExpression): Code {
    const { unit } = this.names
    const of = (operand: Operand, operator: BinaryOperator, next: BinaryOperator | undefined, at: number): Code => {
      if (operator === "&&" || operator === "||") return this.condition(operand, at)
      return next === "?:" ? operandOf(this.code(operand), unit, at) : this.code(operand)
    }
    const rest = parts.map(({ operand, operator, position: at }, index) => ({
      operator,
      operand: of(operand, operator, parts[index + 1]?.operator, at),
      position: at
    }))
    const { operator } = parts[0]!
    const first = of(left, operator, operator, position)
    if (rest.length !== 1 || rest[0]!.operator !== "?:") return new BinaryCode(first, rest, unit)
    const [given, otherwise] = ofCommonType(first, rest[0]!.operand, unit, position)
    return new BinaryCode(given, [{ ...rest[0]!, operand: otherwise }], unit)
  }

  /** Expressions whose value is computed from the values of their parts. */
  #computed(
    expression: Extract<AnyExpression, { kind: "set" | "map" | "vertex" | "fresh" | "template" | "new" }>
  ): Code {
    const { unit } = this.names
    const { position } = expression
    const of = (parts: readonly Operand[], make: ConstructorParameters<typeof ComputedCode>[1]): Code =>
      new ComputedCode(
        parts.map((part) => this.code(part)),
        make,
        unit,
        position
      )
    switch (expression.kind) {
      case "set":
        return of(
          [expression.items],
          ([items], { runtime: { budget } }) => new GremlinSet(budget.keys(items as unknown[]))
        )
      case "map":
        return of(expression.entries.flat(), (values, { runtime: { budget } }) => {
          return mapOf(values, budget)
        })
      case "vertex":
        return of([expression.id, expression.label], ([id, label]) => new Detached().addVertex(id, String(label)))
      case "fresh":
        return of([], () => (expression.type === "datetime" ? dateOfMillis(Date.now()) : new Uuid(crypto.randomUUID())))
      case "template": {
        const holes = expression.holes.map((hole, at) => this.#hole(hole, expression.literals[at]!))
        return new ComputedCode(
          holes,
          (values, { runtime: { budget } }) => joined(expression.texts, values, budget),
          unit,
          position
        )
      }
      case "new":
        return of(expression.args, (values, { runtime: { budget } }) => {
          const args: Array<unknown> = []
          for (const value of values) addCounted(args, value, budget)
          return constructed(expression.type, args, budget)
        })
    }
  }

  /** The code of a hole in a string; see {@link TemplateExpression.literals}. */
  #hole(hole: Operand, literal: string): Code {
    const root = hole instanceof ChainExpression ? hole.root : hole
    const isLocal = root instanceof Variable && this.names.find(root.name) !== undefined
    if (literal === "" || isLocal || !(root instanceof Variable)) return this.code(hole)
    return new OptionalCode(root.name, this.code(hole), literal)
  }

  #spawned(source: string | Operand, bytecode: Bytecode, position: number) {
    const isName = typeof source === "string"
    return {
      name: isName ? source : undefined,
      source: isName ? this.#variable(new Variable(source)) : this.code(source),
      bytecode,
      holes: this.#holes(bytecode),
      unit: this.names.unit,
      position
    }
  }

  #link(link: Link): LinkCode {
    if (link.kind === "index") return { kind: "index", index: this.code(link.index), position: link.position }
    const common = { name: link.name, safe: link.safe, spreads: link.spreads === true, position: link.position }
    if (link.kind === "member") return { kind: "member", ...common }
    return { kind: "call", ...common, site: new MethodSite(link.name), args: link.args.map((arg) => this.code(arg)) }
  }

  /** Chained casts are prepared in a loop: a script may have any number of them, and recursion would overflow the stack. */
  #cast(outermost: CastExpression): Code {
    const casts = [outermost]
    for (let { operand } = outermost; operand instanceof CastExpression; { operand } = operand) casts.push(operand)
    const inOrder = casts.toReversed().map(({ isAssigned, position, type }) => ({ isAssigned, position, type }))
    const { operand, position } = casts.at(-1)!
    const code = isBoolean(inOrder[0]!.type) ? this.condition(operand, position) : this.code(operand)
    return new CastCode(code, inOrder, this.names.unit)
  }

  /** The code of an assignment. `givesBefore` as for `x++`. */
  assignment({ operator, position, targets, value }: AssignExpressionStatement, givesBefore = false): Code {
    const codes = targets.map((target) => this.#target(target))
    const [target] = codes as [TargetCode]
    const { unit } = this.names
    if (operator === "?:" && target.kind !== "element") {
      const before = operandOf(target.kind === "local" ? new LocalCode(target.local) : target.value, unit, position)
      const chosen = new BinaryCode(before, [{ operator, operand: this.code(value), position }], unit)
      return new AssignCode({ targets: codes, operator: undefined, value: chosen, givesBefore }, unit, position)
    }
    // The last target gets the value first, and the others what it stores.
    const last = codes.at(-1)!
    const isTruth = last.kind === "local" && isBoolean(last.local.type) && operator === undefined
    const code = isTruth ? this.condition(value, position) : this.code(value)
    return new AssignCode({ targets: codes, operator, value: code, givesBefore }, unit, position)
  }

  #target(target: Target): TargetCode {
    if (target.kind === "name") {
      const local = this.names.find(target.name)
      if (local === undefined) {
        return { kind: "binding", name: target.name, value: this.#variable(new Variable(target.name)) }
      }
      local.changes.isReassigned = true
      return { kind: "local", local }
    }
    const isMember = target.kind === "member"
    const index = isMember ? new ConstantCode(target.name) : this.code(target.index)
    return { kind: "element", of: this.code(target.of), index, isMember, name: isMember ? target.name : "" }
  }
}

type AssignExpressionStatement = Extract<AnyExpression, { kind: "assign" }>["statement"]
