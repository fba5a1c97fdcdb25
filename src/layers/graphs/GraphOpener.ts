import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import { errorOf } from "../../scheduling/Pending.ts"
import type { GraphSettings } from "../../services/GraphSettings.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { WorkerIdentity, type WorkerIdentityShape } from "../../services/WorkerIdentity.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { openGraph } from "./GraphStores.ts"

/**
 * Opens graphs, as promises. The end of the server ends the wait for locks.
 *
 * @param worker who opens the graphs, if not the process as the runtime knows it
 */
export const graphOpener =
  (runtime: Runtime.Runtime<never>, signal: AbortSignal, worker?: WorkerIdentityShape) =>
  async (settings: GraphSettings): Promise<GraphStore> => {
    const opening = openGraph(settings)
    const exit = await Runtime.runPromiseExit(runtime)(
      worker === undefined ? opening : Effect.provideService(opening, WorkerIdentity, worker),
      { signal }
    )
    if (Exit.isSuccess(exit)) return exit.value
    throw errorOf(Cause.squash(exit.cause))
  }

/** Whether clients may manage graphs. By default they may not if the server has users and no rules for them. */
export const allowsManagedGraphs = ({ authentication, authorization, dynamicGraphs }: ServerSettings): boolean =>
  dynamicGraphs.allowed ??
  (authentication.authenticator === "AllowAllAuthenticator" || authorization.authorizer !== undefined)
