import { Pending } from "../../scheduling/Pending.ts"
import type { Ref } from "../../structure/Element.ts"
import type { GraphTransaction } from "../../structure/GraphStore.ts"
import type { StreamedVertex } from "../../structure/GraphStream.ts"
import { UnsupportedValue } from "../../structure/StoreErrors.ts"
import { text } from "../../structure/Text.ts"
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
 * Removes the values of a vertex of the graph that the vertex of a file replaces: those of the same keys. Returns what is left
 * to set. Throws UnsupportedValue for another label.
 */
export const withoutReplaced = (
  transaction: GraphTransaction,
  ref: Ref,
  vertex: StreamedVertex,
  idProperty: string | undefined
): StreamedVertex => {
  const there = transaction.vertex(ref)
  if (there.label !== vertex.label) {
    throw new UnsupportedValue(
      `the vertex ${text(vertex.id)} has the label '${there.label}' in the graph and '${vertex.label}' in the file, and a label cannot change`
    )
  }
  const properties = vertex.properties.filter(({ key }) => key !== idProperty)
  const keys = [...new Set(properties.map(({ key }) => key))]
  if (keys.length > 0) for (const property of [...there.properties(keys)]) transaction.removeVertexProperty(property)
  return { ...vertex, properties }
}
