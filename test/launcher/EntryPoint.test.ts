import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { installationPerTest } from "./Installation.ts"

const home = installationPerTest()

type Environment = Readonly<Record<string, string>>

const entry = (words: ReadonlyArray<string>, environment: Environment = {}) =>
  home.run("bin/docker-entrypoint.sh", words, {
    environment: { SERVICE_CONFIG_DIR: home.path("none"), JANUS_CONFIG_DIR: home.path("janus"), ...environment }
  })

/** The file of the default graph. */
const graphOf = (shown: string): string | undefined => /^graphs\.graph: (\S.*?) +#/m.exec(shown)?.[1]

const mountGraph = (): string => {
  const file = home.path("janus", "janusgraph.properties")
  mkdirSync(home.path("janus"), { recursive: true })
  writeFileSync(file, "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=inmemory\n")
  return file
}

const OWN = "conf/engine-server/graph-inmemory.properties"

const writeOwn = (name = "my.yaml"): string => {
  writeFileSync(home.path(name), `graphs: {graph: ${OWN}}\n`)
  return home.path(name)
}

describe("The default graph of the container", () => {
  it("is that of a configuration on the command line, with a warning of each variable and file without effect", () => {
    const own = writeOwn()
    const mounted = mountGraph()
    const environment = { JANUS_PROPS_TEMPLATE: "inmemory" }
    for (const before of [[], ["engine-server"], ["janusgraph"]]) {
      const shown = entry([...before, "show-config", own], environment)
      assert.strictEqual(graphOf(shown.stdout), home.path(OWN), before.join())
      assert.include(shown.stderr, `JANUS_PROPS_TEMPLATE has no effect: ${own} names the graphs.`)
      assert.include(shown.stderr, `${mounted} has no effect: ${own} names the graphs.`)
    }
    const checked = entry(["check-config", own], environment)
    assert.include(checked.stderr, `JANUS_PROPS_TEMPLATE has no effect: ${own} names the graphs.`)
  })

  it("is that of a configuration on the command line that the server starts with", () => {
    const own = writeOwn()
    // The launcher, replaced by one that prints what it gets.
    writeFileSync(home.path("bin", "service-server.sh"), 'printf "%s\\n" "$*" "graph: $ENGINESERVER__GRAPHS__GRAPH"\n')
    const environment = { JANUS_PROPS_TEMPLATE: "inmemory" }
    for (const words of [["engine-server", own], ["janusgraph", own], [own]]) {
      const started = entry(words, environment)
      assert.strictEqual(started.stdout, `console ${own}\ngraph: \n`)
      assert.include(started.stderr, `JANUS_PROPS_TEMPLATE has no effect: ${own} names the graphs.`)
    }
    const container = home.path("conf", "engine-server", "engine-server-container.yaml")
    for (const words of [[], ["engine-server"], ["engine-server", container]]) {
      assert.include(entry(words, environment).stdout, "graph: conf/engine-server/janusgraph-inmemory.properties")
    }
  })

  it("is that of a mounted file rather than of a template, which is reported", () => {
    const mounted = mountGraph()
    const shown = entry(["show-config"], { JANUS_PROPS_TEMPLATE: "berkeleyje-es" })
    assert.strictEqual(graphOf(shown.stdout), mounted)
    assert.include(shown.stderr, `JANUS_PROPS_TEMPLATE has no effect: ${mounted} names the graphs.`)
    assert.notInclude(shown.stderr, "own store")
  })

  it.each(["ENGINESERVER__GRAPHS__GRAPH", "gremlinserver.graphs.graph"])(
    "is that of the user's variable %s",
    (name) => {
      const template = entry(["show-config"], { JANUS_PROPS_TEMPLATE: "inmemory", [name]: OWN })
      assert.strictEqual(graphOf(template.stdout), home.path(OWN))
      assert.include(template.stderr, `JANUS_PROPS_TEMPLATE has no effect: ${name} names the graphs.`)
      const mounted = mountGraph()
      const shown = entry(["show-config"], { [name]: OWN })
      assert.strictEqual(graphOf(shown.stdout), home.path(OWN))
      assert.include(shown.stderr, `${mounted} has no effect: ${name} names the graphs.`)
    }
  )
})

