import { Bytecode, Instruction } from "../../src/process/language/Bytecode.ts"
import { GraphBinaryWriter } from "../../src/protocol/graphbinary/GraphBinaryWriter.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { GremlinMap } from "../../src/structure/collections/Collections.ts"
import { BigDecimal, BigInteger, Byte, Float, Short } from "../../src/structure/numbers/Numbers.ts"
import { Char } from "../../src/structure/scalars/Char.ts"
import { Uuid } from "../../src/structure/scalars/Uuid.ts"
import { Duration, Timestamp } from "../../src/structure/times/Temporal.ts"
import type { Random } from "./Random.ts"

/** Valid scripts. A mutation of one may be invalid. */
export const scripts: ReadonlyArray<string> = [
  "g.V().count()",
  "g.V().has('person','name','marko').out('knows').values('name').fold()",
  "g.V().repeat(__.both().simplePath()).times(3).path().by('name').limit(5)",
  "g.inject(1,2L,3.0d,4.5f,'x',null,true).map(__.identity()).group().by(__.is(P.gt(1)))",
  "g.V().match(__.as('a').out('created').as('b'),__.as('b').in('created').as('c')).where('a',P.neq('c')).select('a','c')",
  "g.V().project('a','b').by('name').by(__.outE().count()).order().by(__.select('b'),Order.desc)",
  "g.addV('t').property('k','v').as('a').addE('e').to('a').property('w',0.5)",
  "g.V().hasLabel('t').drop()",
  'x = [1,2,3]; y = x.size() + 4 * 2; [a:y, b:"text\\n"]',
  "g.V().valueMap(true).unfold().select(Column.keys).dedup()",
  "g.V().aggregate('x').cap('x').unfold().tree()",
  "g.mergeV([(T.label):'t',k:'v']).option(Merge.onCreate,[k:'w'])",
  "g.V().has('name',TextP.regex('^m.*')).union(__.out(),__.in()).choose(__.hasLabel('person'),__.id(),__.label())",
  "g.withSack(1.0f).V().sack(Operator.sum).by('age').sack()",
  "g.V().coalesce(__.values('none'),__.constant('x')).concat('y').toUpper().substring(0,3)"
]

const bindings = { x: 1, name: "marko", list: [1, "a", null], map: { a: { b: [true] } } }

const versions: ReadonlyArray<string> = [
  "application/vnd.gremlin-v3.0+json",
  "application/vnd.gremlin-v2.0+json",
  "application/vnd.gremlin-v1.0+json",
  "application/vnd.gremlin-v3.0+json;types=false",
  "application/json"
]

export const BINARY = "application/vnd.graphbinary-v1.0"

export const framedMime = (mime: string, payload: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from([Buffer.byteLength(mime)]), Buffer.from(mime, "latin1"), Buffer.from(payload as string)])

const typedMap = (value: Record<string, unknown>): unknown => ({
  "@type": "g:Map",
  "@value": Object.entries(value).flat()
})

/** A request message in GraphSON. */
export const graphson = (random: Random, requestId: string): { readonly mime: string; readonly json: string } => {
  const mime = random.one(versions)
  const typed = random.chance(0.5)
  const id = typed ? { "@type": "g:UUID", "@value": requestId } : requestId
  const script = random.one(scripts)
  const map = typed ? typedMap : (value: Record<string, unknown>): unknown => value
  switch (random.below(6)) {
    case 0: {
      const step = [["V"], ["has", "name", { "@type": "g:P", "@value": { predicate: "within", value: ["a", "b"] } }]]
      const inner = {
        "@type": "g:Bytecode",
        "@value": {
          step: [
            ["out", "knows"],
            ["values", "name"]
          ]
        }
      }
      const gremlin = {
        "@type": "g:Bytecode",
        "@value": { source: [["withSack", 1]], step: [...step, ["flatMap", inner]] }
      }
      const args = map({ gremlin, aliases: map({ g: "g" }) })
      return { mime, json: JSON.stringify({ requestId: id, op: "bytecode", processor: "traversal", args }) }
    }
    case 1: {
      const args = map({
        gremlin: script,
        session: random.one(["s", requestId]),
        manageTransaction: random.chance(0.5)
      })
      return { mime, json: JSON.stringify({ requestId: id, op: "eval", processor: "session", args }) }
    }
    case 2: {
      const args = map({ session: "s" })
      return { mime, json: JSON.stringify({ requestId: id, op: "close", processor: "session", args }) }
    }
    case 3: {
      const args = map({ saslMechanism: "PLAIN", sasl: Buffer.from("\0a\0b").toString("base64") })
      return { mime, json: JSON.stringify({ requestId: id, op: "authentication", processor: "", args }) }
    }
    default: {
      const args = map({
        gremlin: script,
        bindings: map(bindings),
        aliases: map({ g: "g" }),
        language: "gremlin-groovy",
        batchSize: 64,
        evaluationTimeout: 200,
        userAgent: "fuzz",
        materializeProperties: "tokens"
      })
      return { mime, json: JSON.stringify({ requestId: id, op: "eval", processor: "", args }) }
    }
  }
}

