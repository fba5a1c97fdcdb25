import { closeSync, openSync } from "node:fs"
import { channelToParent } from "../../../src/layers/workers/Channel.ts"

// A worker that answers each connection with its process id. The notice `retire` takes all file descriptors of the process, and `stop`
// makes them free again.
const channel = channelToParent()
const files: Array<number> = []
channel.onNotice("connection", (_, socket) => socket?.end(String(process.pid)))
channel.onNotice("retire", () => {
  try {
    for (;;) files.push(openSync("/dev/null", "r"))
  } catch {
    // There is none left.
  }
})
channel.onNotice("stop", () => {
  for (const file of files.splice(0)) closeSync(file)
})
channel.onQuestion("alive", () => null)
channel.tell("ready", { host: "", port: 0, workers: 1 })
