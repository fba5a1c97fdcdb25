import { basename, dirname, join } from "node:path"
import type { GraphSettings, ServerSettings, SslSettings } from "../../services/Config.ts"
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

const filesOfGraph = ({ factory, file }: GraphSettings): ReadonlyArray<string | undefined> => {
  if (factory.kind === "module") return [file, factory.module]
  if (factory.kind !== "JanusGraphFactory" || factory.storage.directory === undefined) return [file]
  return [file, ...filesOfStorage(factory.storage.directory)]
}

const moduleOf = (named: string | { readonly module: string } | undefined): string | undefined =>
  typeof named === "object" ? named.module : undefined

/**
 * The files that io() must not read or write, because the server depends on them: users, graphs on disk and their
 * properties, keys and certificates, modules, and the log. Otherwise a client with write access could read or replace them
 * when they are in the folder of io(). The file from which a served graph is loaded is data, and is not included. A
 * symbolic link and its target are both included.
 */
export const closedFiles = ({
  authentication,
  authorization,
  callServices,
  channelizer,
  configurationGraph,
  graphs,
  logging,
  ssl
}: Pick<
  ServerSettings,
  | "authentication"
  | "authorization"
  | "callServices"
  | "channelizer"
  | "configurationGraph"
  | "graphs"
  | "logging"
  | "ssl"
>): ReadonlySet<string> => {
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
  for (const file of [...filesOfTls(ssl), ...callServices, logging.file]) close(file)
  close(moduleOf(authorization.authorizer))
  close(moduleOf(channelizer))
  return closed
}
