import type { Task } from "../../scheduling/Task.ts"
import { Edge, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { text } from "../../structure/texts/Text.ts"
import { resolve } from "../language/Operand.ts"
import { ConnectiveP, javaForm, NotP, P, type Predicate } from "../language/Predicate.ts"
import type { Run } from "../plan/Run.ts"
import { compileTask, isMembership, type Test } from "./PredicateEvaluation.ts"

/**
 * The test of a predicate over ids. within() also accepts lists of ids, and elements for their ids. If all operands are strings,
 * they are compared with the text of the id, because scripts often quote ids. As in TinkerPop, a negation is decided by its operand, and
 * or() compares ids as they are.
 *
 * @param isSplit whether each operand of and() is a condition of its own, as directly after V() and E(). Otherwise and() compares as or().
 */
export function* compileIdPredicate(predicate: Predicate, run: Run, isSplit: boolean): Task<Test> {
  if (predicate instanceof P && isMembership(predicate)) {
    const ids = yield* idsOf(predicate, run)
    return yield* compilePart(new P(predicate.operator, ids), run)
  }
  const form = javaForm(withRanges(predicate, run))
  if (!isSplit || !(form instanceof ConnectiveP) || form.operator !== "and") return yield* compilePart(form, run)
  const tests: Array<Test> = []
  for (const part of form.predicates) {
    tests.push(yield* compilePart(part, run))
    if (run.slice.isOverAfter(tests.length)) yield
  }
  return (id) => tests.every((test) => test(id))
}

/** A predicate with the bounds that between(), inside() and outside() have in this run, because Java's form takes them apart. */
const withRanges = (predicate: Predicate, run: Run): Predicate => {
  if (predicate instanceof ConnectiveP) {
    const parts = predicate.predicates.map((part) => withRanges(part, run))
    return new ConnectiveP(predicate.operator, parts, predicate.isJavaForm)
  }
  if (predicate instanceof NotP) return new NotP(withRanges(predicate.predicate, run))
  return isRange(predicate) ? new P(predicate.operator, resolve(predicate.value, run)) : predicate
}

/** The test of a predicate in Java's form that is one condition. */
function* compilePart(predicate: Predicate, run: Run): Task<Test> {
  const test = yield* compileTask(run.slice, predicate, (operand) => resolve(operand, run))
  return (yield* isQuoted(predicate, run)) ? (id) => test(text(id)) : test
}

/** Whether all operands of a comparison, or of its negation, are strings. */
function* isQuoted(predicate: Predicate, run: Run): Task<boolean> {
  if (predicate instanceof NotP) return yield* isQuoted(predicate.predicate, run)
  if (predicate instanceof ConnectiveP) return false
  const operand = resolve(predicate.value, run)
  if (!isMembership(predicate) || !isIterable(operand)) return typeof operand === "string"
  let seen = 0
  for (const member of operand) {
    const id = resolve(member, run)
    if (id !== null && typeof id !== "string") return false
    if (run.slice.isOverAfter(++seen)) yield
  }
  return seen > 0
}

const isRange = ({ operator }: P): boolean => operator === "between" || operator === "inside" || operator === "outside"

function* idsOf({ value }: P, run: Run): Task<ReadonlyArray<unknown>> {
  const ids: Array<unknown> = []
  for (const id of idsIn(resolve(value, run))) {
    ids.push(id)
    if (run.slice.isOverAfter(ids.length)) yield
  }
  return ids
}

/** The ids in nested lists of ids and elements. */
function* idsIn(value: unknown): Iterable<unknown> {
  if (value instanceof Vertex || value instanceof Edge || value instanceof VertexProperty) yield value.id
  else if (isIterable(value)) {
    for (const member of value) {
      if (typeof member === "object" && member !== null) yield* idsIn(member)
      else yield member
    }
  } else yield value
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value
