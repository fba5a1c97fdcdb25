import { integral } from "../../shared/IdManager.ts"
import { type Id, isStoredTextId, NORMAL_VERTEX, normalId, textIdProblem, type VertexId } from "../format/Ids.ts"

/**
 * Converts a value that a client sent to a vertex id; undefined if the value cannot be a vertex id. `textIds` says whether the
 * graph allows strings as ids.
 */
export const vertexIdOf = (value: unknown, textIds: boolean): VertexId | undefined => {
  if (typeof value === "string") {
    if (textIds) return isStoredTextId(value) ? value : undefined
    return /^[0-9]{1,19}$/.test(value) ? userId(BigInt(value)) : undefined
  }
  if (typeof value === "number") return Number.isSafeInteger(value) && isUserId(value) ? value : undefined
  const whole = integral(value)
  return whole === undefined ? undefined : userId(whole)
}

const userId = (whole: bigint): Id | undefined => {
  if (whole <= 0n || whole >= 2n ** 63n) return undefined
  const id = normalId(whole)
  return isUserId(id) ? id : undefined
}

/** Returns whether an id belongs to a vertex of a user. The low three bits of such an id, its kind, are 0, 2 or 4. */
const isUserId = (id: Id): boolean => {
  const kind = typeof id === "number" ? id % 8 : Number(id & 7n)
  return id > 0 && kind % 2 === 0 && kind < 6
}

/**
 * Returns a sentence that says why a value cannot be the id of a new vertex; undefined if it can be. `partitionBits` is the
 * number of partition bits in the ids of the graph.
 */
export const newIdProblem = (value: unknown, textIds: boolean, partitionBits: number): string | undefined => {
  if (typeof value === "string" && textIds) {
    const problem = textIdProblem(value)
    return problem === undefined ? undefined : `The id '${value}' ${problem}.`
  }
  const id = vertexIdOf(value, textIds)
  const smallest = 2 ** (3 + partitionBits)
  if (id === undefined || typeof id === "string" || Number(BigInt(id) & 7n) !== NORMAL_VERTEX || id < smallest) {
    return (
      `A vertex id must be a multiple of 8, at least ${smallest}; ids of JanusGraph's format have their kind in the low ` +
      `bits. Multiply your own number by ${smallest}${textIds ? "" : ", or allow text ids (graph.allow-custom-vid-types)"}.`
    )
  }
  return undefined
}

/** Converts a vertex id to the value that clients see. A numeric id becomes a Long. */
export const visibleId = (id: VertexId): unknown => (typeof id === "number" ? BigInt(id) : id)
