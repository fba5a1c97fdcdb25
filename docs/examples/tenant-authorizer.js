/**
 * An authorizer that gives each user one graph. The configuration names it by its path:
 *
 *     authorization:
 *       authorizer: docs/examples/tenant-authorizer.js
 *       config: { tenants: { marko: other }, readers: [josh] }
 *
 * Here the user marko has the graph `other`, which requests reach as g. All other users have the graph `graph`, and josh
 * only reads it. An exception is a refusal, and the client gets its message.
 */
export default ({ tenants = {}, readers = [] }) => {
  const graphOf = ({ name }) => (Object.hasOwn(tenants, name) ? tenants[name] : "graph")

  return {
    /** Sees each request (a script or bytecode) before its evaluation, and returns it or a replacement. */
    admit: (user, request) => {
      if (typeof request.gremlin === "string" && request.gremlin.length > 10_000)
        throw new Error("the script is too long")
      const graph = graphOf(user)
      return { ...request, aliases: new Map([["g", graph === "graph" ? "g" : `g_${graph}`]]) }
    },

    /** Sees what each traversal does to a graph before it runs: read, write, call or management. */
    access: (user, graph, access) => {
      if (graph !== graphOf(user)) throw new Error(`${user.name} may not use the graph ${graph}`)
      if (access !== "read" && readers.includes(user.name)) throw new Error(`${user.name} may only read`)
    },

    /**
     * Whether the user may see and cancel the requests of other users, and create, change and drop the graphs on which access() allows
     * management.
     */
    operates: (user) => user.name === "admin"
  }
}