describe("A mounted configuration that cannot be read", () => {
  it("is reported: a folder in place of the file, or a link that leads nowhere", () => {
    mkdirSync(home.path("janus", "janusgraph-server.yaml"), { recursive: true })
    mkdirSync(home.path("janus", "janusgraph.properties"))
    mkdirSync(home.path("etc"))
    symlinkSync("/nowhere/at-all.yaml", home.path("etc", "engine-server.yaml"))
    const shown = entry(["show-config"], { SERVICE_CONFIG_DIR: home.path("etc") })
    for (const parts of [
      ["janus", "janusgraph-server.yaml"],
      ["janus", "janusgraph.properties"],
      ["etc", "engine-server.yaml"]
    ]) {
      assert.match(shown.stderr, new RegExp(`${home.path(...parts)} is not a file that user \\d+ can read`))
    }
    assert.match(shown.stdout, /^enginePool: 8 /m)
    assert.strictEqual(
      entry(["healthcheck"], { SERVICE_CONFIG_DIR: home.path("etc") }).stderr.includes("WARNING"),
      false
    )
  })
})

describe("A configuration of the container that is not there", () => {
  it("ends the container, whether a variable or a word names it", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, Environment]> = [
      [[], { SERVICE_YAML: "/nowhere/my.yaml" }],
      [["engine-server", "/nowhere/my.yaml"], {}],
      [["/nowhere/my.yaml"], {}]
    ]
    for (const [words, environment] of cases) {
      const { status, stderr, stdout } = entry(words, environment)
      assert.strictEqual(status, 1, stdout)
      assert.include(stderr, "ERROR: the configuration /nowhere/my.yaml is not a readable file: ")
      assert.strictEqual(stdout, "")
    }
  })

  it("is replaced by the user's default if a folder is mounted over that of the image, unless the user names a file", () => {
    const folder = home.path("conf", "engine-server")
    rmSync(join(folder, "engine-server-container.yaml"))
    writeFileSync(home.path("bin", "service-server.sh"), 'printf "%s\\n" "$SERVICE_YAML_REQUIRED"\n')
    // The image sets this variable.
    for (const environment of [{}, { SERVICE_YAML: join(folder, "engine-server-container.yaml") }]) {
      assert.strictEqual(entry([], environment).stdout, "false\n")
      assert.strictEqual(entry(["engine-server"], environment).stdout, "false\n")
    }
    assert.strictEqual(entry([], { SERVICE_YAML: join(folder, "mine.yaml") }).stdout, "true\n")
    for (const words of [["mine.yaml"], ["engine-server", "mine.conf"]]) {
      assert.strictEqual(entry(words).stdout, "true\n", words.join(" "))
    }
  })

  it("is replaced by the default if SERVICE_YAML_REQUIRED is false", () => {
    // The launcher, replaced by one that prints what it gets.
    writeFileSync(home.path("bin", "service-server.sh"), 'printf "%s\\n" "$SERVICE_YAML_REQUIRED"\n')
    assert.strictEqual(entry([], { SERVICE_YAML_REQUIRED: "false" }).stdout, "false\n")
  })
})

describe("check-config and show-config of the container", () => {
  it("report a file that is missing, whatever its name", () => {
    for (const words of [
      ["check-config", "my.conf"],
      ["engine-server", "check-config", "--quiet", "my.conf"],
      ["check-config", "--", "my.conf"],
      ["show-config", "--format", "json", "my.conf"]
    ]) {
      const { status, stdout, stderr } = entry(words)
      assert.notStrictEqual(status, 0)
      assert.include(stdout + stderr, "my.conf")
      assert.notInclude(stdout + stderr, "unexpected argument")
    }
  })

  it("add the configuration of the server after options and their values", () => {
    for (const words of [
      ["--format", "json"],
      ["--set", "gremlinPool=3"],
      ["--port", "8183"],
      ["--port=8183"],
      ["--"]
    ]) {
      const { status, stdout, stderr } = entry(["show-config", ...words])
      assert.strictEqual(status, 0, stderr)
      assert.include(stdout, "engine-server-container.yaml")
    }
    assert.include(entry(["show-config", "--format"]).stderr, "argument missing")
    // The value of an option may be the name of a file.
    cpSync(writeOwn(), home.path("8183"))
    const shown = home.run("bin/docker-entrypoint.sh", ["show-config", "--port", "8183"], { cwd: home.folder })
    assert.include(shown.stdout, "engine-server-container.yaml")
  })
})

