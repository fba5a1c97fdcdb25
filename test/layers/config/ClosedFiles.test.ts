import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { closedFiles } from "../../../src/layers/config/ClosedFiles.ts"
import { defaultSettings } from "../../../src/services/DefaultSettings.ts"
import {
  type CellGraphSettings,
  type CqlTlsSettings,
  emptyTinkerGraph,
  type GraphSettings,
  type StorageOptions,
  tinkerGraphDefaults
} from "../../../src/services/GraphSettings.ts"
import { openAuthentication } from "../../../src/services/TrustSettings.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "engine-server-closed-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)

const loaded = (name: string, file: string): GraphSettings => ({
  ...emptyTinkerGraph,
  name,
  file: at(`${name}.properties`),
  factory: {
    kind: "TinkerGraph",
    tinkergraph: { ...tinkerGraphDefaults, graphLocation: at(file), graphFormat: "gryo" }
  }
})
const onDisk = (name: string): GraphSettings => ({
  ...emptyTinkerGraph,
  name,
  file: at(`${name}.properties`),
  factory: {
    kind: "JanusGraphFactory",
    storage: {
      backend: "lmdb",
      directory: at(name),
      hostname: [],
      port: undefined,
      keyspace: undefined,
      username: undefined,
      password: undefined,
      readOnly: false
    }
  }
})

const tls = (name: string): CqlTlsSettings => ({
  trustStore: at(`${name}.trust`),
  trustStorePassword: undefined,
  keyStore: at(`${name}.keys`),
  keyStorePassword: undefined,
  keyPassword: undefined,
  hostnameValidation: false
})

describe("Files closed to io()", () => {
  it("are users, graphs on disk, keys, certificates, modules, properties and the log, but not loaded data", () => {
    writeFileSync(at("users.kryo"), "")
    symlinkSync(at("users.kryo"), at("link.kryo"))
    const settings = defaultSettings({
      authentication: { ...openAuthentication, credentialsDb: loaded("users", "link.kryo") },
      authorization: { authorizer: { module: at("authorizer.mjs") }, config: {} },
      channelizer: { module: at("channelizer.mjs") },
      callServices: [at("service.mjs")],
      graphs: new Map([
        ["disk", onDisk("disk")],
        ["toy", loaded("toy", "toy.kryo")],
        ["own", { ...emptyTinkerGraph, name: "own", factory: { kind: "module", module: at("graph.mjs") } }]
      ])
    })
    const ssl = {
      ...settings.ssl,
      keyStore: at("key.p12"),
      keyCertChainFile: at("key.crt"),
      keyFile: at("key.pem"),
      trustStore: at("trust.p12"),
      trustCertChainFile: at("trust.crt")
    }
    const closed = closedFiles({ ...settings, ssl, logging: { ...settings.logging, file: at("server.log") } })
    expect([...closed].sort()).toEqual(
      [
        "authorizer.mjs",
        "channelizer.mjs",
        "disk.properties",
        "disk/graph.mdb",
        "disk/graph.mdb-lock",
        "disk/server.lock",
        "graph.mjs",
        "key.crt",
        "key.p12",
        "key.pem",
        "link.kryo",
        "server.log",
        "service.mjs",
        "toy.properties",
        "trust.crt",
        "trust.p12",
        "users.kryo",
        "users.properties"
      ].map(at)
    )
  })

  it("are also what the server reads at its next start: its configuration, scripts and schemas, and keys of other servers", () => {
    const cluster: GraphSettings = {
      ...emptyTinkerGraph,
      name: "cluster",
      factory: {
        kind: "JanusGraphFactory",
        storage: { backend: "cql", cql: { tls: tls("cassandra") } } as unknown as StorageOptions,
        cells: {
          schemaInit: { file: at("schema.json"), text: undefined, skipElements: false, skipIndices: false },
          searchEngines: [{ tls: tls("search") }]
        } as unknown as CellGraphSettings
      }
    }
    const settings = defaultSettings({
      graphs: new Map([["cluster", cluster]]),
      controlSocket: at("control.sock"),
      configurationFiles: [at("server.yaml"), at("scripts/*.groovy")],
      initialization: { scripts: [{ file: at("init.groovy"), text: "" }], defaultSources: new Set() }
    })
    expect([...closedFiles(settings)].sort()).toEqual(
      [
        "cassandra.keys",
        "cassandra.trust",
        "control.sock",
        "init.groovy",
        "schema.json",
        "scripts/*.groovy",
        "search.keys",
        "search.trust",
        "server.yaml"
      ].map(at)
    )
  })
})
