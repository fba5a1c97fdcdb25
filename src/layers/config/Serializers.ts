import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { SerializerSettings, ServerSettings } from "../../services/Config.ts"
import { booleanOf } from "./BooleanWords.ts"
import { jvmName } from "./ClassNames.ts"
import type { FileSettings } from "./Fields.ts"
import { namesJanusGraph, serializersWithoutEffect } from "./Legacy.ts"
import type { Report } from "./Report.ts"
import { millis, whole } from "./Scalars.ts"
import { suggestion } from "./Suggestions.ts"

const names = [
  "GraphSONMessageSerializerV1",
  "GraphSONMessageSerializerV2",
  "GraphSONMessageSerializerV3",
  "GraphSONUntypedMessageSerializerV1",
  "GraphSONUntypedMessageSerializerV2",
  "GraphSONUntypedMessageSerializerV3",
  "GraphBinaryMessageSerializerV1"
]

/** The settings of the `config` of a serializer. */
const options = ["serializeResultToString", "janusGraphTypes", ...serializersWithoutEffect.keys()]

const graphSon = /^GraphSON(Untyped)?MessageSerializer(?:Gremlin)?V([123])(?:d0)?$/

const serializer = (className: string, config: unknown): SerializerSettings | undefined => {
  const name = jvmName(className)
  const isOn = (option: string): boolean =>
    typeof config === "object" && config !== null && booleanOf(String(Reflect.get(config, option))) === true
  const stringd = isOn("serializeResultToString")
  const given = typeof config === "object" && config !== null ? Reflect.get(config, "janusGraphTypes") : undefined
  const janusGraph = (given === undefined ? namesJanusGraph(config) : isOn("janusGraphTypes"))
    ? { janusGraphTypes: true }
    : {}
  if (/^GraphBinaryMessageSerializerV1(?:d0)?$/.test(name)) {
    return { format: "graphbinary-v1", untyped: false, serializeResultToString: stringd, ...janusGraph }
  }
  const match = graphSon.exec(name)
  if (match === null) return undefined
  // Before TinkerPop 3.4, GraphSON 1 without "Gremlin" in its name was untyped.
  const untyped = match[1] !== undefined || name === "GraphSONMessageSerializerV1d0"
  return {
    format: `graphson-v${match[2] as "1" | "2" | "3"}`,
    untyped,
    serializeResultToString: stringd,
    ...janusGraph
  }
}

/**
 * Decodes `serializers`; undefined when none is configured. Gryo, which TinkerPop has removed, and the formats of TinkerPop
 * 4 are left out with a note.
 */
export const decodeSerializers = (
  decoded: FileSettings["serializers"],
  report: Report
): ReadonlyArray<SerializerSettings> | undefined => {
  if (decoded === undefined) return undefined
  const unsupported: Array<string> = []
  const found = decoded.flatMap(({ className, config }, index) => {
    const known = serializer(className, config)
    if (known !== undefined) {
      const given = typeof config === "object" && config !== null ? Object.keys(config) : []
      for (const key of given.filter((key) => !options.includes(key))) {
        report.fail(["serializers", index, "config", key], `there is no such setting${suggestion(key, options)}`)
      }
      return [known]
    }
    const name = jvmName(className)
    if (/^(?:Gryo(?:Lite)?MessageSerializer|Graph(?:SON|Binary)\w*MessageSerializerV4)/.test(name))
      unsupported.push(name)
    else report.fail(["serializers", index, "className"], `'${className}' is not known here${suggestion(name, names)}`)
    return []
  })
  if (unsupported.length > 0) {
    const unserved = [...new Set(unsupported)].join(", ")
    const text = `Serializers that are not served: ${unserved}; set clients that use them to GraphBinaryMessageSerializerV1 or GraphSON`
    report.notes.push({ level: "warn", text })
  }
  return found.length === 0 ? undefined : found
}

/** The settings of each op processor of the JVM servers, and their schema when they have an effect. */
const processors: Readonly<Record<string, Readonly<Record<string, Schema.Schema<number, unknown> | "no effect">>>> = {
  SessionOpProcessor: {
    sessionTimeout: millis(),
    perGraphCloseTimeout: "no effect",
    maxParameters: whole(0),
    globalFunctionCacheEnabled: "no effect"
  },
  StandardOpProcessor: { maxParameters: whole(0) },
  TraversalOpProcessor: { cacheExpirationTime: "no effect", cacheMaxSize: "no effect", maxParameters: whole(0) }
}

/**
 * Decodes `processors`, whose settings apply to the whole server. The largest maxParameters wins, and a setting outside
 * `processors` wins over one inside.
 */
export const decodeProcessors = (decoded: FileSettings["processors"], report: Report): Partial<ServerSettings> => {
  const settings: { sessionTimeout?: number; maxParameters?: number } = {}
  for (const [index, { className, config }] of (decoded ?? []).entries()) {
    const path = ["processors", index]
    const known = processors[jvmName(className)]
    if (known === undefined) {
      const reason = `'${className}' is not known here${suggestion(jvmName(className), Object.keys(processors))}`
      report.fail([...path, "className"], reason)
      continue
    }
    if (typeof config !== "object" || config === null) continue
    for (const [key, value] of Object.entries(config)) {
      const schema = Object.hasOwn(known, key) ? known[key] : undefined
      if (schema === undefined) {
        report.fail([...path, "config", key], `there is no such setting${suggestion(key, Object.keys(known))}`)
      } else if (schema !== "no effect") {
        const result = Schema.decodeUnknownEither(schema)(value)
        if (Either.isLeft(result)) {
          const [issue] = ParseResult.ArrayFormatter.formatErrorSync(result.left)
          report.fail([...path, "config", key], issue?.message ?? "cannot be read")
        } else if (key === "maxParameters") settings[key] = Math.max(settings[key] ?? 0, result.right)
        else if (key === "sessionTimeout") settings[key] = result.right
      }
    }
  }
  return settings
}
