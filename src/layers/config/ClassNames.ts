import { simpleName } from "../../structure/scalars/ClassNames.ts"

/** True for an ES module of the user: a path or URL, or a name that ends in .js or .mjs. */
export const isModulePath = (value: string): boolean => /^(?:\.{0,2}\/|file:)/.test(value) || /\.(?:m?js)$/.test(value)

/**
 * The simple name of a class of TinkerPop or JanusGraph. In a configuration, `Engine` may stand for `Gremlin`, and `Service` for
 * `JanusGraph`.
 */
export const jvmName = (className: string): string =>
  simpleName(className.trim())
    .replace(/^Service(?=[A-Z])/, "JanusGraph")
    .replace(/Engine(?=Plugin$|V\d)/, "Gremlin")

/** Classes of JanusGraph that mean the same as those of TinkerPop without the prefix. */
const prefixed = /^JanusGraph(\w+(?:Authenticator|AuthenticationHandler|Channelizer))$/

/** Java classes with the same meaning here, besides the {@link prefixed} ones. The values are the names of this server. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["HMACAuthenticationHandler", "HttpHMACAuthenticationHandler"],
  ["ConfiguredGraphFactory", "JanusGraphFactory"],
  ["JanusGraphGraphFactory", "JanusGraphFactory"]
])

/** The name of a class in this server: without package, synonyms replaced. */
export const canonicalName = (className: string): string => {
  const name = jvmName(className).replace(prefixed, "$1")
  return synonyms.get(name) ?? name
}
