import { Random } from "../../fuzz/Random.ts"
import { readable, writable } from "../graphs/Graphs.ts"
import type { Model } from "../graphs/Model.ts"
import { call, literalArgument, type Traversal, whole } from "../syntax/Traversal.ts"
import { made, Rules } from "./Rule.ts"
import { branches } from "./rules/Branches.ts"
import { collections } from "./rules/Collections.ts"
import { computed } from "./rules/Computer.ts"
import { filters } from "./rules/Filters.ts"
import { loops } from "./rules/Loops.ts"
import { match } from "./rules/Match.ts"
import { navigation } from "./rules/Navigation.ts"
import { reductions } from "./rules/Reductions.ts"
import { scalars, scalarType } from "./rules/Scalars.ts"
import { sideEffects } from "./rules/SideEffects.ts"
import { firstWrite, mutations } from "./rules/Writes.ts"
import { type Made, Scope } from "./Scope.ts"
import { source } from "./Source.ts"
import { ANY, EDGE, listOf, mapOf, NUMBER, STRING, setOf, type Type, VERTEX } from "./Types.ts"

/** A traversal that both servers run. */
export interface Case {
  readonly model: Model
  readonly traversal: Traversal
  readonly language: "script" | "bytecode"
}

const rules = new Rules([
  ...navigation,
  ...filters,
  ...branches,
  ...loops,
  ...match,
  ...sideEffects,
  ...reductions,
  ...scalars,
  ...collections,
  ...mutations
])

const chain = (scope: Scope, type: Type, length: number): Made => {
  const calls: Array<Made["calls"][number]> = []
  let current = type
  for (let count = 0; count < length; count++) {
    const added = rules.draw(scope, current).make(scope, current)
    calls.push(...added.calls)
    current = added.type
  }
  return made(current, ...calls)
}

/** Draws the type of the values of inject(). */
const injectedType = (scope: Scope): Type => {
  const choice = scope.below(10)
  if (choice < 4) return scalarType(scope)
  if (choice < 7) return listOf(scalarType(scope))
  if (choice < 8) return setOf(scope.one([NUMBER, STRING]))
  return choice < 9 ? mapOf(STRING, scope.one([NUMBER, ANY])) : ANY
}

const ids = (scope: Scope, draw: () => ReturnType<Scope["vertexId"]>) =>
  Array.from({ length: scope.below(3) }, () => literalArgument(draw()))

/** Draws the first step. */
const spawn = (scope: Scope): Made => {
  const choice = scope.below(100)
  if (scope.writes && choice < 35) return firstWrite(scope)
  if (choice < 66) return made(VERTEX, call("V", ...(scope.chance(0.35) ? ids(scope, () => scope.vertexId()) : [])))
  if (choice < 74) return made(EDGE, call("E", ...(scope.chance(0.3) ? ids(scope, () => scope.edgeId()) : [])))
  if (choice < 96) {
    const type = injectedType(scope)
    return made(type, call("inject", ...Array.from({ length: 1 + scope.below(4) }, () => scope.argument(type))))
  }
  const children = Array.from({ length: 1 + scope.below(2) }, () => {
    const first = scope.chance(0.7) ? call("V") : call("inject", whole(1))
    return {
      kind: "child",
      steps: [first, ...scope.inner().chain(first.name === "V" ? VERTEX : NUMBER, 1).calls]
    } as const
  })
  return made(ANY, call("union", ...children))
}

/** Share of steps that do not fit their incoming values. Each case draws one entry. */
const MISFIT_PROBABILITIES = [0, 0, 0, 0.02, 0.1]
/** Maximum nesting depth of traversals. Each case draws one entry. */
const DEPTHS = [1, 1, 1, 2, 2, 2, 3]
/** Share of the cases that change a graph, and share of the cases that are sent as bytecode. */
const WRITING_SHARE = 0.18
const BYTECODE_SHARE = 0.25
/** Share of the read-only cases that run on a graph computer. */
const COMPUTER_SHARE = 0.02
/** Share of the cases that end with order(), so that the order of their results is compared. */
const ORDERED_SHARE = 0.15

/** Returns the case with a number in the run with a seed. Equal arguments give equal cases. */
export const caseOf = (seed: number, number: number): Case => {
  const random = new Random(seed, number)
  const writes = random.chance(WRITING_SHARE)
  const written = !random.chance(BYTECODE_SHARE)
  const model = random.one(writes ? writable : readable)
  const setting = {
    random,
    model,
    chain,
    written,
    writes,
    wild: random.one(MISFIT_PROBABILITIES),
    sideEffects: new Map()
  }
  const outer = new Scope(setting, { depth: random.one(DEPTHS) })
  const language = written ? "script" : "bytecode"
  if (!writes && random.chance(COMPUTER_SHARE)) return { model, traversal: computed(outer), language }
  const { calls, scope } = source(outer)
  const first = spawn(scope)
  const rest = scope.chain(first.type, random.below(6))
  const end = random.chance(ORDERED_SHARE) ? [call("order")] : []
  const traversal = { source: calls, steps: [...first.calls, ...rest.calls, ...end] }
  return { model, traversal, language }
}
