import { nameOf } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Service, ServiceCall } from "../language/Service.ts"

/** The name of the service that lists all services. call() without a name calls it, too. */
export const DIRECTORY = "--list"

const kinds = [
  ["start", "Start"],
  ["each", "Streaming"],
  ["all", "Barrier"]
] as const

/** A service as JSON in the format of TinkerPop's DirectoryService. */
const described = (service: Service): string =>
  JSON.stringify({
    name: service.name,
    "type:[requirements]:": Object.fromEntries(
      kinds.flatMap(([call, type]) => (service[call] === undefined ? [] : [[type, []]]))
    ),
    params: service.parameters
  })

/** The service that lists `services`. */
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
