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

/**
 * Writes members that are made for the writing, such as the properties of an element. In slices they are made once, because a
 * transaction makes new ones for each call. `make` may write what precedes them.
 */
export const writeMade = <W extends ValueWriter, A>(
  writer: W,
  make: () => ReadonlyArray<A>,
  write: (writer: W, member: A) => void
): void => {
  const { long } = writer.mode
  if (long === null) {
    writeAll(writer, make(), write)
    return
  }
  const all = (members: ReadonlyArray<A>): undefined => {
    writeAll(writer, members, write)
  }
  const one = (members: ReadonlyArray<A>, at: number): undefined => {
    write(writer, members[at]!)
  }
  long.made(make, all, one, writer.resumed)
}

const writeAll = <W extends ValueWriter, A>(
  writer: W,
  members: Iterable<A>,
  write: (writer: W, member: A) => void
): void => {
  const { mode, output } = writer
  const start = output.position
  for (const member of members) {
    write(writer, member)
    mode.checkLength(output.position - start)
  }
}

/** Writes the members of a collection, in slices when it is long. */
export const writeMembers = <W extends ValueWriter, A>(
  writer: W,
  collection: Iterable<A> & object,
  size: number,
  write: (writer: W, member: A) => void
): void => {
  const long = writer.mode.longOf(collection)
  if (long !== null) {
    const writeMember = (member: A): undefined => {
      write(writer, member)
    }
    long.members(size, collection, writeMember, writer.resumed)
    return
  }
  writeAll(writer, collection, write)
}
