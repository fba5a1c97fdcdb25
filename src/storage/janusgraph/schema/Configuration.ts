import { StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch, CellChange, SliceQuery } from "../cells/CellStore.ts"
import { CellCursor, type Cells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { readAny, writeAny } from "../format/Attributes.ts"
import { ByteReader } from "../format/ByteReader.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import { javaEnum } from "../format/EnumAttributes.ts"
import type { CellGraphOptions } from "../Options.ts"

/** The global configuration of a graph: a row of `system_properties` with the values of options by name. */

const ROW = Buffer.from("configuration")

/** The storage version of JanusGraph 1.1. */
const STORAGE_VERSION = "2"
const PARTITIONS = "cluster.max-partitions"
/** True in graphs whose elements this server counts. */
const COUNTS = "engine.counts"

/** Reads the configuration of a graph. */
export const configurationQuery: SliceQuery = sliceOf("system_properties", ROW)

/** Decodes the options that this server needs. */
export const readConfiguration = (cells: Cells): ReadonlyMap<string, unknown> => {
  const options = new Map<string, unknown>()
  const cursor = new CellCursor().over(cells)
  while (cursor.next()) {
    const name = Buffer.from(cursor.column()).toString("utf8")
    // Other options of JanusGraph may have types that this server does not know.
    if (name.startsWith("graph.") || name.startsWith("engine.") || name === PARTITIONS) {
      options.set(name, readAny(new ByteReader(cursor.bytes, cursor.columnEnd, cursor.valueEnd)))
    }
  }
  return options
}

/** Writes the configuration of a new graph. `counts`: this server keeps element counts. */
export const writeConfiguration = (batch: CellBatch, { partitionBits }: CellGraphOptions, counts: boolean): void => {
  const writer = new ByteWriter()
  const change = (name: string, value: unknown): CellChange => {
    writeAny(writer.reset(), value)
    return { column: Buffer.from(name), value: writer.copy() }
  }
  batch.change("system_properties", ROW, [
    change("graph.janusgraph-version", "1.1.0"),
    change("graph.storage-version", STORAGE_VERSION),
    change("graph.timestamps", javaEnum("TimestampProviders", "MICRO")),
    change("hidden.frozen", true),
    change(PARTITIONS, 2 ** partitionBits),
    ...(counts ? [change(COUNTS, true)] : [])
  ])
}

/** The settings that are fixed when a graph is created. */
export interface StoredSettings {
  readonly partitionBits: number
  /** True when this server keeps element counts. */
  readonly keepsCounts: boolean
}

/** The settings in a stored configuration. Throws StorageFailure for a graph that this server cannot read. */
export const storedSettings = (options: ReadonlyMap<string, unknown>, location: string): StoredSettings => {
  const version = options.get("graph.storage-version")
  if (version !== STORAGE_VERSION) {
    throw new StorageFailure(
      `The graph in ${location} has the storage version ${String(version)}; this server reads version ${STORAGE_VERSION}, that of JanusGraph 1.1.`
    )
  }
  const partitions = Number(options.get(PARTITIONS) ?? 32)
  const partitionBits = Math.log2(partitions)
  if (!Number.isInteger(partitionBits) || partitionBits < 0 || partitionBits > 16) {
    throw new StorageFailure(`The graph in ${location} has ${partitions} partitions; it must be a power of two.`)
  }
  return { partitionBits, keepsCounts: options.get(COUNTS) === true }
}
