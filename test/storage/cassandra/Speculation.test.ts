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

/** The delays of the driver's further executions of a statement. */
const delaysOf = (nodes: number, timeout: number, { cql }: typeof one): ReadonlyArray<unknown> => {
  const policy = new Speculation(timeout)
  policy.init({
    hosts: { length: nodes, values: () => new Array(nodes).fill({ isUp: () => true }) }
  } as unknown as Client)
  const plan = policy.newPlan("keyspace", cql.text) as { readonly nextExecution: () => unknown }
  return [plan.nextExecution(), plan.nextExecution(), plan.nextExecution()]
}

it("The driver asks further nodes for a late page of a scan later than for a late row", () => {
  for (const statement of [one, several]) expect(delaysOf(3, 12_000, statement)).toEqual([400, 400, -1])
  for (const scan of scans) {
    expect(delaysOf(3, 12_000, scan)).toEqual([2_000, 2_000, -1])
    expect(delaysOf(3, 1_000, scan)).toEqual([250, 250, -1])
    expect(delaysOf(1, 12_000, scan)).toEqual([-1, -1, -1])
  }
})
