import { StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import { elementNames } from "../documents/ElementNames.ts"
import type { GraphCore } from "../GraphCore.ts"
import type { Progress } from "./IndexBuild.ts"
import { indexOf } from "./IndexStatus.ts"
import { untilDone } from "./PatientWork.ts"

/** Documents that are written at once. */
const DOCUMENTS_PER_WRITE = 500
/** Failures of one write. Few: a document that the engine refuses because of the mapping is refused again. */
const MAX_FAILURES = 3

/**
 * Writes the documents of all elements of an index in a search engine, and removes those without an element. The engine's index is made
 * again if it was lost. Fails with EngineUnavailable.
 */
export const buildDocuments = async (core: GraphCore, id: number, progress: Progress): Promise<void> => {
  const { documents, schema } = core
  const index = indexOf(schema, id)
  if (documents === undefined || index?.documents === undefined) {
    throw new StorageFailure(
      `This server cannot write the documents of the index ${index?.name}: a key of it has a type or parameters that are not known here.`
    )
  }
  await documents.register(index.backing, index.documents)
  const rewrite = (names: ReadonlyArray<string>): Promise<void> =>
    untilDone(core, () => documents.rewrite(index, names), MAX_FAILURES)
  let done = 0
  let waiting: Array<string> = []
  for await (const { names, vertices } of elementNames(core, index.element as "vertex" | "edge")) {
    waiting.push(...names)
    for (; waiting.length >= DOCUMENTS_PER_WRITE; waiting = waiting.slice(DOCUMENTS_PER_WRITE)) {
      await rewrite(waiting.slice(0, DOCUMENTS_PER_WRITE))
    }
    done += vertices
    progress(done)
  }
  if (waiting.length > 0) await rewrite(waiting)
  const check = documents.check(index)
  for await (const { names } of check.names(index)) {
    const extra = (await check.differences(index, names)).map(({ name }) => name)
    if (extra.length > 0) await rewrite(extra)
  }
}

/** True for an index that its search engine has lost. An index without a key has no documents to lose. Fails with EngineUnavailable. */
export const isLost = async ({ documents, schema }: GraphCore, id: number): Promise<boolean> => {
  const index = indexOf(schema, id)
  return index?.documents !== undefined && documents !== undefined && (await documents.isLost(index))
}
