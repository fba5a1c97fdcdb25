import { useSignal } from "@preact/signals"
import { texts } from "../texts.ts"
import { login } from "./Server.ts"

const words = texts.login

/** Asks for user name and password. The form is not sent anywhere: the page logs in by itself. */
export const Login = () => {
  const name = useSignal("")
  const password = useSignal("")
  const problem = useSignal("")
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    problem.value = (await login(name.value, password.value)) ?? ""
    password.value = ""
  }
  return (
    <form class="login panel" onSubmit={(event) => void submit(event)}>
      <h2>{words.title}</h2>
      <p>{words.explain}</p>
      <label>
        {words.name}
        <input
          autocomplete="username"
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
      </label>
      <label>
        {words.password}
        <input
          type="password"
          autocomplete="current-password"
          value={password.value}
          onInput={(event) => {
            password.value = event.currentTarget.value
          }}
        />
      </label>
      {problem.value !== "" && (
        <p class="error" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="primary">
        {words.submit}
      </button>
    </form>
  )
}
