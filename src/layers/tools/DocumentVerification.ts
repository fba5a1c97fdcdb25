import {
  type DocumentFinding,
  DocumentVerifier,
  servedIndexes
} from "../../storage/janusgraph/documents/DocumentVerifier.ts"
import type { GraphCore } from "../../storage/janusgraph/GraphCore.ts"
import { linesByKind } from "./FindingLines.ts"
import { counted, pause, type ToolContext } from "./Report.ts"

/** What the comparison of a graph with its search engines has found. */
interface VerifiedDocuments {
  readonly compared: number
  /** The differences, as lines of text. */
  readonly lines: ReadonlyArray<string>
  readonly repaired: number
  /** Differences that were not repaired. */
  readonly left: number
}

/** Documents that are written at once. */
const DOCUMENTS_PER_REPAIR = 500

/** Differences of an index that are counted by their kind. */
const MAX_LISTED_FINDINGS = 100_000

const kinds = {
  missing: "a missing document of a search engine",
  outdated: "an outdated document of a search engine",
  extra: "a document of a search engine without an element"
} as const

/**
 * Compares the documents of mixed indexes in search engines with the elements of a graph. With `repair` it writes those that differ
 * again. Fails with EngineUnavailable.
 */
export const verifyDocuments = async (
  core: GraphCore,
  repair: boolean,
  { report, signal }: ToolContext
): Promise<VerifiedDocuments> => {
  const listed: Array<{ readonly kind: string; readonly where: string }> = []
  let [total, repaired, compared] = [0, 0, 0]
  for (const index of servedIndexes(core)) {
    const findings = new Map<string, DocumentFinding>()
    const write = async (): Promise<void> => {
      if (repair) await core.documents!.rewrite(index, [...findings.keys()])
      if (repair) repaired += findings.size
      findings.clear()
    }
    const verifier = new DocumentVerifier(core, (finding) => {
      findings.set(finding.name, finding)
      if (listed.length < MAX_LISTED_FINDINGS)
        listed.push({ kind: kinds[finding.kind], where: `index ${index.name}, document ${finding.name}` })
      total++
    })
    for await (const _ of verifier.work(index)) {
      const note = counted(total, "finding")
      report({ stage: "documents", done: compared + verifier.compared, total: undefined, unit: "document", note })
      if (findings.size >= DOCUMENTS_PER_REPAIR) await write()
      await pause(signal)
    }
    await write()
    compared += verifier.compared
  }
  const lines = [...linesByKind(listed)]
  if (total > listed.length) lines.push(`and ${counted(total - listed.length, "more document")}`)
  return { compared, lines, repaired, left: total - repaired }
}
