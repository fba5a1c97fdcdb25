import type { WriteMode } from "../WriteMode.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/** A writer of GraphBinary values, as the functions that write one type need it. */
export interface ValueWriter {
  readonly output: ByteWriter
  readonly mode: WriteMode
  /** False: elements are written with null for their properties. */
  readonly properties: boolean
  /** True: values of OffsetDateTime are written as Date, without their offset. */
  readonly datesOnly: boolean
  /** True: ids of edges and properties, shapes, and predicates over texts and shapes are written as JanusGraph's custom types. */
  readonly janusGraph: boolean
  /** Discards the bytes of this slice when an earlier slice wrote them already. */
  readonly resumed: () => void
  /** Writes a value of any type with its type code. */
  value(value: unknown): void
}

/** Writes the members of a collection, in slices when it is long. */
export const writeMembers = <W extends ValueWriter, A>(
  writer: W,
  collection: Iterable<A> & object,
  size: number,
  write: (writer: W, member: A) => void
): void => {
  const { mode, output } = writer
  const long = mode.longOf(collection)
  if (long !== null) {
    const writeMember = (member: A): undefined => {
      write(writer, member)
    }
    long.members(size, collection, writeMember, writer.resumed)
    return
  }
  const start = output.position
  for (const member of collection) {
    write(writer, member)
    mode.checkLength(output.position - start)
  }
}
