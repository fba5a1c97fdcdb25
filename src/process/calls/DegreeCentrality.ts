import { Vertex } from "../../structure/elements/Element.ts"
import type { DirectionName, Reads } from "../../structure/graph/GraphReads.ts"
import { isEnum, nameOf } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Service, ServiceCall } from "../language/Service.ts"

const DIRECTION = "direction"

const directionOf = ({ parameters }: ServiceCall): DirectionName => {
  const direction = parameters.has(DIRECTION) ? parameters.get(DIRECTION) : undefined
  if (direction === undefined) return "IN"
  if (isEnum(direction, "Direction")) return direction.name as DirectionName
  throw new TraversalError(
    `tinker.degree.centrality takes a Direction (IN, OUT or BOTH) as its ${DIRECTION}, but was given ${nameOf(direction)}`
  )
}

/** The service `tinker.degree.centrality`: the number of edges of a vertex in a direction, a Long. */
export const degreeCentrality: Service = {
  name: "tinker.degree.centrality",
  parameters: { [DIRECTION]: "Direction of the counted edges: IN, OUT or BOTH. Default: IN." },
  each: (value, call) => {
    const { transaction } = call
    if (!(value instanceof Vertex)) {
      throw new TraversalError(`tinker.degree.centrality needs a vertex, but the traverser is at ${nameOf(value)}`)
    }
    const ref = transaction.refOfVertex(value)
    return [BigInt(ref === -1 ? 0 : transaction.degree(ref, directionOf(call), null))]
  },
  reads: (values, call): readonly Reads[] => {
    const { transaction } = call
    const refs = transaction.newRefs(values.length)
    let length = 0
    for (const value of values) if (value instanceof Vertex) refs[length++] = transaction.refOfVertex(value)
    return [{ kind: "adjacent", refs, length, direction: directionOf(call), labels: null, edges: true }]
  }
}
