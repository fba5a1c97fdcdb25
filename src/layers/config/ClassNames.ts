/** The last part of a Java class name: configuration files name classes with the package of whoever wrote them. */
export const simpleName = (className: string): string => className.slice(className.lastIndexOf(".") + 1)

/** An ES module of the user's own: a path or URL, or a name that ends in .js or .mjs. */
export const isModulePath = (value: string): boolean => /^(?:\.{0,2}\/|file:)/.test(value) || /\.(?:m?js)$/.test(value)

/**
 * Classes that stand for the same thing here: JanusGraph's and the neutral spelling of Gremlin Server's classes. Values
 * are the names of this server.
 */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["JanusGraphSimpleAuthenticator", "SimpleAuthenticator"],
  ["ServiceSimpleAuthenticator", "SimpleAuthenticator"],
  ["JanusGraphWebSocketChannelizer", "WebSocketChannelizer"],
  ["JanusGraphHttpChannelizer", "HttpChannelizer"],
  ["JanusGraphWsAndHttpChannelizer", "WsAndHttpChannelizer"],
  ["HMACAuthenticationHandler", "HttpHMACAuthenticationHandler"],
  ["ServiceGraphFactory", "JanusGraphFactory"],
  ["ServiceFactory", "JanusGraphFactory"]
])

/** A class name as this server spells it: without package, synonyms replaced. */
export const canonicalName = (className: string): string => {
  const name = simpleName(className.trim())
  return synonyms.get(name) ?? name
}
