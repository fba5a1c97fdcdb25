import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder } from "../../../Folders.ts"
import { evaluated, withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { startInside } from "../../support/TestServers.ts"

const template = "ConfiguredGraphFactory.createTemplateConfiguration(new MapConfiguration(['storage.backend': 'lmdb']))"

describe("A graph that a script creates", () => {
  it("has its name as a variable, and a source, from the next request on", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(server, template)
    await evaluated(
      server,
      "graph = ConfiguredGraphFactory.create('graph1'); graph.addVertex('person'); graph.tx().commit()"
    )
    expect(await evaluated(server, "graph1_traversal.V().hasLabel('person').count()")).toEqual([1])
    expect(await evaluated(server, "graph1.traversal().V().count()")).toEqual([1])
    expect(await evaluated(server, "g.V().count()", { aliases: { g: "graph1_traversal" } })).toEqual([1])
    expect(await evaluated(server, "ConfiguredGraphFactory.open('graph1').traversal().V().count()")).toEqual([1])
    expect(await evaluated(server, "ConfiguredGraphFactory.getGraphNames()")).toEqual(["graph1"])
  })

  it("is separate from other graphs, and has management", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('a'); ConfiguredGraphFactory.create('b')`)
    await evaluated(
      server,
      "mgmt = a.openManagement(); mgmt.makePropertyKey('name').dataType(String.class).make(); mgmt.commit()"
    )
    expect(await evaluated(server, "a.openManagement().containsPropertyKey('name')")).toEqual([true])
    expect(await evaluated(server, "b.openManagement().containsPropertyKey('name')")).toEqual([false])
  })

  it("knows its options, as a graph of the configuration file does", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('a'); 1`)
    const options =
      "c = a.configuration(); [c.getString('storage.backend'), c.getProperty('graph.graphname'), c.getProperty('x')]"
    expect(await evaluated(server, options)).toEqual(["lmdb", "a", null])
    expect(await evaluated(server, "a.openManagement().get('storage.backend')")).toEqual(["lmdb"])
    await expect(evaluated(server, "a.openManagement().get('cache.db-cache')")).rejects.toThrow(
      "the graph a does not set the option cache.db-cache, so its default applies"
    )
    const opened = "JanusGraphFactory.open('inmemory').openManagement().get('storage.backend')"
    await expect(evaluated(server, opened)).rejects.toThrow(
      "the options with which a script opened the graph of this script"
    )
    await expect(evaluated(server, "a.openManagement().set('cache.db-cache', true)")).rejects.toThrow(
      "the configuration that ConfiguredGraphFactory.updateConfiguration() changes"
    )
  })

  it("opens again after a restart, at its first request", async () => {
    const folder = newFolder()
    const first = await startInside(withDynamicGraphs(folder))
    await evaluated(first, `${template}; ConfiguredGraphFactory.create('graph1'); 1`)
    await evaluated(first, "graph1_traversal.addV('person').iterate()")
    await first.end()
    const second = await startInside(withDynamicGraphs(folder))
    expect(await evaluated(second, "graph1_traversal.V().count()")).toEqual([1])
    expect(await evaluated(second, "g.V().count()", { aliases: { g: "graph1_traversal" } })).toEqual([1])
  })

  it("is named when it was closed while a script has its source", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('graph1'); 1`)
    for (const source of ["s", "graph1_traversal"]) {
      const script =
        "graph1_traversal.V().count().next(); s = ConfiguredGraphFactory.open('graph1').traversal(); " +
        `ConfiguredGraphFactory.close('graph1'); ${source}.V().count().next()`
      await expect(evaluated(server, script)).rejects.toThrow(
        "The graph graph1 is not open: it was dropped, or closed meanwhile. Send the request again."
      )
    }
    expect(await evaluated(server, "graph1_traversal.V().count()")).toEqual([0])
  })

  it("is dropped with its data and its configuration", async () => {
    const folder = newFolder()
    const server = await startInside(withDynamicGraphs(folder))
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('graph1'); 1`)
    await evaluated(server, "graph1_traversal.addV().iterate()")
    expect(existsSync(join(folder, "graphs", "graph1"))).toBe(true)
    await evaluated(server, "graph1_traversal.V().count().next(); ConfiguredGraphFactory.drop('graph1')")
    expect(existsSync(join(folder, "graphs", "graph1"))).toBe(false)
    expect(await evaluated(server, "ConfiguredGraphFactory.getGraphNames()")).toEqual([])
    await expect(evaluated(server, "graph1_traversal.V()")).rejects.toThrow("graph1_traversal")
    expect(await evaluated(server, "ConfiguredGraphFactory.drop('graph1')")).toEqual([null])
    await evaluated(server, "ConfiguredGraphFactory.create('graph1'); 1")
    expect(await evaluated(server, "graph1_traversal.V().count()")).toEqual([0])
  })

  it("that is closed keeps its data, and the next request opens it", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('graph1').addVertex('x'); 1`)
    await evaluated(server, "ConfiguredGraphFactory.close('graph1')")
    expect(await evaluated(server, "graph1_traversal.V().count()")).toEqual([1])
  })
})

describe("A call that would drop or close a graph", () => {
  it.each(["drop", "close", "removeConfiguration"])(
    "is refused for a graph of the configuration file, whose transaction stays: %s",
    async (method) => {
      const server = await startInside(withDynamicGraphs())
      const refused = `graph.addVertex('keep'); try { ConfiguredGraphFactory.${method}('graph'); 'done' } catch (e) { 'refused' }`
      expect(await evaluated(server, refused)).toEqual(["refused"])
      expect(await evaluated(server, "g.V().count()")).toEqual([1])
      await expect(evaluated(server, `ConfiguredGraphFactory.${method}('graph')`)).rejects.toThrow(
        `ConfiguredGraphFactory.${method}(): the graph 'graph' is one of the configuration file of the server`
      )
    }
  )

  it("does nothing for a graph that there is not", async () => {
    const server = await startInside(withDynamicGraphs())
    for (const name of ["grpah", "../configurations", ""]) {
      const script = "graph.addVertex('keep'); ConfiguredGraphFactory.drop(name)"
      expect(await evaluated(server, script, { bindings: { name } })).toEqual([null])
    }
    expect(await evaluated(server, "g.V().count()")).toEqual([3])
  })

  it.each(["", ", 'storage.directory': 'other'"])(
    "is refused for data whose configuration was removed%s",
    async (option) => {
      const folder = newFolder()
      const server = await startInside(withDynamicGraphs(folder))
      const make = `ConfiguredGraphFactory.createConfiguration(['storage.backend': 'lmdb', 'graph.graphname': 'a'${option}])`
      await evaluated(server, `${make}; ConfiguredGraphFactory.removeConfiguration('a')`)
      expect(await evaluated(server, "ConfiguredGraphFactory.drop('a')")).toEqual([null])
      await evaluated(server, `${make}; ConfiguredGraphFactory.open('a').addVertex('x'); 1`)
      await evaluated(server, "ConfiguredGraphFactory.removeConfiguration('a')")
      await expect(evaluated(server, "ConfiguredGraphFactory.drop('a')")).rejects.toThrow(
        "the configuration of the graph 'a' was removed, and its data is kept. To delete the data, create the configuration again"
      )
      await evaluated(server, `${make}; ConfiguredGraphFactory.drop('a')`)
      expect(existsSync(join(folder, "graphs", option === "" ? "a" : "other"))).toBe(false)
      expect(await evaluated(server, "ConfiguredGraphFactory.drop('a')")).toEqual([null])
    }
  )
})

describe("A configuration", () => {
  it.each(["ConfiguredGraphFactory", "ConfigurationManagementGraph.getInstance()"])(
    "loses only the options that a call names: %s",
    async (factory) => {
      const server = await startInside(withDynamicGraphs())
      await evaluated(
        server,
        "ConfiguredGraphFactory.createConfiguration(['storage.backend': 'lmdb', 'graph.graphname': 'a', 'query.force-index': true, 'cache.db-cache': false])"
      )
      await evaluated(server, "ConfiguredGraphFactory.open('a').addVertex('x'); 1")
      await expect(evaluated(server, "a_traversal.V().has('name', 'x')")).rejects.toThrow("force-index")
      await evaluated(server, `${factory}.removeConfiguration('a', ['query.force-index', 'ids.block-size'] as Set)`)
      expect(await evaluated(server, "ConfiguredGraphFactory.getConfiguration('a').keySet().sort().join(',')")).toEqual(
        ["Template_Configuration,cache.db-cache,graph.graphname,storage.backend"]
      )
      expect(await evaluated(server, "a_traversal.V().count()")).toEqual([1])
      expect(await evaluated(server, "a_traversal.V().has('name', 'x').count()")).toEqual([0])
      await evaluated(server, `${factory}.removeConfiguration('a', ['cache.db-cache'])`)
      for (const [keys, message] of [
        ["['graph.graphname']", "is the name of the graph"],
        ["['storage.backend']", "The configuration of the graph 'a' cannot be used"],
        ["'storage.backend'", "the names of options"],
        ["['Template_Configuration']", "is not an option"]
      ]) {
        await expect(evaluated(server, `${factory}.removeConfiguration('a', ${keys})`), keys).rejects.toThrow(message)
      }
      await expect(evaluated(server, `${factory}.removeConfiguration('b', ['cache.db-cache'])`)).rejects.toThrow(
        "Please create configuration for this graph"
      )
      expect(await evaluated(server, "ConfiguredGraphFactory.getConfiguration('a').size()")).toEqual([3])
    }
  )

  it("is not changed by calls with arguments that have no effect", async () => {
    const server = await startInside(withDynamicGraphs())
    for (const [call, message] of [
      ["ConfiguredGraphFactory.removeConfiguration('a', ['x'], 1)", "takes at most 2 arguments, not 3"],
      ["ConfiguredGraphFactory.drop('a', 'b')", "takes one argument, not 2"],
      ["ConfiguredGraphFactory.getGraphNames('a')", "takes no argument, not 1"],
      ["ConfigurationManagementGraph.getInstance(1)", "takes no argument, not 1"],
      ["JanusGraphManager.getInstance(1)", "takes no argument, not 1"],
      ["JanusGraphFactory.getGraphNames(1)", "takes no argument, not 1"],
      ["JanusGraphManager.getInstance().getGraph('a', 'b')", "takes one argument, not 2"]
    ]) {
      await expect(evaluated(server, call!), call).rejects.toThrow(message)
    }
  })

  it("of a graph opens it, is changed, and is removed without its data", async () => {
    const folder = newFolder()
    const server = await startInside(withDynamicGraphs(folder))
    const made =
      "map = new HashMap<String, Object>(); map.put('storage.backend', 'berkeleyje'); map.put('graph.graphname', 'graph1'); "
    await evaluated(server, `${made} ConfiguredGraphFactory.createConfiguration(new MapConfiguration(map))`)
    await evaluated(server, "ConfiguredGraphFactory.open('graph1').addVertex('x'); 1")
    await evaluated(
      server,
      "ConfiguredGraphFactory.updateConfiguration('graph1', new MapConfiguration(['query.force-index': true]))"
    )
    await expect(evaluated(server, "graph1_traversal.V().has('name', 'x')")).rejects.toThrow("force-index")
    expect(
      await evaluated(server, "ConfiguredGraphFactory.getConfiguration('graph1').get('query.force-index')")
    ).toEqual([true])
    await evaluated(server, "ConfiguredGraphFactory.removeConfiguration('graph1')")
    await expect(evaluated(server, "ConfiguredGraphFactory.open('graph1')")).rejects.toThrow(
      "Please create configuration for this graph"
    )
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('graph1'); 1`)
    expect(await evaluated(server, "graph1_traversal.V().count()")).toEqual([1])
  })

  it("is refused with the words of JanusGraph", async () => {
    const server = await startInside(withDynamicGraphs())
    const refused: Readonly<Record<string, string>> = {
      "ConfiguredGraphFactory.create('a')":
        "Please create a template Configuration using the ConfigurationManagementGraph#createTemplateConfiguration API.",
      "ConfiguredGraphFactory.open('a')":
        "Please create configuration for this graph using the ConfigurationManagementGraph#createConfiguration API.",
      "ConfiguredGraphFactory.createConfiguration(['storage.backend': 'lmdb'])":
        'Please include the property "graph.graphname" in your configuration.',
      "ConfiguredGraphFactory.createTemplateConfiguration(['graph.graphname': 'a'])":
        'Your template configuration may not contain the property "graph.graphname".'
    }
    for (const [script, message] of Object.entries(refused)) {
      await expect(evaluated(server, script), script).rejects.toThrow(message)
    }
    await evaluated(server, `${template}; ConfiguredGraphFactory.create('a'); 1`)
    await expect(evaluated(server, template)).rejects.toThrow(
      "You may only have one template configuration and one exists already."
    )
    await expect(evaluated(server, "ConfiguredGraphFactory.create('a')")).rejects.toThrow(
      "Configuration for graph a already exists."
    )
  })

  it("shows no secrets", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(
      server,
      "ConfiguredGraphFactory.createConfiguration(['storage.backend': 'inmemory', 'storage.password': 'sesame', 'graph.graphname': 'a'])"
    )
    expect(await evaluated(server, "ConfiguredGraphFactory.getConfiguration('a').get('storage.password')")).toEqual([
      "****"
    ])
    expect(JSON.stringify(await evaluated(server, "ConfiguredGraphFactory.getConfigurations()"))).not.toContain(
      "sesame"
    )
  })
})

