/**
 * A service for call(). Named in the configuration by its path:
 *
 *     callServices: [docs/examples/range-service.js]
 *
 * it answers g.call('example.range').with('to', 3) with 1, 2 and 3, and g.V().call('example.range').with('to', 3) with as
 * many of each vertex's property keys.
 */
export default {
  name: "example.range",
  parameters: { to: "how many results, at most" },

  /** A generator: what comes behind a limit() is never made. */
  *start({ parameters }) {
    for (let i = 1; i <= Number(parameters.get("to")); i++) yield i
  },

  /** May give a promise, too; other requests go on meanwhile. */
  each(vertex, { parameters }) {
    return vertex
      .properties()
      .map(({ key }) => key)
      .slice(0, Number(parameters.get("to")))
  }
}
