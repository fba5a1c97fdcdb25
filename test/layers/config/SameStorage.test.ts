import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { mayShareData, sameStorage } from "../../../src/layers/config/SameStorage.ts"
import {
  emptyTinkerGraph,
  type GraphFactory,
  type GraphSettings,
  type StorageOptions,
  tinkerGraphDefaults
} from "../../../src/services/GraphSettings.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-storage-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, "real"))
symlinkSync(join(folder, "real"), join(folder, "link"))
writeFileSync(join(folder, "real", "users.properties"), "")

const graph = (factory: GraphFactory, more: Partial<GraphSettings> = {}): GraphSettings => ({
  ...emptyTinkerGraph,
  name: "graph",
  factory,
  ...more
})
const storage = (options: Partial<StorageOptions>): GraphFactory => ({
  kind: "JanusGraphFactory",
  storage: {
    backend: "inmemory",
    directory: undefined,
    hostname: [],
    port: undefined,
    keyspace: undefined,
    username: undefined,
    password: undefined,
    readOnly: false,
    ...options
  }
})
const lmdb = (directory: string) => graph(storage({ backend: "lmdb", directory }))
const cql = (keyspace: string, ...hostname: ReadonlyArray<string>) =>
  graph(storage({ backend: "cql", keyspace, hostname }))
const tinker = (graphLocation: string | undefined, kind: "TinkerGraph" | "TinkerTransactionGraph" = "TinkerGraph") =>
  graph({ kind, tinkergraph: { ...tinkerGraphDefaults, graphLocation, graphFormat: "gryo" } })
const module = (options: ReadonlyArray<readonly [string, string]>) =>
  graph({ kind: "module", module: "/a.mjs" }, { options: new Map(options) })

describe("Two graphs have the same data", () => {
  it("when they have the same properties file, also through links", () => {
    const file = (path: string) => graph(emptyTinkerGraph.factory, { file: join(folder, path) })
    expect(sameStorage(file("real/users.properties"), file("link/users.properties"))).toBe(true)
    expect(sameStorage(file("real/users.properties"), file("real/other.properties"))).toBe(false)
  })

  it("when they have the same folder, which may not exist", () => {
    expect(sameStorage(lmdb(join(folder, "real/db")), lmdb(join(folder, "link/db")))).toBe(true)
    expect(sameStorage(lmdb(join(folder, "real/db")), lmdb(join(folder, "real", "x", "..", "db")))).toBe(true)
    expect(sameStorage(lmdb(join(folder, "real/db")), lmdb(join(folder, "real/users")))).toBe(false)
  })

  it("when a link leads to the same folder, also before it exists", () => {
    symlinkSync(join(folder, "later"), join(folder, "dangling"))
    symlinkSync("dangling", join(folder, "twice"))
    symlinkSync("round", join(folder, "round"))
    expect(sameStorage(lmdb(join(folder, "later")), lmdb(join(folder, "twice")))).toBe(true)
    expect(sameStorage(lmdb(join(folder, "later", "in")), lmdb(join(folder, "dangling", "in")))).toBe(true)
    expect(sameStorage(lmdb(join(folder, "later")), lmdb(join(folder, "round")))).toBe(false)
  })

  it("when their files are one file, through any kind of link", () => {
    for (const name of ["first", "second", "third", "fourth"]) mkdirSync(join(folder, name))
    writeFileSync(join(folder, "first", "graph.mdb"), "")
    writeFileSync(join(folder, "fourth", "graph.mdb"), "")
    linkSync(join(folder, "first", "graph.mdb"), join(folder, "second", "graph.mdb"))
    symlinkSync(join(folder, "first", "graph.mdb"), join(folder, "third", "graph.mdb"))
    const first = lmdb(join(folder, "first"))
    expect(sameStorage(first, lmdb(join(folder, "second")))).toBe(true)
    expect(sameStorage(first, lmdb(join(folder, "third")))).toBe(true)
    expect(sameStorage(first, lmdb(join(folder, "fourth")))).toBe(false)
    const files = ["first", "second"].map((name) => tinker(join(folder, name, "graph.mdb")))
    expect(sameStorage(files[0]!, files[1]!)).toBe(true)
  })

  it("when they are loaded from the same file", () => {
    const kept = tinker(join(folder, "real/graph.kryo"))
    expect(sameStorage(kept, tinker(join(folder, "link/graph.kryo"), "TinkerTransactionGraph"))).toBe(true)
    expect(sameStorage(kept, tinker(undefined))).toBe(false)
    expect(sameStorage(tinker(undefined), tinker(undefined))).toBe(false)
  })

  it("when they have the same keyspace and share a node", () => {
    expect(sameStorage(cql("a", "one", "LOCALHOST"), cql("a", "127.0.0.1"))).toBe(true)
    expect(sameStorage(cql("a", "one"), cql("b", "one"))).toBe(false)
    expect(sameStorage(cql("a", "one"), cql("a", "two"))).toBe(false)
    expect(sameStorage(cql("a", "one"), lmdb(folder))).toBe(false)
    const at = (port: number | undefined) => graph(storage({ backend: "cql", keyspace: "a", hostname: ["one"], port }))
    expect(sameStorage(at(undefined), at(9042))).toBe(true)
    expect(sameStorage(at(9042), at(9043))).toBe(false)
    expect(sameStorage(cql("a", "one:9042"), at(undefined))).toBe(true)
    expect(sameStorage(cql("a", "one:9043"), at(9043))).toBe(true)
    expect(sameStorage(cql("a", "one:9043"), at(undefined))).toBe(false)
    for (const address of ["::1", "[::1]:9042", "localhost:9042"]) {
      expect(sameStorage(cql("a", address), cql("a", "127.0.0.1"))).toBe(true)
    }
    expect(sameStorage(cql("a", "fe80::9042"), cql("a", "fe80::"))).toBe(false)
    expect(sameStorage(cql("Mine", "one"), cql('"mine"', "one"))).toBe(true)
    expect(sameStorage(cql('"Mine"', "one"), cql('"mine"', "one"))).toBe(false)
  })

  it("when a module opens both with equal options", () => {
    expect(sameStorage(module([["path", "a"]]), module([["path", "a"]]))).toBe(true)
    expect(sameStorage(module([["path", "a"]]), module([["path", "b"]]))).toBe(false)
    expect(sameStorage(module([]), module([]))).toBe(false)
    expect(sameStorage(module([]), lmdb(folder))).toBe(false)
  })

  it("when they are one object", () => {
    const one = tinker(undefined)
    expect(sameStorage(one, one)).toBe(true)
  })
})

describe("A graph may have the data of one that clients must not reach", () => {
  it("when their keyspaces have one name, on whatever hosts and however it is spelt", () => {
    expect(mayShareData(cql("a", "one"), cql("A", "two"))).toBe(true)
    expect(mayShareData(cql('"Mine"', "one"), cql("mine", "two"))).toBe(true)
    expect(mayShareData(cql("a", "one"), cql("b", "one"))).toBe(false)
    expect(mayShareData(cql("a", "one"), lmdb(folder))).toBe(false)
    expect(mayShareData(lmdb(join(folder, "real/db")), lmdb(join(folder, "link/db")))).toBe(true)
  })
})
