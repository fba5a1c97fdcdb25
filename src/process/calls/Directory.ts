import { nameOf } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Service, ServiceCall } from "../language/Service.ts"

/** The name under which call() lists the services; also what it does without a name. */
export const DIRECTORY = "--list"

const kinds = [
  ["start", "Start"],
  ["each", "Streaming"],
  ["all", "Barrier"]
] as const

/** A service in JSON, in the form of TinkerPop's directory. */
const described = (service: Service): string =>
  JSON.stringify({
    name: service.name,
    "type:[requirements]:": Object.fromEntries(
      kinds.flatMap(([call, type]) => (service[call] === undefined ? [] : [[type, []]]))
    ),
    params: service.parameters
  })

/** The service that lists the others. */
export const directory = (services: ReadonlyMap<string, Service>): Service => ({
  name: DIRECTORY,
  parameters: {
    service: "Name of the one service to list.",
    verbose: "true: a description in JSON instead of the name."
  },
  start: ({ parameters }: ServiceCall) => {
    const name = parameters.get("service") ?? null
    const verbose = parameters.get("verbose") ?? false
    if (name !== null && typeof name !== "string") {
      throw new TraversalError(`call('${DIRECTORY}') takes a string as its service, but was given ${nameOf(name)}`)
    }
    if (typeof verbose !== "boolean") {
      throw new TraversalError(`call('${DIRECTORY}') takes true or false as verbose, but was given ${nameOf(verbose)}`)
    }
    return [...services.values()]
      .filter((service) => name === null || service.name === name)
      .map((service) => (verbose ? described(service) : service.name))
  }
})
