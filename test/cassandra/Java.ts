import { execFileSync } from "node:child_process"
import { join } from "node:path"

/** The command of a Java that runs Cassandra: it needs the security manager, which was removed after Java 17. */
export const java = (): string => {
  const folders = [process.env.CASSANDRA_JAVA_HOME, process.env.JAVA_HOME].filter((folder) => folder !== undefined)
  const fit = [...folders.map((folder) => join(folder, "bin", "java")), "java"].find((command) => {
    try {
      return /\b(?:11|17)\.\d/.test(execFileSync(command, ["--version"], { encoding: "utf8" }).split("\n")[0]!)
    } catch {
      return false
    }
  })
  if (fit === undefined) throw new Error("Cassandra needs Java 11 or 17: set CASSANDRA_JAVA_HOME to the folder of one")
  return fit
}

const opened = (kind: "exports" | "opens", names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => [`--add-${kind}`, `${name}=ALL-UNNAMED`])

/** Flags that open the internals of the JVM that Cassandra uses. */
export const access = [
  ...opened("exports", [
    "java.base/jdk.internal.misc",
    "java.base/jdk.internal.ref",
    "java.base/sun.nio.ch",
    "java.management.rmi/com.sun.jmx.remote.internal.rmi",
    "java.rmi/sun.rmi.registry",
    "java.rmi/sun.rmi.server",
    "java.sql/java.sql",
    "jdk.attach/sun.tools.attach"
  ]),
  ...opened("opens", [
    "java.base/java.lang.module",
    "java.base/jdk.internal.loader",
    "java.base/jdk.internal.ref",
    "java.base/jdk.internal.reflect",
    "java.base/jdk.internal.math",
    "java.base/jdk.internal.module",
    "java.base/jdk.internal.util.jar",
    "java.base/sun.nio.ch",
    "java.base/java.io",
    "java.base/java.nio",
    "java.base/java.lang",
    "java.base/java.lang.reflect",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "jdk.management/com.sun.management.internal",
    "jdk.management/com.sun.management",
    "java.rmi/sun.rmi.transport.tcp"
  ])
]
