import { TraversalInvalid } from "../language/Errors.ts"
import type { Service } from "../language/Service.ts"
import { degreeCentrality } from "./DegreeCentrality.ts"
import { DIRECTORY, directory } from "./Directory.ts"
import { textSearch } from "./TextSearch.ts"

/** The services of a server: the built-in ones and `own`, which take precedence over built-in services of the same name. */
export const servicesOf = (own: Iterable<Service>): ReadonlyMap<string, Service> => {
  const services = new Map([textSearch, degreeCentrality].map((service): [string, Service] => [service.name, service]))
  for (const service of own) services.set(service.name, service)
  return services
}

/** The service of a name; null is `--list`. Throws TraversalInvalid for an unknown name. */
export const serviceOf = (services: ReadonlyMap<string, Service>, name: string | null): Service => {
  if (name === null || name === DIRECTORY) return directory(services)
  const found = services.get(name)
  if (found !== undefined) return found
  throw new TraversalInvalid(
    `Unrecognized service: ${name}. g.call('${DIRECTORY}') lists the services of this server; there are ${[...services.keys()].join(", ")}.`
  )
}