const writer = new GraphBinaryWriter()
const { output } = writer

/** A request message in GraphBinary. */
export const graphbinary = (random: Random, requestId: string): Buffer => {
  output.reset()
  output.byte(0x81)
  output.uuid(requestId)
  const bytecode = random.chance(0.5)
  output.string(bytecode ? "bytecode" : "eval")
  output.string(bytecode ? "traversal" : random.one(["", "session"]))
  const inner = new Bytecode([], [new Instruction("out", ["knows"]), new Instruction("values", ["name"])])
  const args: Record<string, unknown> = bytecode
    ? {
        gremlin: new Bytecode([], [new Instruction("V", []), new Instruction("flatMap", [inner])]),
        aliases: new GremlinMap([["g", "g"]])
      }
    : {
        gremlin: random.one(scripts),
        session: "s",
        bindings: new GremlinMap(Object.entries({ x: someValue(random), y: [someValue(random), someValue(random)] }))
      }
  output.int(Object.keys(args).length)
  for (const [name, value] of Object.entries(args)) {
    writer.value(name)
    writer.value(value)
  }
  return output.finish()
}

const someValue = (random: Random): unknown =>
  random.one([
    1,
    2n,
    1.5,
    new Float(2.5),
    new Byte(3),
    new Short(4),
    "text",
    true,
    null,
    new BigInteger(10n ** 30n),
    new BigDecimal(12_345n, 3),
    new Uuid("41d2e28a-20a4-4ab0-b379-d810dede3786"),
    new Timestamp(0),
    new Char("ä"),
    new Duration(5n, 6),
    Uint8Array.of(1, 2, 3),
    new GremlinMap([["a", [1, [2, [3]]]]])
  ])

/** Type codes of GraphBinary with optional lengths, for random data. */
export const garbageValue = (random: Random, depth: number): Buffer => {
  const code = random.chance(0.9) ? random.below(0x36) : random.below(256)
  const int = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const parts: Array<Buffer> = [Buffer.from([code, random.chance(0.9) ? 0 : random.below(3)])]
  const count = random.chance(0.8) ? random.below(4) : random.one([-1, 0x7fffffff, 1_000, 100_000])
  if (random.chance(0.6)) parts.push(int(count))
  const inside = depth > 6 ? 0 : random.below(4)
  for (let i = 0; i < inside; i++) parts.push(garbageValue(random, depth + 1))
  if (random.chance(0.5)) parts.push(random.bytes(random.below(20)))
  return Buffer.concat(parts)
}

/** A value that is nested more deeply than a call stack allows. */
export const deepValue = (random: Random): Buffer => {
  const open = random.one([
    "09000000000100",
    "0a00000000010300000000016101",
    "2b00000000010300000000016100",
    "15000000000100000001610000000109"
  ])
  return Buffer.from(open.slice(0, 14).repeat(1 + random.below(3_000)), "hex")
}

/** The head of a GraphBinary request. The following bytes are its only argument. */
export const binaryHead = (requestId: string, argument: string): Buffer => {
  output.reset()
  output.byte(0x81)
  output.uuid(requestId)
  output.string("eval")
  output.string("")
  output.int(2)
  writer.value("gremlin")
  writer.value("1")
  writer.value(argument)
  return output.finish()
}