describe("The time that the container waits for Cassandra", () => {
  const waits = (shown: string) => /storage\.setup-wait"\]: (\S.*?) +#/.exec(shown)?.[1]
  const cql = "gremlin.graph=JanusGraphFactory\nstorage.hostname=c1\nstorage.cql.keyspace=k\n"

  it("is a minute for the templates and for a mounted graph in Cassandra, as in JanusGraph's image", () => {
    assert.strictEqual(waits(entry(["show-config"], { JANUS_PROPS_TEMPLATE: "cql" }).stdout), "60 s")
    const given = { JANUS_PROPS_TEMPLATE: "cql-es", JANUS_STORAGE_TIMEOUT: "5" }
    assert.strictEqual(waits(entry(["show-config"], given).stdout), "5 s")
    assert.isUndefined(waits(entry(["show-config"], { JANUS_PROPS_TEMPLATE: "inmemory" }).stdout))
    writeFileSync(mountGraph(), `${cql}storage.backend=scylla\n`)
    assert.strictEqual(waits(entry(["show-config"]).stdout), "60 s")
    writeFileSync(mountGraph(), `${cql}storage.backend=cql\nstorage.setup-wait=5 min\n`)
    assert.strictEqual(waits(entry(["show-config"]).stdout), "5 min")
  })

  it("is that of JANUS_STORAGE_TIMEOUT for the default graph, wherever its file is", () => {
    writeFileSync(home.path("own.properties"), `${cql}storage.backend : scylla\n`)
    writeFileSync(home.path("memory.properties"), "gremlin.graph=TinkerGraph\n")
    const own = home.path("own.properties")
    const named = { ENGINESERVER__GRAPHS__GRAPH: own, JANUS_STORAGE_TIMEOUT: "7" }
    assert.strictEqual(waits(entry(["show-config"], named).stdout), "7 s")
    writeFileSync(home.path("my.yaml"), `graphs: {graph: ${own}, other: ${home.path("memory.properties")}}\n`)
    const yaml = entry(["show-config", home.path("my.yaml")], { JANUS_STORAGE_TIMEOUT: "7" })
    assert.strictEqual(waits(yaml.stdout), "7 s")
    const wins = { ...named, JANUSGRAPH__STORAGE__SETUP_WAIT: "9 s" }
    assert.strictEqual(waits(entry(["show-config"], wins).stdout), "9 s")
  })

  it("has no effect on another graph, and the check says so", () => {
    writeFileSync(home.path("own.properties"), `${cql}storage.backend=cql\n`)
    writeFileSync(home.path("memory.properties"), "gremlin.graph=TinkerGraph\n")
    const other = `graphs: {graph: ${home.path("memory.properties")}, other: ${home.path("own.properties")}}\n`
    writeFileSync(home.path("my.yaml"), other)
    const checked = entry(["check-config", home.path("my.yaml")], { JANUS_STORAGE_TIMEOUT: "7" })
    assert.strictEqual(checked.status, 0, checked.stderr)
    assert.include(
      checked.stdout + checked.stderr,
      "environment variable JANUS_STORAGE_TIMEOUT has no effect: the graph 'graph' is not in Cassandra"
    )
  })

  it("has a warning of the variables of JanusGraph's image beside it, which have no effect", () => {
    const { stderr } = entry(["show-config"], { JANUS_SERVER_TIMEOUT: "5", GREMLIN_REMOTE_HOSTS: "a" })
    assert.include(stderr, "JANUS_SERVER_TIMEOUT has no effect")
    assert.include(stderr, "GREMLIN_REMOTE_HOSTS has no effect")
  })
})
