import { describe } from "vitest"
import { connect } from "../../src/storage/cassandra/Connection.ts"
import { CqlColumns } from "../../src/storage/cassandra/CqlColumns.ts"
import { CqlStore } from "../../src/storage/cassandra/CqlStore.ts"
import { systemClock } from "../../src/storage/cassandra/coordination/Clock.ts"
import { openCoordination } from "../../src/storage/cassandra/coordination/Coordination.ts"
import { coordinationDefaults } from "../../src/storage/cassandra/coordination/CoordinationOptions.ts"
import { prepareKeyspace } from "../../src/storage/cassandra/Keyspace.ts"
import { countedClient, Sent } from "../storage/cassandra/CountedClient.ts"
import { NEWS_INTERVAL_MS, statementTests, withoutRenewal } from "../storage/cassandra/StatementTests.ts"
import { cellGraph } from "../storage/janusgraph/Graphs.ts"
import { cqlOptions, newKeyspace, silent } from "./Stores.ts"

const store = async (sent: Sent): Promise<CqlStore> => {
  const options = cqlOptions(newKeyspace())
  const client = countedClient(await connect(options), sent)
  const tables = await prepareKeyspace(client, options)
  const columns = new CqlColumns(client, options)
  const clock = systemClock()
  const coordination = await openCoordination({
    columns,
    wanted: { partitionBits: 5, idBlockSize: 10_000, userVertexIds: false, textVertexIds: false },
    options: { ...coordinationDefaults, newsInterval: NEWS_INTERVAL_MS },
    events: silent,
    writesLast: columns.requestTimeout,
    clock: { ...clock, sleep: withoutRenewal(clock.sleep) }
  })
  return new CqlStore(columns, tables, coordination)
}

const sent = new Sent()

describe("Over Cassandra", () => statementTests(async () => cellGraph(await store(sent)), sent))
