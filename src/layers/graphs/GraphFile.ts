import { closeSync, openSync, readSync } from "node:fs"
import { GraphLoader } from "../../process/io/GraphLoader.ts"
import type { Pending } from "../../scheduling/Pending.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { GraphReceiver } from "../../structure/graph/GraphStream.ts"
import { fileFormats } from "./FileFormats.ts"
import { TinkerGraphOrder } from "./GratefulDead.ts"

/** Bytes of one read. */
const CHUNK_BYTES = 64 * 1024

/**
 * Loads a file into a graph before the server listens. `format`: `graphml`, `graphson` or `gryo`. The load is one commit,
 * whose result is returned. Throws an error with the position of invalid data.
 */
export const loadGraphFile = (store: GraphStore, file: string, format: string): Pending | undefined =>
  load(store, file, format, (loader) => ({ receiver: loader, finish: () => {} }))

/** Loads the Grateful Dead graph from a file of TinkerPop: GraphSON, GraphML or Gryo, detected by content. */
export const loadGratefulDead = (store: GraphStore, file: string): Pending | undefined =>
  load(store, file, formatOfContent(file), (loader) => {
    const receiver = new TinkerGraphOrder(loader)
    return { receiver, finish: () => receiver.finish() }
  })

/** Bytes from which the format is detected. */
const DETECTION_BYTES = 256

/** First characters of a Gryo file. */
const GRYO_MAGIC = "gio"

/** Detects the format of a file. Throws for unknown formats. */
const formatOfContent = (file: string): string => {
  const descriptor = openSync(file, "r")
  try {
    const bytes = Buffer.alloc(DETECTION_BYTES)
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes))
    if (text.startsWith(GRYO_MAGIC)) return "gryo"
    const first = /^[\s\ufeff]*(.)/u.exec(text)?.[1]
    if (first === "<") return "graphml"
    if (first === "{") return "graphson"
  } finally {
    closeSync(descriptor)
  }
  throw new Error(`${file} is neither GraphSON nor GraphML nor Gryo: name a grateful-dead file of TinkerPop`)
}

/** What passes the elements of a file from the decoder to the loader. */
interface Filter {
  readonly receiver: GraphReceiver
  /** Called at the end of the file. */
  readonly finish: () => void
}

const load = (
  store: GraphStore,
  file: string,
  format: string,
  filterOf: (loader: GraphLoader) => Filter
): Pending | undefined => {
  const transaction = store.begin()
  const loader = new GraphLoader(transaction, () => {})
  const { finish, receiver } = filterOf(loader)
  const decoder = fileFormats.decoder(format, receiver)
  if (decoder === undefined) throw new Error(`the format ${format} of ${file} is unknown`)
  const descriptor = openSync(file, "r")
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      decoder.push(chunk.subarray(0, length))
    }
    decoder.end()
    finish()
    loader.finish(Number.POSITIVE_INFINITY)
    return transaction.commit()
  } catch (error) {
    transaction.rollback()
    throw error
  } finally {
    closeSync(descriptor)
  }
}
