import type { Client } from "cassandra-driver"
import { expect, it } from "vitest"
import { Speculation } from "../../../src/storage/cassandra/Speculation.ts"
import { Statements } from "../../../src/storage/cassandra/Statements.ts"

const KEY = Buffer.from([1])
const statements = new Statements("keyspace")
const one = statements.slice({ table: "edgestore", key: KEY }, false)
const several = statements.slices({ table: "edgestore", key: KEY }, [KEY], 10)
const scans = (["all", { after: KEY }, { above: 0n, upTo: 1n }] as const).map((range) =>
  statements.scan("edgestore", 100, range)
)

const addition = { column: KEY, value: KEY }
const writes = [
  statements.add("edgestore", KEY, addition, 1n),
  statements.add("edgestore", KEY, { ...addition, ttl: 1 }, 1n),
  statements.remove("edgestore", KEY, KEY, 1n),
  statements.removeRange("edgestore", KEY, KEY, KEY, 1n),
  statements.removeRow("edgestore", KEY, 1n)
]

/** The delays of the driver's further executions of a statement, or of a batch. */
const delaysOf = (nodes: number, timeout: number, of: string | Array<object>): ReadonlyArray<unknown> => {
  const policy = new Speculation(timeout)
  policy.init({
    hosts: { length: nodes, values: () => new Array(nodes).fill({ isUp: () => true }) }
  } as unknown as Client)
  const plan = policy.newPlan("keyspace", of) as { readonly nextExecution: () => unknown }
  return [plan.nextExecution(), plan.nextExecution(), plan.nextExecution()]
}

it("The driver asks further nodes for a late page of a scan later than for a late row", () => {
  for (const { cql } of [one, several]) expect(delaysOf(3, 12_000, cql.text)).toEqual([400, 400, -1])
  for (const { cql } of scans) {
    expect(delaysOf(3, 12_000, cql.text)).toEqual([2_000, 2_000, -1])
    expect(delaysOf(3, 1_000, cql.text)).toEqual([250, 250, -1])
    expect(delaysOf(1, 12_000, cql.text)).toEqual([-1, -1, -1])
  }
})

it("The driver asks one further node for a late write, and none after the timeout", () => {
  for (const write of [...writes.map(({ cql }) => cql.text), [{}]]) {
    expect(delaysOf(3, 12_000, write)).toEqual([2_000, -1, -1])
    expect(delaysOf(3, 2_000, write)).toEqual([-1, -1, -1])
    expect(delaysOf(1, 12_000, write)).toEqual([-1, -1, -1])
  }
})
