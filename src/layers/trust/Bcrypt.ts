/** @node-rs/bcrypt. It is loaded late, by import() of this file, because import() of a CommonJS package has no names in a bundle. */
export { hash, verify } from "@node-rs/bcrypt"
