import { effect } from "@preact/signals"
import { render } from "preact"
import { forgetWatched } from "./live/Watch.ts"
import { forgetQuery, readSharedQuery } from "./query/Query.ts"
import { askBeforeLeaving, followConnection } from "./query/Session.ts"
import { forgetSchema, readSchema } from "./schema/Schema.ts"
import { App } from "./shell/App.tsx"
import { about, connect, source } from "./shell/Server.ts"

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
  // The next user must not see what the last one saw.
  let hadUser = false
  effect(() => {
    const hasUser = about.value !== null
    if (hasUser || !hadUser) {
      hadUser = hasUser
      return
    }
    hadUser = false
    forgetQuery()
    forgetSchema()
    forgetWatched()
  })
}
