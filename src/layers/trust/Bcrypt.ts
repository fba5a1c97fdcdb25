/** @node-rs/bcrypt, for import() of this file; see observability/PromClient.ts. */
export { hash, verify } from "@node-rs/bcrypt"
