import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { Duration } from "../../structure/times/Temporal.ts"
import { schemaStatus } from "./SchemaObjects.ts"
import { ScriptObject } from "./ScriptObject.ts"

/** What JanusGraph's watcher of an index reports. */
interface StatusReport {
  /** Name of the index. */
  readonly name: string
  /** The edge label or property key of a vertex-centric index; undefined for a graph index. */
  readonly base: string | undefined
  /** The keys of a graph index. */
  readonly keys: ReadonlyArray<string>
  readonly success: boolean
  readonly wanted: ReadonlyArray<string>
  readonly status: string
  readonly elapsedMs: number
}

/** The report as scripts see it, in JanusGraph's words. */
export const reportObject = (graph: CellGraph, report: StatusReport): ScriptObject => {
  const { base, elapsedMs, name, status, success, wanted } = report
  const words = wordsOf(report)
  const seconds = Math.floor(elapsedMs / 1000)
  return new ScriptObject(
    "index status report",
    graph.name,
    null,
    {
      getSucceeded: () => success,
      getIndexName: () => name,
      getTargetStatuses: () => wanted.map(schemaStatus),
      getElapsed: () => new Duration(BigInt(seconds), Math.round(elapsedMs - seconds * 1000) * 1_000_000),
      ...(base === undefined ? {} : { getActualStatus: () => schemaStatus(status), getRelationTypeName: () => base }),
      toString: () => words
    },
    words
  )
}

const wordsOf = ({ base, elapsedMs, keys, name, status, success, wanted }: StatusReport): string => {
  const target = `targetStatus=[${wanted.join(", ")}]`
  const elapsed = `elapsed=PT${(elapsedMs / 1000).toFixed(3).replace(/\.?0+$/, "")}S`
  if (base !== undefined) {
    return (
      `RelationIndexStatusReport[succeeded=${success}, indexName='${name}', relationTypeName='${base}', actualStatus=${status}, ` +
      `${target}, ${elapsed}]`
    )
  }
  const statuses = `{${keys.map((key) => `${key}=${status}`).join(", ")}}`
  const [converged, notConverged] = success ? [statuses, "{}"] : ["{}", statuses]
  return (
    `GraphIndexStatusReport[success=${success}, indexName='${name}', ${target}, notConverged=${notConverged}, ` +
    `converged=${converged}, ${elapsed}]`
  )
}
