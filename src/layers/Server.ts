import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { Diagnostics } from "../services/Diagnostics.ts"
import { watchBusyProcess } from "./commands/BusyProcess.ts"
import * as ControlSocket from "./commands/ControlSocket.ts"
import { hint } from "./commands/Hint.ts"
import { reduceIdleHeap } from "./commands/IdleHeap.ts"
import type { Serve } from "./commands/Surroundings.ts"
import { EngineServer } from "./EngineServer.ts"
import { serverCommands } from "./ServerCommands.ts"

/** Runs the server and its control socket until the scope closes. */
export const serve: Serve = (settings, announcement) =>
  Effect.gen(function* () {
    const running = yield* EngineServer.start(settings)
    yield* reduceIdleHeap
    const hintOfStatus = yield* watchBusyProcess(settings)
    const { services } = running
    yield* Effect.logInfo(hint(settings, running.address))
    yield* announcement.ready
    if (settings.controlSocket !== undefined) {
      const diagnostics = Context.get(services, Diagnostics)
      yield* ControlSocket.listen(settings.controlSocket, {
        status: Effect.sync(() => announcement.status + diagnostics.status() + hintOfStatus()),
        dump: (format) => Effect.sync(() => diagnostics.dump(format)),
        ...serverCommands(services, settings)
      })
    }
    return yield* Effect.never
  })
