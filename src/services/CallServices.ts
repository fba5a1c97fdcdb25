import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { Service } from "../process/language/Service.ts"

/** What call() can run, by name: the server's own services and those of its users. */
export class CallServices extends Context.Tag("engine-server/CallServices")<
  CallServices,
  ReadonlyMap<string, Service>
>() {}

/** A module that `callServices` names cannot be used. */
export class CallServiceUnusable extends Data.TaggedError("CallServiceUnusable")<{
  readonly module: string
  readonly reason: string
}> {
  override get message(): string {
    return `The services of call() in ${this.module} cannot be used: ${this.reason}`
  }
}

export type { Service, ServiceAnswer, ServiceCall, ServiceResults } from "../process/language/Service.ts"
