import { Bytecode, Instruction } from "../src/process/language/Bytecode.ts"
import { type ResponseMessage, resultsOf } from "../src/protocol/Messages.ts"
import type { Serializer } from "../src/protocol/Serializer.ts"
import { serializers } from "../src/protocol/Serializers.ts"
import { Detached } from "../src/structure/elements/Element.ts"

/**
 * CPU time per message, us, of the two formats that drivers use, in both directions:
 * `npx esbuild bench/protocol.ts --bundle --platform=node --format=esm --outfile=.cache/protocol.mjs && node .cache/protocol.mjs`
 */

const names = Array.from({ length: 10 }, (_, i) => `person-${1000 + i}`)

const people = new Detached()
const vertices = Array.from({ length: 64 }, (_, i) => {
  const vertex = people.addVertex(i, "person")
  people.addVertexProperty(vertex, BigInt(3 * i), "name", `person-${i}`, null)
  people.addVertexProperty(vertex, BigInt(3 * i + 1), "age", 20 + (i % 60), null)
  people.addVertexProperty(vertex, BigInt(3 * i + 2), "city", "Amsterdam", null)
  return vertex
})

const numbers = Array.from({ length: 10_000 }, (_, i) => i * 7)

const requestId = "41d2e28a-20a4-4ab0-b379-d810dede3786"
const attributes = new Map([["host", "/127.0.0.1:54321"]])

const response = (values: readonly unknown[]): ResponseMessage => ({
  requestId,
  code: 200,
  message: "",
  attributes,
  data: resultsOf(values)
})

const bytecodeJson = Buffer.from(
  JSON.stringify({
    requestId: { "@type": "g:UUID", "@value": requestId },
    op: "bytecode",
    processor: "traversal",
    args: {
      gremlin: {
        "@type": "g:Bytecode",
        "@value": {
          step: [
            ["V"],
            ["has", "person", "uid", { "@type": "g:Int32", "@value": 4711 }],
            ["out", "knows"],
            ["values", "name"]
          ]
        }
      },
      aliases: { "@type": "g:Map", "@value": ["g", "g"] }
    }
  })
)

const scriptJson = Buffer.from(
  JSON.stringify({
    requestId: { "@type": "g:UUID", "@value": requestId },
    op: "eval",
    processor: "",
    args: {
      gremlin: "g.V().has('person','uid',x).out('knows').values('name')",
      bindings: { x: 4711 },
      aliases: { g: "g" },
      language: "gremlin-groovy"
    }
  })
)

/** The same hop in GraphBinary, assembled from its parts. */
const bytecodeBinary = (): Buffer => {
  const text = (value: string): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(value.length)
    return Buffer.concat([length, Buffer.from(value)])
  }
  const typed = (value: string): Buffer => Buffer.concat([Buffer.from([3, 0]), text(value)])
  const bytecode = new Bytecode(
    [],
    [
      new Instruction("V", []),
      new Instruction("has", ["person", "uid", 4711]),
      new Instruction("out", ["knows"]),
      new Instruction("values", ["name"])
    ]
  )
  return Buffer.concat([
    Buffer.from([0x81]),
    Buffer.from(requestId.replaceAll("-", ""), "hex"),
    text("bytecode"),
    text("traversal"),
    Buffer.from([0, 0, 0, 2]),
    typed("gremlin"),
    serializers.graphBinaryV1.writeValue(bytecode),
    typed("aliases"),
    Buffer.from([10, 0, 0, 0, 0, 1]),
    typed("g"),
    typed("g")
  ])
}

const measure = (label: string, size: number, run: () => unknown): void => {
  const rounds = Math.max(20, Math.ceil(2_000_000 / size))
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 6; round++) {
    const begin = process.cpuUsage()
    for (let i = 0; i < rounds; i++) run()
    const { user, system } = process.cpuUsage(begin)
    best = Math.min(best, (user + system) / rounds)
  }
  console.log(`${label.padEnd(52)} ${best.toFixed(2).padStart(9)} us`)
}

const write = (name: string, serializer: Serializer): void => {
  const cases: ReadonlyArray<readonly [string, ResponseMessage, number]> = [
    ["10 strings", response(names), 20],
    ["64 vertices with 3 properties", response(vertices), 500],
    ["10,000 Ints", response(numbers), 10_000]
  ]
  for (const [what, message, size] of cases) {
    measure(`${name}: write ${what}`, size, () => {
      const written = serializer.writeResponse(message)
      return typeof written === "string" ? Buffer.from(written) : written
    })
  }
}

const binary = bytecodeBinary()
write("GraphSON 3", serializers.graphSONV3)
write("GraphBinary", serializers.graphBinaryV1)
measure(`GraphSON 3: read a hop as bytecode (${bytecodeJson.length} B)`, 50, () =>
  serializers.graphSONV3.readMessage(bytecodeJson)
)
measure(`GraphSON 3: read a hop as script (${scriptJson.length} B)`, 50, () =>
  serializers.graphSONV3.readMessage(scriptJson)
)
measure(`GraphBinary: read a hop as bytecode (${binary.length} B)`, 50, () =>
  serializers.graphBinaryV1.readMessage(binary)
)