/** A request over HTTP, with headers and body separately. */
export const http = (random: Random, requestId: string, authorization: string | undefined) => {
  const script = random.one(scripts)
  const headers = ["Host: 127.0.0.1"]
  if (authorization !== undefined) headers.push(`Authorization: ${authorization}`)
  headers.push(`Accept: ${random.one([...versions, BINARY, "*/*", "text/plain", "application/json;q=0.5, */*;q=0.1"])}`)
  const withBody = (body: Buffer | string, type: string): { head: Array<string>; body: Buffer } => {
    const bytes = Buffer.from(body as string)
    headers.push(`Content-Type: ${type}`)
    if (random.chance(0.25)) {
      headers.push("Transfer-Encoding: chunked")
      const cut = random.below(bytes.length)
      const chunk = (part: Buffer): Buffer =>
        part.length === 0
          ? part
          : Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")])
      const chunked = [chunk(bytes.subarray(0, cut)), chunk(bytes.subarray(cut)), Buffer.from("0\r\n\r\n")]
      return { head: ["POST /gremlin HTTP/1.1", ...headers], body: Buffer.concat(chunked) }
    }
    headers.push(`Content-Length: ${bytes.length}`)
    return { head: [`POST ${random.one(["/", "/gremlin"])} HTTP/1.1`, ...headers], body: bytes }
  }
  switch (random.below(6)) {
    case 0:
      return {
        head: [`GET /?gremlin=${encodeURIComponent(script)}&bindings.x=1 HTTP/1.1`, ...headers],
        body: Buffer.alloc(0)
      }
    case 1: {
      const { json, mime } = graphson(random, requestId)
      return withBody(json, mime)
    }
    case 2:
      return withBody(framedMime(BINARY, graphbinary(random, requestId)), BINARY)
    case 3: {
      const path = random.one(["/health/live", "/metrics", "/gremlin/status", "/session", "/favicon.ico", "*"])
      return {
        head: [`${random.one(["GET", "HEAD", "DELETE", "OPTIONS", "POST"])} ${path} HTTP/1.1`, ...headers],
        body: Buffer.alloc(0)
      }
    }
    default:
      return withBody(
        JSON.stringify({ gremlin: script, bindings, aliases: { g: "g" }, requestId, evaluationTimeout: 200 }),
        "application/json"
      )
  }
}

const headerLines = [
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 99999999999",
  "Transfer-Encoding: chunked"
]
  .concat([
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: \x0bchunked",
    "Connection: close",
    "Connection: Upgrade"
  ])
  .concat([
    "Upgrade: websocket",
    "Upgrade: h2c",
    "Expect: 100-continue",
    "Expect: x",
    "Content-Encoding: gzip",
    "Host: y"
  ])
  .concat([
    "Origin: http://evil.example",
    "Origin: null",
    "Accept: x/y",
    " folded",
    ": empty",
    "X",
    "Sec-WebSocket-Version: 13"
  ])
  .concat([
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Content-Type: application/vnd.graphbinary-v1.0",
    "Authorization: Basic !!"
  ])
  .concat([`X: ${"y".repeat(9_000)}`, "Cookie: \xff\xfe", "Proxy-Connection: keep-alive", "TE: trailers", "Trailer: X"])

/** Changes the head of an HTTP request by its lines. */
export const mutateHead = (head: ReadonlyArray<string>, random: Random): ReadonlyArray<string> => {
  const lines = [...head]
  for (let rounds = 1 + random.below(3); rounds > 0; rounds--) {
    const at = 1 + random.below(lines.length)
    switch (random.below(6)) {
      case 0:
        lines.splice(Math.min(at, lines.length - 1), 1)
        break
      case 1:
        lines.splice(at, 0, lines[Math.min(at, lines.length - 1)]!)
        break
      case 2: {
        const [, target = "/", version = "HTTP/1.1"] = (lines[0] ?? "").split(" ")
        const method = random.one(["GET", "POST", "PUT", "TRACE", "CONNECT", "PRI", "get", "PATCH", "M-SEARCH", "G\0T"])
        const other = random.one([
          target,
          "",
          "*",
          "/%",
          "http://x/",
          "//",
          "/?gremlin=%zz",
          `/${"x".repeat(5_000)}`,
          "/?a=\xff"
        ])
        lines[0] = `${method} ${other} ${random.one([version, version, "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTP/1.1"])}`
        break
      }
      default:
        lines.splice(at, 0, random.one(headerLines))
    }
  }
  return lines
}

export const { graphBinaryV1 } = serializers
