/**
 * What JanusGraph Server 1.1.0 itself gave, with SaslAndHMACAuthenticator, a secret and users of its own, to `GET /session` with
 * user and password: recorded from a running one. Tokens that this server made of the same secret and hash were good there.
 */
export const janusGraph = {
  secret: "secret",
  password: "password",
  /** Of the password, as its credentials graph has it; both users have this one. */
  hash: "$2a$04$d5xy2SJCR5fcYUo0GoD4/.EhTjNkFCHXZSPwZNHAxoMlGwN87tBFa",
  tokens: {
    stephen: {
      time: 1_795_316_497_910,
      text: "c3RlcGhlbjoxNzk1MzE2NDk3OTEwOncyVTBvZzZ6dFU3d2R2TXdEWDdSZzJHYl8xUC03T01mMTA4cW1fd2cyVzA9"
    },
    märko: {
      time: 1_795_316_497_919,
      text: "bcOkcmtvOjE3OTUzMTY0OTc5MTk6dEREb2hQZ01rM0Uyck5hbjExN2R0WkRxcmswSTI2SnhzZGc0Rkx3SHFWUT0="
    }
  },
  /** Its users, as it writes them with `io(file).write()` in GraphSON 3. */
  usersFile: `{"id":{"@type":"g:Int64","@value":0},"label":"user","properties":{"password":[{"id":{"@type":"g:Int64","@value":2},"value":"$2a$04$d5xy2SJCR5fcYUo0GoD4/.EhTjNkFCHXZSPwZNHAxoMlGwN87tBFa"}],"username":[{"id":{"@type":"g:Int64","@value":1},"value":"märko"}]}}
{"id":{"@type":"g:Int64","@value":3},"label":"user","properties":{"password":[{"id":{"@type":"g:Int64","@value":5},"value":"$2a$04$d5xy2SJCR5fcYUo0GoD4/.EhTjNkFCHXZSPwZNHAxoMlGwN87tBFa"}],"username":[{"id":{"@type":"g:Int64","@value":4},"value":"stephen"}]}}
`
} as const
