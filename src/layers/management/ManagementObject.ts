import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import { clusterCalls } from "./ClusterCalls.ts"
import { type OptionSource, optionText } from "./GraphConfiguration.ts"
import { indexCalls } from "./IndexCalls.ts"
import { printEdgeLabels, printIndexes, printPropertyKeys, printSchema, printVertexLabels } from "./SchemaPrinting.ts"
import { Committing, type Method, ScriptObject } from "./ScriptObject.ts"
import { settingCalls } from "./SettingCalls.ts"
import { typeCalls } from "./TypeCalls.ts"

/** JanusGraph's `graph.openManagement()`: one change of the schema, which ends with commit() or rollback(). */
export const openManagement = async (
  graph: CellGraph,
  context: OptionSource = { optionsOf: () => undefined }
): Promise<ScriptObject> => {
  const management = new Management(graph, await graph.management.edit(), context)
  return new ScriptObject("management", graph.name, management, management.methods)
}

class Management {
  readonly #graph: CellGraph
  readonly #context: OptionSource
  /** Null after commit() or rollback(). */
  #editor: SchemaEditor | null

  constructor(graph: CellGraph, editor: SchemaEditor, context: OptionSource) {
    this.#context = context
    this.#graph = graph
    this.#editor = editor
  }

  #open(): SchemaEditor {
    if (this.#editor !== null) return this.#editor
    throw new TraversalError(
      "This management is closed because it was committed or rolled back: open another one by graph.openManagement()."
    )
  }

  get methods(): Readonly<Record<string, Method>> {
    const open = (): SchemaEditor => this.#open()
    return {
      ...typeCalls(this.#graph.name, open),
      ...indexCalls(this.#graph, open),
      ...settingCalls(open),
      ...clusterCalls(this.#graph),
      get: ([key]) => optionText(this.#graph.name, key, this.#context),
      printSchema: () => printSchema(open()),
      printVertexLabels: () => printVertexLabels(open()),
      printEdgeLabels: () => printEdgeLabels(open()),
      printPropertyKeys: () => printPropertyKeys(open()),
      printIndexes: () => printIndexes(open()),
      isOpen: () => this.#editor !== null,
      commit: () => {
        const editor = open()
        this.#editor = null
        return new Committing(async (keeps) => {
          await this.#graph.management.commit(editor)
          if (editor.edits.length > 0) keeps(`the schema of the graph '${this.#graph.name}'`)
          return null
        })
      },
      rollback: () => {
        this.#editor = null
        return null
      }
    }
  }
}
