import { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { CellVerifier, type Verified } from "../../storage/janusgraph/maintenance/verify/CellVerifier.ts"
import { type Finding, repairAll } from "../../storage/janusgraph/maintenance/verify/Findings.ts"
import type { GraphStore } from "../../structure/GraphStore.ts"
import { counted, grouped, pause, type ToolContext, ToolFailure } from "./Report.ts"

/** Findings of one kind that are told one by one. */
const TOLD = 10
/** Findings that are held to be mended; the rest is found by the next round. */
const HELD = 100_000
/** Mending one thing can bring another to light. */
const ROUNDS = 5

/** What was found, and in what. */
interface Round {
  readonly findings: ReadonlyArray<Finding>
  readonly total: number
  readonly verified: Verified
}

/** What verify says of a graph that has no files. */
export const inMemory = (name: string): ToolFailure =>
  new ToolFailure(
    `The graph '${name}' is in memory: verify looks for damage in the files of a graph on disk ` +
      "(storage.backend=lmdb), such as after a failure of the disk. A graph in memory has no files, and ends with its server."
  )

/**
 * Looks at all cells of a graph, mends what is wrong where it is asked to, and says what was found. Throws ToolFailure
 * with the same when something wrong is left.
 */
export const verifyGraph = async (graph: GraphStore, repair: boolean, context: ToolContext): Promise<string> => {
  if (!(graph instanceof CellGraph)) throw inMemory(graph.name)
  if (graph.core.cells.answersLater) {
    throw new ToolFailure(
      `The graph '${graph.name}' is in Cassandra: verify reads the files of a graph on this machine. ` +
        "nodetool verify checks the files of Cassandra."
    )
  }
  const begin = performance.now()
  let round = await look(graph, context)
  const lines: Array<string> = []
  let mended = 0
  for (let left = ROUNDS; repair && left > 0 && round.findings.length > 0; left--) {
    lines.push(...told(round))
    const done = await repairAll(graph.core, round.findings)
    if (done === 0) break
    mended += done
    round = await look(graph, context)
  }
  if (!repair) lines.push(...told(round))
  const { cells, edges, entries, vertices } = round.verified
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  lines.push(
    `Verified ${counted(vertices, "vertex")}, ${counted(edges, "edge")}, ${grouped(entries)} index entries, ${grouped(cells)} cells (${seconds} s).`
  )
  if (mended > 0) lines.push(`${grouped(mended)} findings were mended.`)
  if (round.total === 0) return [...lines, "Nothing is wrong."].join("\n")
  const advice = repair ? "What is left needs a person to decide." : "Run verify --repair to mend it."
  throw new ToolFailure([...lines, `${grouped(round.total)} findings. ${advice}`].join("\n"))
}

const look = async (graph: CellGraph, { report, signal }: ToolContext): Promise<Round> => {
  const findings: Array<Finding> = []
  let total = 0
  const snapshot = graph.core.cells.snapshot()
  try {
    const verifier = new CellVerifier(graph.core, snapshot, (finding) => {
      total++
      if (findings.length < HELD) findings.push(finding)
    })
    const transaction = graph.begin({ readOnly: true })
    const vertices = transaction.counts.vertices(null)
    transaction.rollback()
    for (const stage of verifier.work()) {
      const { cells, entries, vertices: seen } = verifier.verified
      const note = `${grouped(cells)} cells, ${grouped(total)} findings`
      report(
        stage === "vertices"
          ? { stage: "vertices", done: seen, total: vertices, unit: "vertices", note }
          : { stage: "index entries", done: entries, total: undefined, unit: "cells", note }
      )
      await pause(signal)
    }
    return { findings, total, verified: verifier.verified }
  } finally {
    snapshot.close()
  }
}

/** The findings by their kinds. */
const told = ({ findings, total }: Round): ReadonlyArray<string> => {
  const kinds = new Map<string, Array<Finding>>()
  for (const finding of findings) {
    const known = kinds.get(finding.kind)
    if (known === undefined) kinds.set(finding.kind, [finding])
    else known.push(finding)
  }
  const lines = [...kinds].flatMap(([kind, found]) => [
    `${grouped(found.length)} x ${kind}:`,
    ...found.slice(0, TOLD).map(({ where }) => `  ${where}`),
    ...(found.length > TOLD ? [`  and ${grouped(found.length - TOLD)} more`] : [])
  ])
  return total > findings.length
    ? [...lines, `and ${grouped(total - findings.length)} that were not looked at yet`]
    : lines
}
