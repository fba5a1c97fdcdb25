/**
 * An authorizer: each user works on one graph. Named in the configuration by its path:
 *
 *     authorization:
 *       authorizer: docs/examples/tenant-authorizer.js
 *       config: { tenants: { marko: other }, readers: [josh] }
 *
 * the user marko calls the graph `other` g and reaches no graph but that one, josh only reads, and everybody else works on
 * the graph `graph`. Whatever it throws is a refusal, and its message is what the client is told.
 */
export default ({ tenants = {}, readers = [] }) => {
  const graphOf = ({ name }) => (Object.hasOwn(tenants, name) ? tenants[name] : "graph")

  return {
    /** Sees each request first, a script or bytecode, and gives it back, or another in its place. */
    admit: (user, request) => {
      if (typeof request.gremlin === "string" && request.gremlin.length > 10_000)
        throw new Error("the script is too long")
      const graph = graphOf(user)
      return { ...request, aliases: new Map([["g", graph === "graph" ? "g" : `g_${graph}`]]) }
    },

    /** Sees what each traversal does to a graph before it runs: read, write, call or management. */
    access: (user, graph, access) => {
      if (graph !== graphOf(user)) throw new Error(`the graph ${graph} is not that of ${user.name}`)
      if (access !== "read" && readers.includes(user.name)) throw new Error(`${user.name} only reads`)
    },

    /** Who may see and cancel the requests of others. */
    operates: (user) => user.name === "admin"
  }
}