describe("A hostile configuration", () => {
  const options = (map: string) => `ConfiguredGraphFactory.createConfiguration([${map}])`

  it("names no folder outside the folder of graphs", async () => {
    const folder = newFolder()
    const outside = newFolder()
    mkdirSync(join(folder, "graphs"))
    symlinkSync(outside, join(folder, "graphs", "link"))
    const server = await startInside(withDynamicGraphs(folder))
    for (const directory of [
      "/etc",
      "../x",
      "x/../../y",
      "link",
      "link/deeper",
      outside,
      `${folder}/configurations`,
      `${folder}/graphs`
    ]) {
      const script = options(`'storage.backend': 'lmdb', 'graph.graphname': 'a', 'storage.directory': '${directory}'`)
      await expect(evaluated(server, script), directory).rejects.toThrow("must be below")
    }
    const root = options("'storage.backend': 'lmdb', 'graph.graphname': 'a', 'storage.root': '/etc'")
    await expect(evaluated(server, root)).rejects.toThrow("must be below")
    const schema = options(
      "'storage.backend': 'inmemory', 'graph.graphname': 'a', 'schema.init.strategy': 'json', 'schema.init.json.file': '/etc/passwd'"
    )
    await expect(evaluated(server, schema)).rejects.toThrow(/must be below|there is no file/)
  })

  it("names no host, class, file or unknown option", async () => {
    const server = await startInside(withDynamicGraphs())
    const refused: Readonly<Record<string, string>> = {
      "'storage.backend': 'cql', 'storage.hostname': '10.0.0.1'": "neither a host of the configuration graph",
      "'storage.backend': 'inmemory', 'gremlin.graph': '/tmp/x.mjs'": "there is no file",
      "'gremlin.graph': 'TinkerGraph', 'gremlin.tinkergraph.graphLocation': '/etc/passwd', 'gremlin.tinkergraph.graphFormat': 'gryo'":
        "graph.graphname",
      "'storage.backend': 'lmdb', 'storage.drectory': 'x'": "storage.directory",
      "'storage.backend': 'lmdb', 'Template_Configuration': true": "is not an option",
      "'storage.backend': 'lmdb', 'a b': 'x'": "is not the name of an option"
    }
    for (const [map, message] of Object.entries(refused)) {
      await expect(evaluated(server, options(`'graph.graphname': 'a', ${map}`)), map).rejects.toThrow(message)
    }
    expect(await evaluated(server, "ConfiguredGraphFactory.getGraphNames()")).toEqual([])
  })

  it("names no host or file of a search engine", async () => {
    const server = await startInside(withDynamicGraphs(undefined, { hosts: ["10.0.0.1"] }))
    const cql =
      "'graph.graphname': 'a', 'storage.backend': 'cql', 'storage.hostname': '10.0.0.1', 'index.x.backend': 'elasticsearch'"
    const refused: Readonly<Record<string, string>> = {
      "'index.x.port': 9200": "index.x.hostname of the graph 'a' is \"127.0.0.1\", which is not in",
      "'index.x.hostname': '10.0.0.1,10.0.0.2'": "index.x.hostname of the graph 'a' is \"10.0.0.2\", which is not in",
      "'index.x.hostname': '10.0.0.1', 'index.x.elasticsearch.ssl.enabled': true, 'index.x.elasticsearch.ssl.truststore.location': '/etc/passwd'":
        "index.x.elasticsearch.ssl of the graph 'a' must be below"
    }
    for (const [map, message] of Object.entries(refused)) {
      await expect(evaluated(server, options(`${cql}, ${map}`)), map).rejects.toThrow(message)
    }
  })

  it("has no name that is a path, too long, or has a meaning already", async () => {
    const server = await startInside(withDynamicGraphs())
    await evaluated(server, template)
    const names = [
      "",
      "../x",
      "a/b",
      ".",
      "a".repeat(49),
      "größe",
      "a-b",
      "a b",
      "1a",
      "__proto__",
      "g",
      "graph",
      "graph_traversal"
    ]
    const reserved = [
      "ConfigurationManagementGraph",
      "credentials",
      "null",
      "def",
      "T",
      "single",
      "String",
      "x_traversal",
      "MULTI"
    ]
    for (const name of [...names, ...reserved]) {
      await expect(
        evaluated(server, "ConfiguredGraphFactory.create(name)", { bindings: { name } }),
        name
      ).rejects.toThrow(/name of a graph/)
    }
    await evaluated(
      server,
      "ConfiguredGraphFactory.create('constructor'); ConfiguredGraphFactory.create('hasOwnProperty'); 1"
    )
    await expect(evaluated(server, "ConfiguredGraphFactory.create('Constructor')")).rejects.toThrow("differs from")
    expect(await evaluated(server, "constructor_traversal.V().count()")).toEqual([0])
  })

  it("never has the data of users, of configurations or of another graph", async () => {
    const folder = newFolder()
    const settings = withDynamicGraphs(folder, { directory: folder })
    const server = await startInside(settings)
    const at = (name: string, directory: string) =>
      options(`'storage.backend': 'lmdb', 'graph.graphname': '${name}', 'storage.directory': '${directory}'`)
    await expect(evaluated(server, at("a", "configurations"))).rejects.toThrow("users or configurations")
    await evaluated(server, at("a", "data"))
    await expect(evaluated(server, at("b", "data"))).rejects.toThrow("data of the graph 'a'")
    writeFileSync(join(folder, "note"), "")
    await evaluated(server, "ConfiguredGraphFactory.drop('a')")
    expect(existsSync(join(folder, "configurations", "graph.mdb"))).toBe(true)
  })
})
