import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { type TinkerGraphMemoryOptions, tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import type { Ref } from "../../../src/structure/elements/Element.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality, type EnumValue } from "../../../src/structure/scalars/Enums.ts"
import { settled } from "../Completion.ts"

/** An empty graph with explicit transactions. */
export const emptyGraph = (options: TinkerGraphMemoryOptions = {}): MemoryGraph =>
  new MemoryGraph(tinkerTransactionGraph("test", options))

/** Runs writes in a transaction and commits it: few enough that the commit is made at once. */
export const write = <A>(graph: MemoryGraph, writes: (transaction: GraphTransaction) => A): A => {
  const transaction = graph.begin()
  try {
    const result = writes(transaction)
    if (transaction.commit() !== undefined) throw new Error("There were so many writes that the commit answers later")
    return result
  } finally {
    transaction.rollback()
  }
}

/** {@link write} with any number of writes. */
export const writeMany = async <A>(graph: MemoryGraph, writes: (transaction: GraphTransaction) => A): Promise<A> => {
  const transaction = graph.begin()
  const result = writes(transaction)
  await settled(transaction.commit())
  return result
}

/** What a new transaction reads. */
export const read = <A>(graph: MemoryGraph, reads: (transaction: GraphTransaction) => A): A => {
  const transaction = graph.begin({ readOnly: true })
  try {
    return reads(transaction)
  } finally {
    transaction.rollback()
  }
}

export const setProperty = (
  transaction: GraphTransaction,
  vertex: Ref,
  key: string,
  value: unknown,
  cardinality: EnumValue = Cardinality.single
): void => {
  transaction.setVertexProperty(vertex, cardinality, key, value)
}

/** The value of a property of the vertex with this id; undefined when there is none. */
export const valueAt = (transaction: GraphTransaction, id: unknown, key: string): unknown =>
  transaction.vertexReader(key).value(transaction.vertexRef(id))

/** Values under a key, in order. */
export const valuesAt = (transaction: GraphTransaction, id: unknown, key: string): ReadonlyArray<unknown> =>
  transaction.vertexProperties(transaction.vertexRef(id), [key]).map(({ value }) => value)
