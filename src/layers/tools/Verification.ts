import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { removeExpired } from "../../storage/janusgraph/maintenance/ExpiredElements.ts"
import { CellVerifier, type Verified } from "../../storage/janusgraph/maintenance/verify/CellVerifier.ts"
import type { Finding } from "../../storage/janusgraph/maintenance/verify/Findings.ts"
import { LaterVerifier } from "../../storage/janusgraph/maintenance/verify/LaterVerifier.ts"
import { repairAll } from "../../storage/janusgraph/maintenance/verify/Repair.ts"
import { fetchSchema } from "../../storage/janusgraph/schema/SchemaFetch.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { verifyDocuments } from "./DocumentVerification.ts"
import { linesByKind } from "./FindingLines.ts"
import { counted, grouped, pause, type ToolContext, ToolFailure } from "./Report.ts"

/** Findings that are repaired in one round; the next round finds the rest. */
const MAX_ROUND_FINDINGS = 100_000
/** Rounds of a repair: it can reveal further findings. */
const MAX_ROUNDS = 5

/** The result of one round. */
interface Round {
  readonly findings: ReadonlyArray<Finding>
  readonly total: number
  readonly verified: Verified
}

/** The failure of verify for a graph without files. */
export const inMemory = (name: string): ToolFailure =>
  new ToolFailure(
    `The graph '${name}' is in memory: verify checks the files of a graph on disk (storage.backend=lmdb) ` +
      "for damage, such as after a disk failure. A graph in memory has no files, and ends with its server."
  )

/**
 * Checks all cells of a graph, repairs them when `repair` is true, then removes what has expired when `removesExpired` is true, and
 * returns a report. Throws ToolFailure with the report when findings remain.
 */
export const verifyGraph = async (
  graph: GraphStore,
  repair: boolean,
  context: ToolContext,
  removesExpired = false
): Promise<string> => {
  if (!(graph instanceof CellGraph)) throw inMemory(graph.name)
  // A long check would end with this error.
  if (removesExpired) graph.core.assertWritable()
  const begin = performance.now()
  const lines: Array<string> = []
  let round = await checkCells(graph, context)
  let repaired = 0
  for (let left = MAX_ROUNDS; repair && left > 0 && round.findings.length > 0; left--) {
    lines.push(...linesOf(round))
    const done = await repairAll(graph.core, round.findings)
    if (done === 0) break
    repaired += done
    round = await checkCells(graph, context)
  }
  if (!repair) lines.push(...linesOf(round))
  const documents = await verifyDocuments(graph.core, repair, context)
  lines.push(...documents.lines)
  repaired += documents.repaired
  const total = round.total + documents.left
  const { cells, edges, entries, vertices } = round.verified
  const compared = documents.compared === 0 ? "" : `, ${counted(documents.compared, "comparison")} with search engines`
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  lines.push(
    `Verified ${counted(vertices, "vertex")}, ${counted(edges, "edge")}, ${counted(entries, "index entry")}, ${counted(cells, "cell")}${compared} (${seconds} s).`
  )
  if (repaired > 0) lines.push(`${counted(repaired, "finding")} ${repaired === 1 ? "was" : "were"} repaired.`)
  let kept = 0
  if (removesExpired) {
    const removal = await withoutExpired(graph, context)
    lines.push(...removal.lines)
    kept = removal.refused
  }
  if (total + kept === 0) return [...lines, "Nothing is wrong."].join("\n")
  const advice = [`${counted(total + kept, "finding")}.`]
  if (total > 0) {
    advice.push(
      repair ? "The remaining findings need a decision of the operator." : "Run verify --repair to repair them."
    )
  }
  if (kept > 0) advice.push("Run verify --remove-expired again to remove the rest of what has expired.")
  throw new ToolFailure([...lines, advice.join(" ")].join("\n"))
}

/** What {@link withoutExpired} tells. */
interface RemovalReport {
  readonly lines: ReadonlyArray<string>
  /** Vertices from which not everything was removed. */
  readonly refused: number
}

/** Removes what has expired. */
const withoutExpired = async (graph: CellGraph, { report, signal }: ToolContext): Promise<RemovalReport> => {
  if (graph.core.cells.answersLater) return { lines: ["The cluster removes what has expired."], refused: 0 }
  const findings: Array<{ readonly kind: string; readonly where: string }> = []
  let refused = 0
  const { edges, values, vertices } = await removeExpired(graph, {
    pause(done) {
      const note = counted(refused, "finding")
      report({ stage: "expired elements", done, total: undefined, unit: "vertex", note })
      return pause(signal)
    },
    refuse(where) {
      refused++
      if (findings.length < MAX_ROUND_FINDINGS)
        findings.push({ kind: "something expired that cannot be removed", where })
    }
  })
  const what = `${counted(vertices, "vertex")}, ${counted(edges, "edge")} and ${counted(values, "value")}`
  const lines = [...linesByKind(findings), `Removed what has expired: ${what}.`]
  if (refused > findings.length) lines.unshift(`The first ${grouped(findings.length)} of ${grouped(refused)}:`)
  return { lines, refused }
}

const checkCells = async (graph: CellGraph, { report, signal }: ToolContext): Promise<Round> => {
  const findings: Array<Finding> = []
  let total = 0
  const { core } = graph
  const snapshot = core.cells.snapshot()
  const find = (finding: Finding): void => {
    total++
    if (findings.length < MAX_ROUND_FINDINGS) findings.push(finding)
  }
  try {
    const { answersLater } = core.cells
    if (answersLater) core.setSchema(await fetchSchema(snapshot))
    const verifier = answersLater ? new LaterVerifier(core, snapshot, find) : new CellVerifier(core, snapshot, find)
    const transaction = graph.begin({ readOnly: true })
    const vertices = transaction.counts.vertices(null)
    transaction.rollback()
    for await (const stage of verifier.work()) {
      const { cells, entries, vertices: seen } = verifier.verified
      const note = `${counted(cells, "cell")}, ${counted(total, "finding")}`
      report(
        stage === "vertices"
          ? { stage: "vertices", done: seen, total: vertices, unit: "vertex", note }
          : { stage: "index entries", done: entries, total: undefined, unit: "index entry", note }
      )
      await pause(signal)
    }
    return { findings, total, verified: verifier.verified }
  } finally {
    snapshot.close()
  }
}

/** The findings of a round, as lines of text. */
const linesOf = ({ findings, total }: Round): ReadonlyArray<string> => {
  const lines = linesByKind(findings)
  return total > findings.length
    ? [...lines, `and ${grouped(total - findings.length)} more that were not checked yet`]
    : lines
}
