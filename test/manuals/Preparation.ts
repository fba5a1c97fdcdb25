import { type Block, typedLines } from "./Blocks.ts"

/** A line that loads the Graph of the Gods. */
const LOADS = /GraphOfTheGodsFactory\.load/

const capitalized = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

/** The graph of a page of JanusGraph's manual. */
export interface PageGraph {
  /** An expression for an empty graph. */
  readonly graph: string
  /** True if a block of the page loads the Graph of the Gods itself. */
  readonly loadsItself: boolean
}

/** Values that pages of JanusGraph's manual only describe: any vertices of the graph, and two of the Graph of the Gods. */
const described: ReadonlyMap<string, string> = new Map([
  ["v1", "g.V().has('name', 'saturn').next()"],
  ["v2", "g.V().has('name', 'jupiter').next()"],
  ["v3", "g.V().has('name', 'hercules').next()"],
  ["h", "g.V().has('name', 'hercules').next()"],
  ["c", "g.V().has('name', 'cerberus').next()"],
  ["list_of_vertices", "g.V().toList()"],
  ["startVertexId", "g.V().next().id()"],
  ["startTime", "System.currentTimeMillis()"]
])

/** The variables that a page only describes: it uses them, and no block of it assigns them. */
const describedIn = (blocks: readonly Block[]): string[] => {
  const text = blocks.map((block) => typedLines(block).join("\n")).join("\n")
  return [...described].flatMap(([name, value]) => {
    const isUsed = new RegExp(`\\b${name}\\b`).test(text)
    const isAssigned = new RegExp(`\\b${name}\\s*=(?!=)`).test(text)
    return isUsed && !isAssigned ? [`${name} = ${value}`] : []
  })
}

/** True for a page whose blocks continue each other. Blocks of TinkerPop's reference name the graph with which they begin. */
const isPageOfJanusGraph = ({ page }: Block): boolean => page.endsWith(".md")

/** True for a block that begins with a graph of its own. */
export const beginsAnew = (block: Block, isNewPage: boolean): boolean =>
  block.dataset === "" ? isNewPage : block.dataset !== "existing"

/**
 * What the reader has done before a block. Blocks of TinkerPop's reference name their data set, and those without one use the
 * modern graph; blocks of JanusGraph's manual use a graph with the Graph of the Gods.
 *
 * @param page the blocks of the page
 */
export const preparation = (block: Block, page: readonly Block[], { graph, loadsItself }: PageGraph): string[] => {
  if (isPageOfJanusGraph(block)) {
    const source = [`graph = ${graph}`, "g = graph.traversal()"]
    return loadsItself ? source : [...source, "GraphOfTheGodsFactory.load(graph)", ...describedIn(page)]
  }
  const dataset = block.dataset === "" || block.dataset === "existing" ? "modern" : block.dataset
  return [
    dataset === "empty" ? "graph = TinkerGraph.open()" : `graph = TinkerFactory.create${capitalized(dataset)}()`,
    "g = graph.traversal()",
    "marko = g.V().has('name', 'marko').tryNext().orElse(null)"
  ]
}

/** True if a block of the page loads the Graph of the Gods. */
export const loadsGods = (page: readonly Block[]): boolean =>
  page.some(({ lines }) => lines.some((line) => LOADS.test(line)))
