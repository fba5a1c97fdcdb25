import type { SearchEngineSettings } from "../../services/GraphSettings.ts"
import { isEnginePrefix } from "../../storage/janusgraph/documents/SearchEngine.ts"
import { type ConfigFolders, locate } from "./ConfigFolders.ts"
import { list } from "./Lists.ts"
import type { OptionReader } from "./OptionReader.ts"
import { isCassandra } from "./StorageBackends.ts"

/** Index backends that are search engines with the interface of Elasticsearch. */
const engines = /^(elasticsearch|es|opensearch)$/i

/** True for an index backend that is a search engine with the interface of Elasticsearch. */
const isSearchEngine = (backend: string): boolean => engines.test(backend.trim())

/** Options that have an effect with a search engine, below `index.<name>`. */
const used: ReadonlySet<string> = new Set([
  "backend",
  "hostname",
  "port",
  "index-name",
  "max-result-set-size",
  ...[
    "bulk-chunk-size-limit-bytes",
    "bulk-refresh",
    "connect-timeout",
    "create.sleep",
    "interface",
    "retry-error-codes",
    "retry-initial-wait",
    "retry-limit",
    "retry-max-wait",
    "scroll-keep-alive",
    "socket-timeout",
    "use-all-field",
    "use-mapping-for-es7",
    "http.auth.type",
    "http.auth.basic.username",
    "http.auth.basic.password",
    "ssl.allow-self-signed-certificates",
    "ssl.disable-hostname-verification",
    "ssl.enabled",
    "ssl.keystore.keypassword",
    "ssl.keystore.location",
    "ssl.keystore.storepassword",
    "ssl.truststore.location",
    "ssl.truststore.password"
  ].map((name) => `elasticsearch.${name}`)
])

/** True for an option that has an effect on a graph whose search engines have the names `backends`. */
export const isSearchEngineOption = (key: string, backends: ReadonlyArray<string>): boolean => {
  const [root, backend, ...rest] = key.split(".")
  const name = rest.join(".")
  return root === "index" && backends.includes(backend ?? "") && (used.has(name) || name.startsWith(CREATE_SETTINGS))
}

/** What precedes the settings of new indexes. */
const CREATE_SETTINGS = "elasticsearch.create.ext."

const createSettings = (reader: OptionReader, backend: string): SearchEngineSettings["createSettings"] => {
  const prefix = `index.${backend}.${CREATE_SETTINGS}`
  const keys = [...reader.keys()].filter((key) => key.startsWith(prefix))
  return Object.fromEntries(keys.map((key) => [key.slice(prefix.length), reader.get(key) ?? ""]))
}

/** JanusGraph's default of `index-name` for a graph without a name. */
export const DEFAULT_INDEX_NAME = "janusgraph"
const DEFAULT_PORT = 9200
const DEFAULT_CHUNK_BYTES = 100_000_000
/** JanusGraph fetches 50 results at a time. */
const DEFAULT_PAGE = 50
/** The largest page that engines take without a change of their settings. */
const LARGEST_PAGE = 10_000

const tls = (
  reader: OptionReader,
  option: (name: string) => string,
  file: string,
  folders: ConfigFolders
): SearchEngineSettings["tls"] => {
  if (!reader.flag(option("ssl.enabled"), false)) return undefined
  const located = (name: string): string | undefined => {
    const given = reader.get(option(name))
    if (given === undefined) return undefined
    const result = locate(folders, file, given)
    return "reason" in result ? reader.fail(option(name), result.reason) : result.found
  }
  return {
    trustStore: located("ssl.truststore.location"),
    trustStorePassword: reader.get(option("ssl.truststore.password")),
    keyStore: located("ssl.keystore.location"),
    keyStorePassword: reader.get(option("ssl.keystore.storepassword")),
    keyPassword: reader.get(option("ssl.keystore.keypassword")),
    hostnameValidation: !reader.flag(option("ssl.disable-hostname-verification"), false),
    selfSigned: reader.flag(option("ssl.allow-self-signed-certificates"), false)
  }
}

const login = (reader: OptionReader, option: (name: string) => string): SearchEngineSettings["login"] => {
  const type = (reader.get(option("http.auth.type")) ?? "NONE").trim().toUpperCase()
  if (type === "NONE") return undefined
  if (type !== "BASIC") {
    return reader.fail(
      option("http.auth.type"),
      `must be NONE or BASIC, not '${type}': this server loads no authenticator of Java`
    )
  }
  const username = reader.get(option("http.auth.basic.username"))
  if (username === undefined)
    reader.fail(option("http.auth.basic.username"), "is missing; the authentication BASIC needs it")
  return { username: username ?? "", password: reader.get(option("http.auth.basic.password")) ?? "" }
}

