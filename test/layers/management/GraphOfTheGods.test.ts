import { readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { afterEach, expect, it, vi } from "vitest"
import { newFolder } from "../../Folders.ts"
import { graphOf, onLmdb } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const require = createRequire(import.meta.url)

interface Client {
  submit(script: string): Promise<{ toArray(): ReadonlyArray<unknown> }>
  close(): Promise<void>
}
const { driver }: { readonly driver: { readonly Client: new (url: string, options: object) => Client } } =
  require("gremlin")

/** The schema of JanusGraph's example, as its users write it. */
const SCHEMA = `
  import org.janusgraph.core.schema.*
  mgmt = graph.openManagement()
  name = mgmt.makePropertyKey("name").dataType(String.class).make();
  nameIndex = mgmt.buildIndex("name", Vertex.class).addKey(name).unique().buildCompositeIndex();
  mgmt.setConsistency(nameIndex, ConsistencyModifier.LOCK);
  age = mgmt.makePropertyKey("age").dataType(Integer.class).make();
  mgmt.buildIndex("vertices", Vertex.class).addKey(age).buildMixedIndex("search");
  time = mgmt.makePropertyKey("time").dataType(Integer.class).make();
  reason = mgmt.makePropertyKey("reason").dataType(String.class).make();
  place = mgmt.makePropertyKey("place").dataType(Geoshape.class).make();
  mgmt.buildIndex("edges", Edge.class).addKey(reason).addKey(place).buildMixedIndex("search");
  mgmt.makeEdgeLabel("father").multiplicity(Multiplicity.MANY2ONE).make();
  mgmt.makeEdgeLabel("mother").multiplicity(MANY2ONE).make();
  battled = mgmt.makeEdgeLabel("battled").signature(time).make();
  mgmt.buildEdgeIndex(battled, "battlesByTime", Direction.BOTH, Order.desc, time);
  mgmt.makeEdgeLabel("lives").signature(reason).make();
  mgmt.makeEdgeLabel("pet").make();
  mgmt.makeEdgeLabel("brother").make();
  mgmt.makeVertexLabel("titan").make();
  mgmt.makeVertexLabel("location").make();
  mgmt.makeVertexLabel("god").make();
  mgmt.makeVertexLabel("demigod").make();
  mgmt.makeVertexLabel("human").make();
  mgmt.makeVertexLabel("monster").make();
  mgmt.commit();`

const DATA = `
  saturn = graph.addVertex(T.label, "titan", "name", "saturn", "age", 10000)
  sky = graph.addVertex(T.label, "location", "name", "sky")
  jupiter = graph.addVertex(T.label, "god", "name", "jupiter", "age", 5000)
  neptune = graph.addVertex(T.label, "god", "name", "neptune", "age", 4500)
  hercules = graph.addVertex(T.label, "demigod", "name", "hercules", "age", 30)
  alcmene = graph.addVertex(T.label, "human", "name", "alcmene", "age", 45)
  pluto = graph.addVertex(T.label, "god", "name", "pluto", "age", 4000)
  nemean = graph.addVertex(T.label, "monster", "name", "nemean")
  hydra = graph.addVertex(T.label, "monster", "name", "hydra")
  cerberus = graph.addVertex(T.label, "monster", "name", "cerberus")
  jupiter.addEdge("father", saturn)
  jupiter.addEdge("lives", sky, "reason", "loves fresh breezes")
  jupiter.addEdge("brother", neptune)
  hercules.addEdge("father", jupiter)
  hercules.addEdge("mother", alcmene)
  hercules.addEdge("battled", nemean, "time", 1, "place", Geoshape.point(38.1f, 23.7f))
  hercules.addEdge("battled", hydra, "time", 2, "place", Geoshape.point(37.7f, 23.9f))
  hercules.addEdge("battled", cerberus, "time", 12, "place", Geoshape.point(39f, 22f))
  pluto.addEdge("pet", cerberus)
  graph.tx().commit()`

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const settings = {
  lmdb: () => onLmdb(newFolder()),
  inmemory: () => ({
    graphs: new Map([["graph", graphOf(["storage.backend=inmemory"])]])
  })
}

/** Clients with session variables, as those of JanusGraph's console. */
const opened = async (where: "lmdb" | "inmemory" = "lmdb") => {
  const { authority, end } = await startServer(settings[where]())
  const client = new driver.Client(`ws://${authority}/gremlin`, {
    traversalSource: "g",
    session: `gods${Math.random()}`
  })
  closing.push(() => client.close())
  const asked = async (script: string) => [...(await client.submit(script)).toArray()]
  await asked(SCHEMA)
  await asked(DATA)
  return { asked, end }
}

it.each(["lmdb", "inmemory"] as const)(
  "JanusGraph's example is created and queried by the scripts of its documents: %s",
  async (where) => {
    const { asked } = await opened(where)
    expect(
      await asked("saturn = g.V().has('name', 'saturn').next(); g.V(saturn).in('father').in('father').values('name')")
    ).toEqual(["hercules"])
    expect(await asked("g.E().has('place', geoWithin(Geoshape.circle(37.97, 23.72, 50))).count()")).toEqual([2])
    expect(
      await asked("g.V().has('name', 'hercules').outE('battled').has('time', gt(1)).inV().values('name').order()")
    ).toEqual(["cerberus", "hydra"])
    expect(await asked("g.V().has('age', inside(20, 50)).values('name').order()")).toEqual(["alcmene", "hercules"])
    expect(await asked("g.E().has('reason', textContains('breezes')).outV().values('name')")).toEqual(["jupiter"])
    await expect(asked("g.addV('god').property('name', 'pluto').iterate(); g.tx().commit()")).rejects.toThrow(
      "uniqueness constraint [name]"
    )
    await expect(
      asked("g.V().has('name', 'hercules').as('h').V().has('name', 'pluto').addE('father').from('h').iterate()")
    ).rejects.toThrow("out-unique")
  }
)

it("Indexes are created, awaited, built, disabled and dropped by the steps of JanusGraph's documents", async () => {
  const { asked } = await opened()
  await asked(`graph.tx().rollback()
    mgmt = graph.openManagement()
    name = mgmt.getPropertyKey('name'); age = mgmt.getPropertyKey('age'); god = mgmt.getVertexLabel('god')
    mgmt.buildIndex('byNameAndLabel', Vertex.class).addKey(name).addKey(age).indexOnly(god).buildCompositeIndex()
    mgmt.commit()`)
  const report =
    "ManagementSystem.awaitGraphIndexStatus(graph, 'byNameAndLabel').status(SchemaStatus.REGISTERED, SchemaStatus.ENABLED).call()"
  expect(await asked(`${report}.getSucceeded()`)).toEqual([true])
  await asked(`mgmt = graph.openManagement()
    mgmt.updateIndex(mgmt.getGraphIndex('byNameAndLabel'), SchemaAction.REINDEX, 1).get()
    mgmt.commit()`)
  expect(
    await asked("mgmt = graph.openManagement(); mgmt.awaitGraphIndexStatus(graph, 'byNameAndLabel').call().toString()")
  ).toEqual([expect.stringContaining("converged={name=ENABLED, age=ENABLED}")])
  expect(
    await asked(
      "mgmt = graph.openManagement(); [mgmt.getIndexOnlyConstraint('byNameAndLabel').name(), mgmt.getIndexOnlyConstraint('name')]"
    )
  ).toEqual(["god", null])
  expect(
    await asked(`mgmt = graph.openManagement(); battled = mgmt.getEdgeLabel('battled')
      index = mgmt.getRelationIndex(battled, 'battlesByTime')
      [index.getType().name(), mgmt.getIndexJobStatus(index), mgmt.getGraphIndex('byNameAndLabel').getSchemaTypeConstraint().name()]`)
  ).toEqual(["battled", null, "god"])
  for (const action of ["REMOVE_STALE_ENTRIES", "DISABLE_INDEX", "DISCARD_INDEX", "DROP_INDEX"]) {
    await asked(`mgmt = graph.openManagement()
      mgmt.updateIndex(mgmt.getGraphIndex('byNameAndLabel'), SchemaAction.${action}).get()
      mgmt.commit()`)
  }
  expect(await asked("graph.openManagement().containsGraphIndex('byNameAndLabel')")).toEqual([false])
})

it("Calls for a cluster are answered for a single server", async () => {
  const { asked } = await opened()
  expect(await asked("mgmt = graph.openManagement(); mgmt.getOpenInstances()")).toEqual(["graph(current)"])
  await expect(asked("mgmt.forceCloseInstance('7f0001016161-other')")).rejects.toThrow("only this server has the graph")
  await expect(asked("mgmt.set('index.search.backend', 'elasticsearch')")).rejects.toThrow("properties file")
  expect(await asked("mgmt.get('storage.backend')")).toEqual(["lmdb"])
  await expect(asked("mgmt.get('cache.db-cache')")).rejects.toThrow("does not set the option cache.db-cache")
  expect(
    await asked("c = graph.configuration(); [c.getString('storage.backend'), c.getProperty('nope'), c.size() > 1]")
  ).toEqual(["lmdb", null, true])
  await expect(asked("graph.configuration().setProperty('storage.backend', 'x')")).rejects.toThrow("next start")
  expect(
    await asked("mgmt.removeGhostVertices().get(); mgmt.getOrCreatePropertyKey('name').dataType().simpleName")
  ).toEqual(["String"])
  expect(await asked("mgmt.getOrCreatePropertyKey('weight', 0.5).dataType().name")).toEqual(["java.lang.Double"])
})

it("A graph in memory with a schema leaves no files, and starts empty", async () => {
  const temporary = newFolder()
  vi.stubEnv("TMPDIR", temporary)
  const folders = () => readdirSync(temporary).filter((name) => name.startsWith("engine-server-memory-"))
  try {
    const { asked, end } = await opened("inmemory")
    expect(await asked("graph.toString()")).toEqual(["standardjanusgraph[inmemory]"])
    expect(folders()).toHaveLength(1)
    await Promise.all(closing.splice(0).map((close) => close()))
    await end()
    expect(folders()).toEqual([])
    const again = await opened("inmemory")
    expect(await again.asked("g.V().count()")).toEqual([10])
  } finally {
    vi.unstubAllEnvs()
  }
})
