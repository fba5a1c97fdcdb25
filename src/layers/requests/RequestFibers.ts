import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Runtime from "effect/Runtime"
import * as Scheduler from "effect/Scheduler"

/** Lets sockets and timers run before a fiber continues. The default scheduler yields to microtasks only. */
const scheduler = Scheduler.make((task) => void setImmediate(task))

/** Starts fibers of requests. The scheduler is part of the runtime, because passing it to each fork doubles the cost. */
export const forkOver = (
  runtime: Runtime.Runtime<never>
): (<A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>) =>
  Runtime.runFork(Runtime.setFiberRef(runtime, FiberRef.currentScheduler, scheduler))
