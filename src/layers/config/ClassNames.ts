import { simpleName } from "../../structure/scalars/ClassNames.ts"

/** True for an ES module of the user: a path or URL, or a name that ends in .js or .mjs. */
export const isModulePath = (value: string): boolean => /^(?:\.{0,2}\/|file:)/.test(value) || /\.(?:m?js)$/.test(value)

/**
 * Java classes with the same meaning here: those of JanusGraph, and neutral spellings. The values are the names of this
 * server.
 */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["JanusGraphSimpleAuthenticator", "SimpleAuthenticator"],
  ["ServiceSimpleAuthenticator", "SimpleAuthenticator"],
  ["JanusGraphWebSocketChannelizer", "WebSocketChannelizer"],
  ["JanusGraphHttpChannelizer", "HttpChannelizer"],
  ["JanusGraphWsAndHttpChannelizer", "WsAndHttpChannelizer"],
  ["HMACAuthenticationHandler", "HttpHMACAuthenticationHandler"],
  ["ConfiguredGraphFactory", "JanusGraphFactory"],
  ["ServiceGraphFactory", "JanusGraphFactory"],
  ["ServiceFactory", "JanusGraphFactory"]
])

/** The name of a class in this server: without package, synonyms replaced. */
export const canonicalName = (className: string): string => {
  const name = simpleName(className.trim())
  return synonyms.get(name) ?? name
}
