import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../cassandra/Cassandra.ts"
import { type ChildServer, startChild } from "../conformance/ChildServer.ts"
import { NotObtainable, obtainJars, run } from "../conformance/Maven.ts"

/** Version of the reference, as the pom names it. */
const versionIn = (pom: string): string => /<tinkerpop\.version>([^<]+)</.exec(readFileSync(pom, "utf8"))![1]!

/** Default Java heap of the reference. The environment variable REFERENCE_HEAP replaces it. */
const HEAP = "512m"

/** Writes the configuration with a free port into an empty folder. */
const configure = async (home: string, folder: string): Promise<string> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(join(home, "configuration"), folder, { recursive: true })
  const file = join(folder, "server.yaml")
  const port = await freePort()
  writeFileSync(file, readFileSync(file, "utf8").replace(/^port: .*$/m, `port: ${port}`))
  return file
}

/** The folder with the jars of the reference. The first call downloads them with Maven. */
const referenceJars = (home: string, cache: string): string => {
  const pom = join(home, "maven", "pom.xml")
  return obtainJars(pom, join(cache, `lib-${versionIn(pom)}`))
}

/**
 * The reason why the reference cannot run on this machine: no Java, no Maven, or no registry. Undefined if it can run. Any other failure
 * is thrown: it is one of this suite.
 */
export const missingReference = (home: string, cache: string): string | undefined => {
  try {
    mkdirSync(cache, { recursive: true })
    run("java", ["-version"], cache)
    referenceJars(home, cache)
    return undefined
  } catch (error) {
    if (error instanceof NotObtainable) return error.message
    throw error
  }
}

const startReference = async (home: string, cache: string): Promise<ChildServer> => {
  const jars = referenceJars(home, cache)
  const folder = join(cache, "reference")
  const file = await configure(home, folder)
  const heap = `-Xmx${process.env.REFERENCE_HEAP ?? HEAP}`
  // Without this flag the JVM omits the messages of frequent exceptions. Rules match messages.
  const options = [heap, "-XX:-OmitStackTraceInFastThrow", "-Dlogback.configurationFile=logback.xml"]
  const main = "org.apache.tinkerpop.gremlin.server.GremlinServer"
  return startChild("java", [...options, "-cp", join(jars, "*"), main, file], folder)
}

const startCandidate = async (home: string, cache: string, root: string): Promise<ChildServer> => {
  const folder = join(cache, "candidate")
  const file = await configure(home, folder)
  return startChild(process.execPath, [join(root, "bin", "engine-server.js"), file], folder)
}

/** A server that is restarted when its process has ended. */
export class RevivedServer {
  readonly #start: () => Promise<ChildServer>
  #server: ChildServer
  #ended: Error | undefined

  private constructor(start: () => Promise<ChildServer>, server: ChildServer) {
    this.#start = start
    this.#server = server
    this.#watch()
  }

  static async start(start: () => Promise<ChildServer>): Promise<RevivedServer> {
    return new RevivedServer(start, await start())
  }

  #watch(): void {
    this.#ended = undefined
    this.#server.ended.catch((error: Error) => {
      this.#ended = error
    })
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#server.port}/gremlin`
  }

  /** Restarts the server if it has ended, and returns the end of its log. Undefined if it runs. */
  async revive(): Promise<string | undefined> {
    const ended = this.#ended
    if (ended === undefined) return undefined
    this.#server = await this.#start()
    this.#watch()
    return ended.message
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}

/** Both servers, with the same configuration, in separate processes and folders. */
export interface Servers {
  readonly reference: RevivedServer
  readonly candidate: RevivedServer
}

/**
 * Starts the reference and this server.
 *
 * @param home folder of this suite
 * @param cache folder for the jars, which are kept, and for the folders of the servers
 * @param root folder of the project
 */
export const startServers = async (home: string, cache: string, root: string): Promise<Servers> => {
  mkdirSync(cache, { recursive: true })
  const reference = await RevivedServer.start(() => startReference(home, cache))
  try {
    return { reference, candidate: await RevivedServer.start(() => startCandidate(home, cache, root)) }
  } catch (error) {
    await reference.stop()
    throw error
  }
}
