import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { parseFeature, type Scenario } from "./Feature.ts"
import { obtainJars, once, run } from "./Maven.ts"

/** Version of TinkerPop whose suite this is; the one place besides the pom that names it. */
const version = "3.8.1"

/** What the suite takes from the Maven artifacts, unpacked in the cache. */
export interface Artifacts {
  /** class path of the program that writes bytecode: all jars and the compiled class */
  readonly classPath: string
  readonly scenarios: ReadonlyArray<Scenario>
  /** the dataset of a toy graph: GraphSON 3, one vertex a line */
  readonly dataset: (graph: string) => string
  /** folder with what `g.io("data/...")` reads, below its subfolder data */
  readonly ioDirectory: string
  /** file of the Grateful Dead graph in GraphSON 3, for the server's configuration */
  readonly grateful: string
}

const features = "org/apache/tinkerpop/gremlin/test/features"
const datasets = "org/apache/tinkerpop/gremlin/structure/io"

const datasetNames: Readonly<Record<string, string>> = {
  modern: "tinkerpop-modern-v3.json",
  classic: "tinkerpop-classic-v3.json",
  crew: "tinkerpop-crew-v3.json",
  sink: "tinkerpop-sink-v3.json",
  grateful: "grateful-dead-v3.json"
}

const featureFiles = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".feature"))
    .sort()

/**
 * Obtains the suite by Maven coordinates, unpacks it and compiles the program that writes bytecode. Later runs find
 * everything in the cache and need neither Maven nor the network.
 */
export const obtain = (home: string, cache: string): Artifacts => {
  mkdirSync(cache, { recursive: true })
  const lib = obtainJars(join(home, "maven", "pom.xml"), join(cache, `lib-${version}`))
  const suite = once(join(cache, `suite-${version}`), (directory) =>
    run(
      "jar",
      [
        "xf",
        join(lib, `gremlin-test-${version}.jar`),
        features,
        ...["graphson", "gryo", "graphml"].map((kind) => `${datasets}/${kind}`)
      ],
      directory
    )
  )
  const io = once(join(cache, `io-${version}`), (directory) => {
    mkdirSync(join(directory, "data"))
    const copy = (from: string, to: string) => copyFileSync(join(suite, datasets, from), join(directory, "data", to))
    copy("graphson/tinkerpop-modern-v3.json", "tinkerpop-modern.json")
    copy("gryo/tinkerpop-modern-v3.kryo", "tinkerpop-modern.kryo")
    copy("graphml/tinkerpop-modern.xml", "tinkerpop-modern.xml")
  })
  const root = join(suite, features)
  const dataset = (graph: string): string => {
    const name = datasetNames[graph]
    if (name === undefined) throw new Error(`the suite has no dataset of a graph ${graph}`)
    return join(suite, datasets, "graphson", name)
  }
  return {
    classPath: `${join(lib, "*")}:${compile(home, cache, lib)}`,
    scenarios: featureFiles(root).flatMap((file) =>
      parseFeature(relative(root, join(root, file)).replace(/\.feature$/, ""), readFileSync(join(root, file), "utf8"))
    ),
    dataset: (graph) => readFileSync(dataset(graph), "utf8"),
    ioDirectory: io,
    grateful: dataset("grateful")
  }
}

/** Compiles the Java program when its source is newer than its class. */
const compile = (home: string, cache: string, lib: string): string => {
  const source = join(home, "java", "BytecodeWriter.java")
  const directory = join(cache, "classes")
  const stamp = join(directory, "stamp")
  if (!existsSync(stamp) || statSync(stamp).mtimeMs < statSync(source).mtimeMs) {
    run("javac", ["-nowarn", "-d", directory, "-cp", join(lib, "*"), source], cache)
    writeFileSync(stamp, "")
  }
  return directory
}
