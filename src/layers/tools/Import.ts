import { basename } from "node:path"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import type { ImportOptions } from "./ImportOptions.ts"
import { passesOf } from "./ImportPasses.ts"
import { planImport } from "./ImportPlan.ts"
import { ImportRun } from "./ImportRun.ts"
import { BEGIN } from "./ImportTarget.ts"
import { openTarget } from "./ImportTargets.ts"
import { guarded, type InputFile } from "./InputFiles.ts"
import { counted, grouped, type ToolContext, ToolFailure } from "./Report.ts"

/**
 * Imports files into a graph and returns a summary. `directory` is the folder of the graph's files; undefined when it has
 * none. Throws ToolFailure.
 */
export const importFiles = async (
  graph: GraphStore,
  directory: string | undefined,
  files: ReadonlyArray<InputFile>,
  options: ImportOptions,
  context: ToolContext
): Promise<string> => {
  const begin = performance.now()
  const plan = await planImport(graph, files, options, directory, context)
  const target = openTarget(graph, plan, context)
  try {
    const { begun } = target
    const passes = passesOf(files)
    const run = new ImportRun(target, passes, options, context)
    await run.survey(files)
    for (let pass = begun.step; pass < passes.length; pass++) {
      await guarded(passes[pass]!.file.path, () => run.pass(pass))
    }
    const { edges, vertices } = run.position
    if (vertices + edges === 0) throw nothing(files)
    await target.finish()
    const seconds = (performance.now() - begin) / 1000
    const elements = vertices + edges - begun.vertices - begun.edges
    const rate = `${seconds.toFixed(1)} s, ${grouped(Math.round(elements / Math.max(seconds, 0.001)))} elements/s`
    const resumed =
      begun === BEGIN
        ? ""
        : `, of which ${counted(begun.vertices, "vertex")} and ${counted(begun.edges, "edge")} before an interruption`
    const empty = files.filter(({ hasRecords }) => !hasRecords).map(({ path }) => basename(path))
    const noRecords = empty.length === 0 ? "" : ` Files without records: ${empty.join(", ")}.`
    return `Imported ${counted(vertices, "vertex")} and ${counted(edges, "edge")}${resumed} (${rate}).${noRecords}${run.leftOut}`
  } finally {
    await target.close()
  }
}

/** An import of no elements is a failure, because it usually means a wrong file. */
const nothing = (files: ReadonlyArray<InputFile>): ToolFailure => {
  const names = files.map(({ path }) => path).join(", ")
  const none = files.length === 1 ? "has no vertex and no edge" : "have no vertex and no edge"
  return new ToolFailure(`${names} ${none}: nothing was imported.`)
}
