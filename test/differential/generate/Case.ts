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

/** What both servers are asked. */
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

/** Types of what inject() starts with. */
const injectedType = (scope: Scope): Type => {
  const choice = scope.below(10)
  if (choice < 4) return scalarType(scope)
  if (choice < 7) return listOf(scalarType(scope))
  if (choice < 8) return setOf(scope.one([NUMBER, STRING]))
  return choice < 9 ? mapOf(STRING, scope.one([NUMBER, ANY])) : ANY
}

const ids = (scope: Scope, draw: () => ReturnType<Scope["vertexId"]>) =>
  Array.from({ length: scope.below(3) }, () => literalArgument(draw()))

/** The first step. */
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

/** How often a step does not fit what comes in, in the cases of each kind. */
const WILD = [0, 0, 0, 0.02, 0.1]
/** How deep traversals are nested at most. */
const DEPTHS = [1, 1, 1, 2, 2, 2, 3]
/** Part of the cases that change a graph, and part of those that are sent as bytecode. */
const WRITING = 0.18
const IN_BYTECODE = 0.25
/** Part of the reading cases that a graph computer runs. */
const COMPUTED = 0.02
/** Part of the cases whose results are put into an order at the end, so that it is compared. */
const ORDERED = 0.15

/** The case of a number in the run of a seed. */
export const caseOf = (seed: number, number: number): Case => {
  const random = new Random(seed, number)
  const writes = random.chance(WRITING)
  const written = !random.chance(IN_BYTECODE)
  const model = random.one(writes ? writable : readable)
  const setting = { random, model, chain, written, writes, wild: random.one(WILD), sideEffects: new Map() }
  const outer = new Scope(setting, { depth: random.one(DEPTHS) })
  const language = written ? "script" : "bytecode"
  if (!writes && random.chance(COMPUTED)) return { model, traversal: computed(outer), language }
  const { calls, scope } = source(outer)
  const first = spawn(scope)
  const rest = scope.chain(first.type, random.below(6))
  const end = random.chance(ORDERED) ? [call("order")] : []
  const traversal = { source: calls, steps: [...first.calls, ...rest.calls, ...end] }
  return { model, traversal, language }
}
