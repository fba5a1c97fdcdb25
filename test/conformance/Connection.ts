import { randomUUID } from "node:crypto"
import * as DriverReading from "./DriverReading.ts"
import { literal } from "./Literal.ts"
import { type Payloads, withRequestId } from "./Payloads.ts"
import type { Value } from "./Value.ts"
import { Http } from "./wire/Http.ts"
import { type Exchange, type Format, Socket } from "./wire/Socket.ts"

/** The protocols and formats in which traversals are sent. */
export const modes = ["script", "script-graphbinary", "bytecode-graphson", "bytecode-graphbinary", "http"] as const
export type Mode = (typeof modes)[number]

/** Thrown for a scenario that cannot be sent in a mode. The message is the reason. */
export class CannotTravel extends Error {}

/** One connection to the server, for one request at a time. */
export interface Connection {
  /** Runs a traversal with parameters in the tested mode. Returns the results without traversers. */
  readonly run: (
    gremlin: string,
    source: string,
    parameters: ReadonlyMap<string, Value>
  ) => Promise<ReadonlyArray<Value>>
  /** Runs a script, to clear the graph or to look up elements. */
  readonly ask: (gremlin: string, source: string) => Promise<ReadonlyArray<Value>>
  readonly close: () => void
}

/** The results of a response: the items of its list. A traverser is repeated by its bulk. */
const results = (data: Value): ReadonlyArray<Value> => {
  if (data.kind === "null") return []
  if (data.kind !== "list") throw new Error(`the data of a response is a list, not a ${data.kind}`)
  return data.items.flatMap((item) =>
    item.kind === "traverser" ? Array.from({ length: Number(item.bulk) }, () => item.value) : [item]
  )
}

const collect = (exchange: Exchange): ReadonlyArray<Value> => exchange.answers.flatMap((answer) => results(answer.data))

/** Replaces parameters in a text by literals. Longer names come first, so that xx1 does not match in xx10. */
const inlined = (gremlin: string, parameters: ReadonlyMap<string, Value>): string => {
  if (parameters.size === 0) return gremlin
  const names = [...parameters.keys()].sort((a, b) => b.length - a.length)
  return gremlin.replaceAll(
    new RegExp(`"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\\b(?:${names.join("|")})\\b`, "g"),
    (word) => {
      const value = parameters.get(word)
      if (value === undefined) return word
      const text = literal(value)
      if (text === undefined)
        throw new CannotTravel("over HTTP, a parameter that is an edge has no literal to travel as")
      return text
    }
  )
}

/** @param url address of the server, with http: for mode http and ws: for the others */
export const connect = (mode: Mode, url: string, payloads: Payloads): Connection => {
  if (mode === "http") {
    const http = new Http(url)
    return {
      run: async (gremlin, source, parameters) => results(await http.evaluate(inlined(gremlin, parameters), source)),
      ask: async (gremlin, source) => results(await http.evaluate(gremlin, source)),
      close: () => http.close()
    }
  }
  const format: Format = mode.endsWith("graphbinary") ? "graphbinary" : "graphson"
  const socket = new Socket(url, format)
  const ask = async (gremlin: string, source: string) => collect(await socket.evaluate(gremlin, source, new Map()))
  const close = () => socket.close()
  if (mode === "script" || mode === "script-graphbinary") {
    const run: Connection["run"] = async (gremlin, source, parameters) =>
      collect(await socket.evaluate(gremlin, source, parameters))
    return { run, ask, close }
  }
  const run: Connection["run"] = async (gremlin, source, parameters) => {
    // Bytecode has bindings in one format and plain values in the other, because a server must accept both.
    const bindings = format === "graphson"
    const message = await payloads.message({ format, gremlin, source, parameters, bindings })
    const requestId = randomUUID()
    const exchange = await socket.exchange(requestId, withRequestId(format, message, requestId))
    DriverReading.verify(format, exchange)
    return collect(exchange)
  }
  return { run, ask, close }
}
