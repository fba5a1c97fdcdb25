import { describe } from "vitest"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { Sent } from "./CountedClient.ts"
import { FakeCluster } from "./FakeCluster.ts"
import { NEWS_INTERVAL_MS, statementTests, withoutRenewal } from "./StatementTests.ts"

const sent = new Sent()

describe("Over a cluster in memory", () =>
  statementTests(async () => {
    const cluster = new FakeCluster()
    cluster.sleep = withoutRenewal(cluster.sleep)
    return cellGraph(await cluster.store({}, sent, { newsInterval: NEWS_INTERVAL_MS }))
  }, sent))
