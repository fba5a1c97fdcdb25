/**
 * Tokens of JanusGraph Server 1.1.0 with SaslAndHMACAuthenticator, a secret and users: recorded answers of `GET /session`
 * with user and password. JanusGraph accepted tokens that this server made from the same secret and hash.
 */
export const janusGraph = {
  secret: "secret",
  password: "password",
  /** Hash of the password in its credentials graph. Both users have this password. */
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
  /** Its users in GraphSON 3, as written by `io(file).write()`. */
  usersFile: `{"id":{"@type":"g:Int64","@value":0},"label":"user","properties":{"password":[{"id":{"@type":"g:Int64","@value":2},"value":"$2a$04$d5xy2SJCR5fcYUo0GoD4/.EhTjNkFCHXZSPwZNHAxoMlGwN87tBFa"}],"username":[{"id":{"@type":"g:Int64","@value":1},"value":"märko"}]}}
{"id":{"@type":"g:Int64","@value":3},"label":"user","properties":{"password":[{"id":{"@type":"g:Int64","@value":5},"value":"$2a$04$d5xy2SJCR5fcYUo0GoD4/.EhTjNkFCHXZSPwZNHAxoMlGwN87tBFa"}],"username":[{"id":{"@type":"g:Int64","@value":4},"value":"stephen"}]}}
`
} as const
