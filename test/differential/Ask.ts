import { createInterface } from "node:readline"
import { Client } from "./Client.ts"
import { Known, outcomeText } from "./Known.ts"
import { Play } from "./Play.ts"
import type { Servers } from "./Servers.ts"

/**
 * Sends each line of the standard input to both servers, and prints their answers. A line is a script, whose first name is the
 * traversal source, such as `gscratch.V().count()`. A line that begins with `groovy:` is a Groovy script on `gscratch`.
 */
export const ask = async (servers: Servers): Promise<void> => {
  const play = await Play.open(servers, new Known([]))
  play.close()
  const sides = [
    ["Gremlin Server", new Client(servers.reference.url)],
    ["this server", new Client(servers.candidate.url)]
  ] as const
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue
    console.log(line)
    const isGroovy = line.startsWith("groovy:")
    const source = isGroovy ? "gscratch" : (/^\w+/.exec(line)?.[0] ?? "g")
    const program = isGroovy ? line.slice("groovy:".length) : line.replace(/^\w+/, "g")
    for (const [name, client] of sides) {
      const language = isGroovy ? "gremlin-groovy" : "gremlin-lang"
      console.log(`  ${name.padEnd(15)} ${outcomeText(await client.run({ source, program, language }))}`)
    }
  }
  for (const [, client] of sides) client.close()
}
