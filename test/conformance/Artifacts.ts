import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { parseFeature, type Scenario } from "./Feature.ts"
import { obtainJars, once, run } from "./Maven.ts"

/** The TinkerPop version of the suite. Only the pom names it, too. */
const version = "3.8.1"

/** The parts of the Maven artifacts that the suite uses, unpacked in the cache. */
export interface Artifacts {
  /** Class path of the program that writes bytecode: all jars and the compiled class */
  readonly classPath: string
  readonly scenarios: ReadonlyArray<Scenario>
  /** The dataset of a toy graph: GraphSON 3, one vertex per line. */
  readonly dataset: (graph: string) => string
  /** Folder whose subfolder `data` has the files of `g.io("data/...")`. */
  readonly ioDirectory: string
  /** File of the Grateful Dead graph in GraphSON 3, for the configuration of the server. */
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
 * Obtains the suite by Maven coordinates, unpacks it and compiles the program that writes bytecode. Later runs use the cache, and
 * need neither Maven nor the network.
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
