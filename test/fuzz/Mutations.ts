import type { Random } from "./Random.ts"

/** Numbers that replace lengths and counts. */
const absurd = [0, 1, -1, 0x7fffffff, -0x80000000, 0x00ffffff, 0x7fff, 255, 127, 65_536]

const pieces = [
  "\0",
  "\r\n",
  "\n",
  "\r\n\r\n",
  "\xff\xfe",
  "\xc3",
  "\ud800",
  "%",
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "\\",
  ","
]

/** Changes some bytes: flips, deletions, insertions, repetitions, extreme lengths, an early end. */
export const mutateBytes = (bytes: Buffer, random: Random): Buffer => {
  let result = bytes
  for (let rounds = 1 + random.below(4); rounds > 0 && result.length > 0; rounds--) result = mutateOnce(result, random)
  return result
}

const mutateOnce = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length)
  const length = 1 + random.below(Math.min(16, bytes.length - at))
  const splice = (middle: Buffer, removed: number): Buffer =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + removed)])
  switch (random.below(8)) {
    case 0: {
      const copy = Buffer.from(bytes)
      copy[at]! ^= 1 << random.below(8)
      return copy
    }
    case 1: {
      const copy = Buffer.from(bytes)
      copy[at] = random.below(256)
      return copy
    }
    case 2:
      return splice(Buffer.alloc(0), length)
    case 3:
      return splice(random.bytes(length), 0)
    case 4:
      return splice(Buffer.concat([bytes.subarray(at, at + length), bytes.subarray(at, at + length)]), length)
    case 5:
      return splice(Buffer.from(random.one(pieces), "latin1"), random.below(2))
    case 6: {
      if (bytes.length < 4) return bytes
      const copy = Buffer.from(bytes)
      copy.writeInt32BE(random.one(absurd), random.below(bytes.length - 3))
      return copy
    }
    default:
      return bytes.subarray(0, at)
  }
}

/** JSON text that is written into a tree without changes. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object is an array of members, so that names may repeat. */
class Members {
  readonly list: Array<[string, unknown]>
  constructor(list: Array<[string, unknown]>) {
    this.list = list
  }
}

const names = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "0",
  "-1",
  "1e3",
  "@type",
  "@value",
  "@class"
]
  .concat(["requestId", "op", "processor", "args", "gremlin", "bindings", "aliases", "session", "language"])
  .concat(["batchSize", "evaluationTimeout", "x".repeat(5_000), "\u0000", "\ud800", "ключ"])

const types = [
  "g:Int32",
  "g:Int64",
  "g:Double",
  "g:Float",
  "g:List",
  "g:Map",
  "g:Set",
  "g:UUID",
  "g:Date",
  "g:Timestamp"
]
  .concat([
    "g:Vertex",
    "g:Edge",
    "g:VertexProperty",
    "g:Property",
    "g:Path",
    "g:Tree",
    "g:BulkSet",
    "g:Bytecode",
    "g:P"
  ])
  .concat(["g:TextP", "g:Lambda", "g:Binding", "g:Traverser", "g:T", "g:Order", "g:Class", "g:Metrics", "tinker:graph"])
  .concat([
    "gx:BigInteger",
    "gx:BigDecimal",
    "gx:Byte",
    "gx:Int16",
    "gx:Char",
    "gx:ByteBuffer",
    "gx:Duration",
    "gx:Period"
  ])
  .concat([
    "g:OptionsStrategy",
    "janusgraph:RelationIdentifier",
    "gx:ZonedDateTime",
    "gx:InetAddress",
    "g:Nope",
    "",
    "x"
  ])

const values = (random: Random): unknown => {
  switch (random.below(14)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.below(1_000) - 500
    case 3:
      return new Raw(
        random.one(["1e999", "-0", "-0.0", "1E-999", "9".repeat(400), "00", "1.", ".5", "NaN", "+1", "0x1"])
      )
    case 4:
      return new Raw(random.one(["2147483648", "-9223372036854775809", "9007199254740993", "1e2", "1.0"]))
    case 5:
      return random.one(["", "x", "g", "\u0000", "\ud800", "\u2028", "%", "x".repeat(3_000), "😀", "$x", "\r\nX: y"])
    case 6:
      return new Raw(
        random.one(['"\\ud800"', '"\\u00"', '"\\x"', '"\t"', "'x'", "undefined", "tru", '"', "[", "{", "]", "}"])
      )
    case 7:
      return []
    case 8:
      return new Members([])
    case 9:
      return new Members([
        ["@type", random.one(types)],
        ["@value", values(random)]
      ])
    case 10:
      return new Members([
        ["@value", values(random)],
        ["@type", random.one(types)]
      ])
    case 11:
      return [values(random), values(random)]
    case 12: {
      const depth = 1 + random.below(400)
      const open = random.one(["[", '{"a":', '{"@type":"g:List","@value":['])
      const close = open === "[" ? "]" : open === '{"a":' ? "}" : "]}"
      return new Raw(open.repeat(depth) + (random.chance(0.5) ? `1${close.repeat(depth)}` : ""))
    }
    default:
      return new Members([[random.one(names), values(random)]])
  }
}

const treeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(treeOf)
  if (typeof value === "object" && value !== null) {
    return new Members(Object.entries(value).map(([name, inner]): [string, unknown] => [name, treeOf(inner)]))
  }
  return value
}

const textOf = (tree: unknown): string => {
  if (tree instanceof Raw) return tree.text
  if (tree instanceof Members) return `{${tree.list.map(([name, v]) => `${JSON.stringify(name)}:${textOf(v)}`).join()}}`
  if (Array.isArray(tree)) return `[${tree.map(textOf).join()}]`
  return JSON.stringify(tree)
}

/** Changes the structure of a JSON text: values of other types, hostile and repeated names, deep nesting, missing members. */
export const mutateJson = (json: string, random: Random): string => {
  let tree = treeOf(JSON.parse(json))
  for (let rounds = 1 + random.below(3); rounds > 0; rounds--) tree = mutateTree(tree, random, 0)
  return textOf(tree)
}

const mutateTree = (tree: unknown, random: Random, depth: number): unknown => {
  const stop = random.chance(depth === 0 ? 0.02 : 0.25)
  if (tree instanceof Members && tree.list.length > 0 && !stop) {
    const at = random.below(tree.list.length)
    const list = [...tree.list]
    const [name, value] = list[at]!
    switch (random.below(8)) {
      case 0:
        list.splice(at, 1)
        break
      case 1:
        list.push([name, random.chance(0.5) ? value : values(random)])
        break
      case 2:
        list[at] = [random.one(names), value]
        break
      case 3:
        list.splice(at, 0, [random.one(names), values(random)])
        break
      default:
        list[at] = [name, mutateTree(value, random, depth + 1)]
    }
    return new Members(list)
  }
  if (Array.isArray(tree) && tree.length > 0 && !stop) {
    const at = random.below(tree.length)
    const list = [...tree]
    const choice = random.below(10)
    if (choice < 2) list.splice(at, 1)
    else if (choice < 4) list.splice(at, 0, values(random))
    else list[at] = mutateTree(list[at], random, depth + 1)
    return list
  }
  return values(random)
}

const tokens = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ".",
  ";",
  "'",
  '"',
  '"""',
  "\\",
  "/*",
  "//",
  "#",
  "$",
  "->",
  "<",
  "==",
  "?"
]
  .concat([
    "..",
    "<..<",
    "!",
    "-",
    "*",
    "\n",
    "\0",
    "\ufffd",
    "😀",
    "null",
    "NaN",
    "true",
    "new",
    "def x =",
    "import java.io.*"
  ])
  .concat([
    "1e999",
    "0x",
    "9".repeat(300),
    "1L",
    "1.0f",
    "-2147483649",
    "2147483648",
    "'x'*9",
    "System.exit(0)",
    "Thread.sleep(9)"
  ])
  .concat([
    "__",
    "__.out()",
    "g",
    "g.V()",
    "graph",
    "x",
    "V()",
    "out()",
    "repeat(__.both())",
    "times(3)",
    "emit()",
    "fold()"
  ])
  .concat([
    "inject(1)",
    "addV('a')",
    "property('a',1)",
    "P.gt(1)",
    "within([])",
    "T.id",
    "Order.asc",
    "TextP.regex('(a+)+$')"
  ])
  .concat([
    "as('a')",
    "select('a')",
    "group()",
    "by()",
    "tree()",
    "path()",
    "call()",
    "io('/etc/passwd')",
    "fail()",
    "profile()"
  ])
  .concat([
    "toString()",
    "getClass()",
    "class",
    "this",
    "constructor",
    "__proto__",
    "while(true){}",
    "{ it }",
    "sack(sum)"
  ])

/** Changes a script by its tokens. */
export const mutateScript = (script: string, random: Random): string => {
  const parts = script.match(/\w+|\s+|'[^']*'|./gs) ?? []
  for (let rounds = 1 + random.below(5); rounds > 0; rounds--) {
    const at = random.below(parts.length + 1)
    switch (random.below(7)) {
      case 0:
        parts.splice(at, 1 + random.below(3))
        break
      case 1:
        parts.splice(at, 0, random.one(tokens))
        break
      case 2:
        if (at < parts.length) parts[at] = random.one(tokens)
        break
      case 3:
        parts.splice(at, 0, ...parts.slice(at, at + 1 + random.below(8)))
        break
      case 4: {
        const open = random.one(["(", "[", "{", "__.map(", "!", "-", "__.where(__.", "'"])
        parts.splice(at, 0, open.repeat(1 + random.below(300)))
        break
      }
      case 5:
        parts.splice(at)
        break
      default:
        parts.splice(at, 0, String.fromCharCode(random.below(65_536)))
    }
  }
  return parts.join("")
}
