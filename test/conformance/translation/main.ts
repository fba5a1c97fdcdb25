import { parseScript } from "../../../src/gremlin/Parser.ts"
import { Bytecode } from "../../../src/process/language/Bytecode.ts"
import { GraphBinarySerializer } from "../../../src/protocol/graphbinary/GraphBinarySerializer.ts"
import { GraphSONSerializer } from "../../../src/protocol/graphson/GraphSONSerializer.ts"
import type { Serializer } from "../../../src/protocol/Serializer.ts"
import { obtain } from "../Artifacts.ts"
import type { Scenario } from "../Feature.ts"
import { type Elements, parseNotation, resolve } from "../Notation.ts"
import { Payloads } from "../Payloads.ts"
import { showCounts } from "../Report.ts"
import { traversals } from "../Runner.ts"
import * as V from "../Value.ts"
import { GremlinError } from "../wire/Answer.ts"
import * as GraphSONParameters from "../wire/GraphSONParameters.ts"
import { bytecodeText } from "./BytecodeText.ts"
import { referenceText, referenceValue } from "./ReferenceText.ts"

/** Replaces the elements of the graph of a scenario. Parameters are compared by name, so that any element is sufficient. */
const anyElements: Elements = {
  vertex: async () => ({ kind: "vertex", id: V.int(1), label: "person" }),
  edge: async () => {
    const end = { id: V.int(1), label: "person" }
    return { kind: "edge", id: V.int(7), label: "knows", out: end, in: end }
  },
  vertexProperty: async () => ({ kind: "vertexProperty", id: V.long(0), label: "name", value: V.string("marko") })
}

const parametersOf = async (scenario: Scenario): Promise<ReadonlyMap<string, V.Value>> => {
  const parameters = new Map<string, V.Value>()
  for (const step of scenario.steps) {
    const match = /^using the parameter (\w+) defined as "(.*)"$/.exec(step.text)
    if (match !== null) {
      const text = match[2]!.replaceAll(/\\(["'])/g, "$1")
      parameters.set(match[1]!, await resolve(parseNotation(text), anyElements))
    }
  }
  return parameters
}

/** The text of a parameter, in the notation of the compared texts. */
const parameterText = (value: V.Value): string => referenceValue(GraphSONParameters.encode(value))

const read = (serializer: Serializer, message: Buffer): string => {
  const { gremlin } = serializer.readMessage(message).args
  return gremlin instanceof Bytecode ? bytecodeText(gremlin) : "no bytecode"
}

/** The differences between TinkerPop's bytecode of a traversal and the three readings of this server. Empty if they agree. */
const differences = async (gremlin: string, scenario: Scenario, payloads: Payloads): Promise<ReadonlyArray<string>> => {
  const parameters = await parametersOf(scenario)
  const message = (format: "graphson" | "graphbinary") =>
    payloads.message({ format, gremlin, source: "g", parameters, bindings: true })
  const text = await message("graphson").then((bytes) => bytes.toString("utf8"))
  const binary = await message("graphbinary")
  const expected = referenceText(text)
  const readings: Readonly<Record<string, () => string>> = {
    "script parser": () => {
      const { traversal } = parseScript(gremlin, { language: "gremlin-lang" })
      const text = traversal === undefined ? "no traversal" : bytecodeText(traversal)
      return text.replaceAll(/\$(\w+)/g, (name, key: string) =>
        parameters.has(key) ? parameterText(parameters.get(key)!) : name
      )
    },
    "GraphSON reader": () => read(new GraphSONSerializer(3, true), Buffer.from(text)),
    "GraphBinary reader": () => read(new GraphBinarySerializer(false), binary)
  }
  return Object.entries(readings).flatMap(([name, reading]) => {
    let actual: string
    try {
      actual = reading()
    } catch (error) {
      actual = `an error: ${(error as Error).message.split("\n").join(" ")}`
    }
    return actual === expected ? [] : [`${name}\n    has      ${actual}\n    expected ${expected}`]
  })
}

/**
 * Compares two results with the bytecode of TinkerPop's parser, for every traversal of the suite: the bytecode of this
 * server's parser, and the bytecode that its readers decode from TinkerPop's messages. Needs no server.
 *
 * @returns the exit code
 */
export const main = async (args: ReadonlyArray<string>, home: string, cache: string): Promise<number> => {
  const filter = new RegExp(args[0] ?? "")
  const artifacts = obtain(home, cache)
  const payloads = new Payloads(artifacts.classPath, cache, home)
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const scenario of artifacts.scenarios.filter(({ key }) => filter.test(key))) {
    // UUID() and datetime() have a new value at each evaluation.
    for (const gremlin of traversals(scenario).filter((text) => !/(UUID|datetime)\(\)/i.test(text))) {
      try {
        const found = await differences(gremlin, scenario, payloads)
        counts[found.length === 0 ? "passed" : "failed"]++
        for (const difference of found) console.log(`  ${scenario.key}: ${difference}`)
      } catch (error) {
        // TinkerPop's parser rejects it, so that there is no reference.
        if (!(error instanceof GremlinError)) throw error
        counts.skipped++
      }
    }
  }
  payloads.close()
  console.log(`translation: ${showCounts(counts)}`)
  return counts.failed === 0 ? 0 : 1
}
