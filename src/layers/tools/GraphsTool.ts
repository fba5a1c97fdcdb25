import { DynamicGraphError, type DynamicGraphs, type GraphConfiguration } from "../../services/DynamicGraphs.ts"
import { ToolFailure } from "./Report.ts"

/** A request of the command `graphs`. */
export interface GraphsRequest {
  readonly tool: "graphs"
  readonly action: "list" | "show" | "create" | "update" | "drop" | "template"
  readonly name?: string
  /** Options of create, update and template. */
  readonly options?: Readonly<Record<string, string>>
}

const lines = (configuration: GraphConfiguration): string =>
  Array.from(configuration, ([key, value]) => `${key}=${String(value)}\n`)
    .sort()
    .join("")

/** True for a request of the command `graphs`. */
export const isGraphsRequest = (request: unknown): request is GraphsRequest =>
  typeof request === "object" && request !== null && "tool" in request && request.tool === "graphs"

/** Runs the command on a running server. Returns the text to print. Fails with ToolFailure. */
export const manageGraphs = async (request: GraphsRequest, graphs: DynamicGraphs | undefined): Promise<string> => {
  if (graphs === undefined) {
    throw new ToolFailure("The configuration of the server names no graph ConfigurationManagementGraph under graphs.")
  }
  try {
    return await perform(request, graphs)
  } catch (error) {
    throw error instanceof DynamicGraphError ? new ToolFailure(error.message) : error
  }
}

const perform = async ({ action, name = "", options = {} }: GraphsRequest, graphs: DynamicGraphs): Promise<string> => {
  const given = new Map<string, unknown>(Object.entries(options))
  switch (action) {
    case "list": {
      await graphs.names()
      return graphs
        .list()
        .map(({ name, reason, state }) => `${[name, state, ...(reason === undefined ? [] : [reason])].join("\t")}\n`)
        .join("")
    }
    case "show": {
      const found = await graphs.configurations.find(name)
      if (found === null)
        throw new ToolFailure(
          `There is no configuration of a graph '${name}'. The command graphs list names all graphs.`
        )
      return lines(found)
    }
    case "create":
      if (given.size === 0) await graphs.create(name)
      else {
        await graphs.configurations.create(new Map([["graph.graphname", name], ...given]))
        await graphs.open(name)
      }
      return `The graph '${name}' has been created.\n`
    case "update":
      await graphs.configurations.update(name, given)
      return `The graph '${name}' has the new options.\n`
    case "drop":
      await graphs.drop(name)
      return `The graph '${name}' has been dropped, with its data.\n`
    default: {
      const before = await graphs.configurations.template()
      if (given.size === 0) return before === null ? "There is no template.\n" : lines(before)
      await (before === null
        ? graphs.configurations.createTemplate(given)
        : graphs.configurations.updateTemplate(given))
      return "The template has the options.\n"
    }
  }
}
