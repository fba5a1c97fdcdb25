import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { Service } from "../process/language/Service.ts"

/** The services of call() by their names: those of the server, and those of modules. */
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
