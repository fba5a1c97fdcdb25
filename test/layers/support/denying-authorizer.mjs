/** A custom authorizer. It refuses scripts that contain the word of its configuration. */
export default ({ word }) => ({
  admit: (user, request) => {
    if (typeof request.gremlin === "string" && request.gremlin.includes(word)) {
      throw new Error(`'${user.name}' may not say ${word}`)
    }
    return request
  },
  access: () => {}
})
