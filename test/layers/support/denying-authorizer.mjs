/** An authorizer of a user's own: refuses scripts that hold a word of its configuration. */
export default ({ word }) => ({
  admit: (user, request) => {
    if (typeof request.gremlin === "string" && request.gremlin.includes(word)) {
      throw new Error(`'${user.name}' may not say ${word}`)
    }
    return request
  },
  access: () => {}
})
