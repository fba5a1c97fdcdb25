/**
 * A service for call(). The configuration names it by its path:
 *
 *     callServices: [docs/examples/range-service.js]
 *
 * g.call('example.range').with('to', 3) then gives 1, 2 and 3. g.V().call('example.range').with('to', 3) gives up to three
 * property keys of each vertex.
 */
export default {
  name: "example.range",
  parameters: { to: "how many results, at most" },

  /** A generator: results beyond a limit() are never made. */
  *start({ parameters }) {
    for (let i = 1; i <= Number(parameters.get("to")); i++) yield i
  },

  /** May also return a promise. Other requests run until the promise is settled. */
  each(vertex, { parameters }) {
    return vertex
      .properties()
      .map(({ key }) => key)
      .slice(0, Number(parameters.get("to")))
  }
}
