import { basename, dirname, join } from "node:path"
import type { CqlTlsSettings, GraphSettings, ServerSettings, SslSettings } from "../../services/Config.ts"
import { canonical } from "../../storage/shared/CanonicalPath.ts"

const filesOfTls = ({ keyCertChainFile, keyFile, keyStore, trustCertChainFile, trustStore }: SslSettings) => [
  keyStore,
  keyCertChainFile,
  keyFile,
  trustStore,
  trustCertChainFile
]

/** The files of lmdb and the lock of the folder. */
const filesOfStorage = (directory: string): ReadonlyArray<string> =>
  ["graph.mdb", "graph.mdb-lock", "server.lock"].map((name) => join(directory, name))

const storesOf = (tls: CqlTlsSettings | undefined): ReadonlyArray<string | undefined> => [
  tls?.keyStore,
  tls?.trustStore
]

const filesOfGraph = ({ factory, file }: GraphSettings): ReadonlyArray<string | undefined> => {
  if (factory.kind === "module") return [file, factory.module]
  if (factory.kind !== "JanusGraphFactory") return [file]
  const { cells, storage } = factory
  return [
    file,
    ...(storage.directory === undefined ? [] : filesOfStorage(storage.directory)),
    cells?.schemaInit?.file,
    ...storesOf(storage.cql?.tls),
    ...(cells?.searchEngines ?? []).flatMap(({ tls }) => storesOf(tls))
  ]
}

const moduleOf = (named: string | { readonly module: string } | undefined): string | undefined =>
  typeof named === "object" ? named.module : undefined

type ConfiguredFiles = Pick<
  ServerSettings,
  | "authentication"
  | "authorization"
  | "callServices"
  | "channelizer"
  | "configurationFiles"
  | "configurationGraph"
  | "controlSocket"
  | "graphs"
  | "initialization"
  | "logging"
  | "ssl"
>

/**
 * The files that io() must not read or write, because the server depends on them: the configuration, users, graphs on disk, their
 * properties and schemas, scripts that run at the start, keys and certificates, modules, the log, and the control socket. Otherwise a
 * client with write access could read or replace them when they are in the folder of io(). The file from which a served graph is
 * loaded is data, and is not included. A symbolic link and its target are both included. A path whose last part is `*` and an
 * ending stands for all files of its folder with this ending.
 */
export const closedFiles = (settings: ConfiguredFiles): ReadonlySet<string> => {
  const { authentication, authorization, callServices, channelizer, configurationGraph, graphs, logging, ssl } =
    settings
  const closed = new Set<string>()
  const close = (file: string | undefined): void => {
    if (file !== undefined) closed.add(canonical(file)).add(join(canonical(dirname(file)), basename(file)))
  }
  const { credentialsDb } = authentication
  if (credentialsDb !== undefined) {
    for (const file of filesOfGraph(credentialsDb)) close(file)
    if ("tinkergraph" in credentialsDb.factory) close(credentialsDb.factory.tinkergraph.graphLocation)
  }
  if (configurationGraph !== undefined) for (const file of filesOfGraph(configurationGraph)) close(file)
  for (const graph of graphs.values()) for (const file of filesOfGraph(graph)) close(file)
  for (const file of [...filesOfTls(ssl), ...callServices, logging.file, settings.controlSocket]) close(file)
  for (const { file } of settings.initialization?.scripts ?? []) close(file)
  for (const file of settings.configurationFiles ?? []) close(file)
  close(moduleOf(authorization.authorizer))
  close(moduleOf(channelizer))
  return closed
}
