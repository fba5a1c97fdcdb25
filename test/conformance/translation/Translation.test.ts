import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, StrategySpec } from "../../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P } from "../../../src/process/language/Predicate.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { bytecodeText } from "./BytecodeText.ts"
import { referenceText } from "./ReferenceText.ts"

const int = (value: number) => `{"@type":"g:Int32","@value":${value}}`
const predicate = (name: string, value: string) => `{"@type":"g:P","@value":{"predicate":"${name}","value":${value}}}`
const list = (...items: ReadonlyArray<string>) => `{"@type":"g:List","@value":[${items.join(",")}]}`

/** The text of a request in TinkerPop's GraphSON. `steps` and `source` are its instructions. */
const reference = (steps: string, source = ""): string =>
  referenceText(
    `{"requestId":"x","op":"bytecode","processor":"traversal","args":{"@type":"g:Map","@value":["gremlin",` +
      `{"@type":"g:Bytecode","@value":{"source":[${source}],"step":[${steps}]}},"aliases",{"@type":"g:Map","@value":["g","g"]}]}}`
  )

/** The text of bytecode of this server with these steps. */
const steps = (...all: ReadonlyArray<readonly [string, ...ReadonlyArray<unknown>]>): string =>
  bytecodeText(
    new Bytecode(
      [],
      all.map(([operator, ...args]) => new Instruction(operator, args))
    )
  )

describe("The texts of bytecode", () => {
  it("are equal for the same bytecode and differ with a step, an argument or its type", () => {
    const expected = reference(`["V",${int(1)}],["has","age",${predicate("gt", int(30))}]`)
    expect(steps(["V", 1], ["has", "age", new P("gt", 30)])).toBe(expected)
    expect(steps(["V", 1n], ["has", "age", new P("gt", 30)])).not.toBe(expected)
    expect(steps(["V", 1], ["has", "age", new P("gte", 30)])).not.toBe(expected)
    expect(steps(["V", 1], ["has", "name", new P("gt", 30)])).not.toBe(expected)
    expect(steps(["V", 1])).not.toBe(expected)
    expect(steps(["V", 1], ["has", "age", 30])).not.toBe(expected)
  })

  it("are different for lists, sets and maps, and ignore the order of sets and maps", () => {
    const inject = (items: string) => reference(`["inject",{"@type":"g:Set","@value":[${items}]}]`)
    expect(steps(["inject", new GremlinSet([2, 1])])).toBe(inject(`${int(1)},${int(2)}`))
    expect(steps(["inject", [1, 2]])).not.toBe(inject(`${int(1)},${int(2)}`))
    const map = reference(
      `["inject",{"@type":"g:Map","@value":["a",${int(1)},{"@type":"g:T","@value":"id"},${int(2)}]}]`
    )
    expect(
      steps([
        "inject",
        new GremlinMap([
          ["a", 1],
          ["id", 2]
        ])
      ])
    ).not.toBe(map)
  })

  it("include nested traversals", () => {
    const nested = (name: string) => reference(`["where",{"@type":"g:Bytecode","@value":{"step":[["${name}"]]}}]`)
    const where = steps(["where", new Bytecode([], [new Instruction("out", [])])])
    expect(where).toBe(nested("out"))
    expect(where).not.toBe(nested("in"))
  })

  it("are equal for forms that TinkerPop rewrites before it sends a traversal", () => {
    const [low, high] = [predicate("gte", int(1)), predicate("lt", int(2))]
    expect(steps(["is", new P("between", [1, 2])])).toBe(reference(`["is",${predicate("and", `[${low},${high}]`)}]`))
    const either = new ConnectiveP("or", [new P("eq", 1), new P("eq", 2)])
    const neither = [1, 2].map((value) => predicate("not", predicate("eq", int(value)))).join(",")
    expect(steps(["is", new NotP(either)])).toBe(reference(`["is",${predicate("and", `[${neither}]`)}]`))
    expect(steps(["limit", 1])).toBe(reference('["limit",{"@type":"g:Int64","@value":1}]'))
    expect(steps(["property", new GremlinMap([["a", 1]])])).toBe(reference(`["property","a",${int(1)}]`))
    const strategy = (conf: string) =>
      reference(
        '["V"]',
        `["withStrategies",{"@type":"g:PartitionStrategy","@value":{"fqcn":"a.b.PartitionStrategy","conf":{${conf}}}}]`
      )
    const ours = (read: ReadonlyArray<string>) => {
      const spec = new StrategySpec("PartitionStrategy", new Map([["readPartitions", read]]))
      return bytecodeText(new Bytecode([new Instruction("withStrategies", [spec])], [new Instruction("V", [])]))
    }
    const sent = strategy('"includeMetaProperties":false,"readPartitions":{"@type":"g:Set","@value":["a"]}')
    expect(ours(["a"])).toBe(sent)
    expect(ours(["b"])).not.toBe(sent)
  })

  it("keep the operands of within in order", () => {
    const within = reference(`["is",${predicate("within", list(int(1), int(2)))}]`)
    expect(steps(["is", new P("within", [1, 2])])).toBe(within)
    expect(steps(["is", new P("within", [2, 1])])).not.toBe(within)
  })
})