const codes = (reader: OptionReader, key: string): ReadonlyArray<number> => {
  const given = list(reader.get(key))
  const numbers = (given.length === 0 ? ["408", "429", "500", "502", "503", "504"] : given).map(Number)
  if (!numbers.every((code) => Number.isInteger(code) && code >= 100 && code < 600)) {
    reader.fail(key, "must be a list of HTTP status codes, such as 408,429,503")
  }
  return numbers
}

/** As JanusGraph: the name of the graph, if it has one. The names of all indexes of the graph begin with it. */
const indexName = (reader: OptionReader, key: string): string => {
  const name = reader.get(key) ?? reader.get("graph.graphname") ?? DEFAULT_INDEX_NAME
  if (!isEnginePrefix(name)) {
    const given =
      reader.get(key) === undefined ? "is missing. Its default, the name of the graph, cannot be" : "must not be"
    const allowed = name.replace(/^[^a-z0-9]+/i, "").replace(/[^\w-]+/g, "_")
    reader.fail(
      key,
      `${given} '${name}': the engine takes no index name that begins with -, _ or +, or has spaces or one of \\ / * ? " < > | , # :. Set, for ` +
        `example, ${allowed === "" ? DEFAULT_INDEX_NAME : allowed}`
    )
  }
  return name
}

const engine = (reader: OptionReader, backend: string, file: string, folders: ConfigFolders): SearchEngineSettings => {
  const plain = (name: string): string => `index.${backend}.${name}`
  const option = (name: string): string => plain(`elasticsearch.${name}`)
  const face = reader.get(option("interface")) ?? "REST_CLIENT"
  if (face.toUpperCase() !== "REST_CLIENT") {
    reader.fail(
      option("interface"),
      `must be REST_CLIENT, not '${face}': engines have no other interface for this server`
    )
  }
  if (reader.flag(option("use-mapping-for-es7"), false)) {
    reader.fail(
      option("use-mapping-for-es7"),
      "must be false: this server writes no documents with types of Elasticsearch 6"
    )
  }
  const hosts = list(reader.get(plain("hostname")))
  const pageSize = reader.whole(plain("max-result-set-size"), DEFAULT_PAGE)
  return {
    backend,
    hosts: hosts.length === 0 ? ["127.0.0.1"] : hosts,
    port: reader.whole(plain("port"), DEFAULT_PORT),
    indexName: indexName(reader, plain("index-name")),
    pageSize: Math.min(LARGEST_PAGE, pageSize),
    refresh: reader.oneOf(option("bulk-refresh"), ["false", "true", "wait_for"], "false"),
    connectTimeout: reader.whole(option("connect-timeout"), 1000),
    socketTimeout: reader.whole(option("socket-timeout"), 30_000),
    keepAliveSeconds: reader.whole(option("scroll-keep-alive"), 60),
    chunkBytes: reader.whole(option("bulk-chunk-size-limit-bytes"), DEFAULT_CHUNK_BYTES),
    createSettings: createSettings(reader, backend),
    createPause: reader.whole(option("create.sleep"), 200, { least: 0 }),
    usesAllField: reader.flag(option("use-all-field"), true),
    retries: {
      limit: reader.whole(option("retry-limit"), 0, { least: 0 }),
      codes: codes(reader, option("retry-error-codes")),
      first: reader.whole(option("retry-initial-wait"), 1, { least: 0 }),
      longest: reader.whole(option("retry-max-wait"), 1000, { least: 0 })
    },
    login: login(reader, option),
    tls: tls(reader, option, file, folders)
  }
}

/** The search engines of a graph in Cassandra: each `index.<name>.backend` that is one. `file` is the properties file. */
export const searchEngines = (
  reader: OptionReader,
  file: string,
  folders: ConfigFolders
): ReadonlyArray<SearchEngineSettings> => {
  if (!isCassandra(reader.get("storage.backend"))) return []
  const found: Array<SearchEngineSettings> = []
  for (const key of reader.keys()) {
    const backend = /^index\.([^.]+)\.backend$/.exec(key)?.[1]
    if (backend === undefined || !isSearchEngine(reader.get(key) ?? "")) continue
    found.push(engine(reader, backend, file, folders))
  }
  return found
}
