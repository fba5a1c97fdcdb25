import { Pending } from "../../scheduling/Pending.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { StreamedVertex } from "../../structure/graph/GraphStream.ts"
import { text } from "../../structure/texts/Text.ts"
import type { EdgeEnds } from "./EdgeEnds.ts"

/** Finds the vertices that the graph has already. Returns a function from the id in the file to the id in the graph. */
export const knownVertices = async (
  transaction: GraphTransaction,
  ends: EdgeEnds,
  vertices: ReadonlyArray<StreamedVertex>
): Promise<(id: unknown) => unknown> => {
  const { idOf, ids } = await ends.search(
    transaction,
    vertices.map(({ id }) => id)
  )
  if (transaction.answersLater && ids.length > 0) {
    await Pending.toPromise(transaction.prefetch([{ kind: "vertexIds", ids }]))
    const refs = transaction.newRefs(ids.length)
    for (const [at, id] of ids.entries()) refs[at] = transaction.vertexRef(id)
    await Pending.toPromise(transaction.prefetch([{ kind: "vertex", refs, length: ids.length, keys: null }]))
  }
  return idOf
}

/**
 * Removes those values of a vertex of the graph whose keys the vertex of the file has, too. Returns the vertex of the file without its
 * property `idProperty`. Throws UnsupportedValue for another label.
 */
export const withoutReplaced = (
  transaction: GraphTransaction,
  ref: Ref,
  vertex: StreamedVertex,
  idProperty: string | undefined
): StreamedVertex => {
  const existing = transaction.vertex(ref)
  if (existing.label !== vertex.label) {
    throw new UnsupportedValue(
      `the vertex ${text(vertex.id)} has the label '${existing.label}' in the graph and '${vertex.label}' in the file, and a label cannot change`
    )
  }
  const properties = vertex.properties.filter(({ key }) => key !== idProperty)
  const keys = [...new Set(properties.map(({ key }) => key))]
  if (keys.length > 0) for (const property of [...existing.properties(keys)]) transaction.removeVertexProperty(property)
  return { ...vertex, properties }
}
