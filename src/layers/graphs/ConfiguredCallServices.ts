import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { servicesOf } from "../../process/calls/Registry.ts"
import { isService, type Service } from "../../process/language/Service.ts"
import { errorOf } from "../../scheduling/Pending.ts"
import { CallServices, CallServiceUnusable } from "../../services/CallServices.ts"
import { Config } from "../../services/Config.ts"
import { importModule } from "../../services/OwnModules.ts"

/** Loads the default export of an ES module: a service, or an array of services. */
const fromModule = (module: string): Effect.Effect<ReadonlyArray<Service>, CallServiceUnusable> =>
  Effect.tryPromise({
    try: async () => {
      const loaded = await importModule(module)
      const found: ReadonlyArray<unknown> = [loaded.default].flat()
      const services = found.filter(isService)
      if (found.length > 0 && services.length === found.length) return services
      throw new Error(
        "its default export must be a service, or an array of them: an object with a name, parameters, and at least " +
          "one of the functions start, each and all"
      )
    },
    catch: (cause) => new CallServiceUnusable({ module, reason: errorOf(cause).message })
  })

/**
 * The services of call(): the server's own, those of the modules in the setting `callServices`, and those of the program.
 * Later ones replace earlier ones of the same name.
 */
export const layer = (own: ReadonlyArray<Service>): Layer.Layer<CallServices, CallServiceUnusable, Config> =>
  Layer.effect(
    CallServices,
    Effect.gen(function* () {
      const { callServices } = yield* Config
      const configured = yield* Effect.forEach(callServices, fromModule)
      return servicesOf([...configured.flat(), ...own])
    })
  )
