import { closeSync, openSync, readSync } from "node:fs"
import { GraphLoader } from "../../process/io/GraphLoader.ts"
import type { Pending } from "../../scheduling/Pending.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import type { GraphReceiver } from "../../structure/GraphStream.ts"
import { fileFormats } from "./FileFormats.ts"
import { TinkerGraphOrder } from "./GratefulDead.ts"

/** Bytes that are read at once. */
const CHUNK = 64 * 1024

/**
 * Loads a file into a graph before the server listens: a format of io(), which is `graphml`, `graphson` or `gryo`. All of
 * it is added, or nothing; gives what the commit gives. Throws an error with the place where the file is not as it should be.
 */
export const loadGraphFile = (store: GraphStore, file: string, format: string): Pending | undefined =>
  load(store, file, format, (loader) => ({ receiver: loader, finish: () => {} }))

/** Loads the Grateful Dead graph from a file as it comes with TinkerPop: GraphSON, GraphML or Gryo, told by its content. */
export const loadGratefulDead = (store: GraphStore, file: string): Pending | undefined =>
  load(store, file, formatOfContent(file), (loader) => {
    const receiver = new TinkerGraphOrder(loader)
    return { receiver, finish: () => receiver.finish() }
  })

/** Bytes of a file that tell its format. */
const BEGINNING = 256

/** What a Gryo file begins with. */
const GRYO = "gio"

/** The format of a file by its first bytes; throws where they are those of no format of graphs. */
const formatOfContent = (file: string): string => {
  const descriptor = openSync(file, "r")
  try {
    const bytes = Buffer.alloc(BEGINNING)
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes))
    if (text.startsWith(GRYO)) return "gryo"
    const first = /^[\s\ufeff]*(.)/u.exec(text)?.[1]
    if (first === "<") return "graphml"
    if (first === "{") return "graphson"
  } finally {
    closeSync(descriptor)
  }
  throw new Error(`${file} is neither GraphSON nor GraphML nor Gryo: name a file of grateful-dead as TinkerPop has it`)
}

/** What takes the elements of a file before the loader does. */
interface Before {
  readonly receiver: GraphReceiver
  /** The file has ended. */
  readonly finish: () => void
}

const load = (
  store: GraphStore,
  file: string,
  format: string,
  before: (loader: GraphLoader) => Before
): Pending | undefined => {
  const transaction = store.begin()
  const loader = new GraphLoader(transaction, () => {})
  const { finish, receiver } = before(loader)
  const decoder = fileFormats.decoder(format, receiver)
  if (decoder === undefined) throw new Error(`the format ${format} of ${file} is not known`)
  const descriptor = openSync(file, "r")
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
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
