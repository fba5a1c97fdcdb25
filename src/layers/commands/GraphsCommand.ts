import * as Effect from "effect/Effect"
import type { GraphsRequest } from "../tools/GraphsTool.ts"
import { ToolFailure } from "../tools/Report.ts"
import { remote } from "./ToolsCommand.ts"

const usage =
  "graphs takes list, show <name>, create <name> [<option>=<value>...], update <name> <option>=<value>..., drop <name>, or " +
  "template [<option>=<value>...]"

const named: ReadonlySet<string> = new Set(["show", "create", "update", "drop"])

/** The request of the words after `graphs`. Fails with ToolFailure. */
const requestOf = ([action = "", ...words]: ReadonlyArray<string>): Effect.Effect<GraphsRequest, ToolFailure> => {
  const isNamed = named.has(action)
  const name = isNamed ? words[0] : undefined
  const pairs = isNamed ? words.slice(1) : words
  const takesOptions = action === "create" || action === "update" || action === "template"
  const wrong =
    (!isNamed && action !== "list" && action !== "template") ||
    (isNamed && (name === undefined || name.includes("="))) ||
    (action === "update" && pairs.length === 0) ||
    (!takesOptions && pairs.length > 0) ||
    pairs.some((pair) => pair.indexOf("=") < 1)
  if (wrong) return Effect.fail(new ToolFailure(usage))
  const options = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])
  )
  return Effect.succeed({
    tool: "graphs",
    action: action as GraphsRequest["action"],
    ...(name === undefined ? {} : { name }),
    options
  })
}

/** Manages the graphs that are created at run time, on a running server. Returns the text to print. */
export const graphs = (words: ReadonlyArray<string>, socket: string | undefined): Effect.Effect<string, ToolFailure> =>
  Effect.flatMap(requestOf(words), (request) =>
    socket === undefined
      ? Effect.fail(new ToolFailure("graphs needs a running server: name its socket with --control-socket."))
      : remote(socket, request, () => undefined)
  )
