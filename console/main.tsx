import { effect } from "@preact/signals"
import { render } from "preact"
import { forgetWatched } from "./live/Watch.ts"
import { forgetQuery, forgetRun, readSharedQuery } from "./query/Query.ts"
import { askBeforeLeaving, followConnection } from "./query/Session.ts"
import { forgetSchema, readSchema } from "./schema/Schema.ts"
import { App } from "./shell/App.tsx"
import { about, connect, departures, source } from "./shell/Server.ts"

const place = document.getElementById("app")
if (place !== null) {
  readSharedQuery()
  // A file that is dropped beside the field for it must not replace the page.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault())
  addEventListener("hashchange", readSharedQuery)
  render(<App />, place)
  void connect()
  // The editor completes the names of the graph: they are read for each user and source.
  effect(() => {
    if (about.value !== null && source.value !== "") void readSchema()
  })
  followConnection()
  askBeforeLeaving()
  // Before the next login nobody sees what the last user saw. What that user wrote stays for a login of the same user.
  let hadUser = false
  effect(() => {
    const hasLeft = hadUser && about.value === null
    hadUser = about.value !== null
    if (!hasLeft) return
    forgetRun()
    forgetSchema()
    forgetWatched()
  })
  effect(() => {
    if (departures.value > 0) forgetQuery()
  })
}
