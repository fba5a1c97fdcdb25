import type { Locator, Page } from "playwright-core"

/** A script that makes TinkerPop's graph "modern". */
export const toyGraph =
  "g.addV('person').property('name','marko').property('age',29).as('m').addV('person').property('name','vadas').property('age',27).as('v')." +
  "addV('software').property('name','lop').property('lang','java').as('l').addV('person').property('name','josh').property('age',32).as('j')." +
  "addV('software').property('name','ripple').property('lang','java').as('r').addV('person').property('name','peter').property('age',35).as('p')." +
  "addE('knows').from('m').to('v').property('weight',0.5).addE('knows').from('m').to('j').property('weight',1.0)." +
  "addE('created').from('m').to('l').property('weight',0.4).addE('created').from('j').to('r').property('weight',1.0)." +
  "addE('created').from('j').to('l').property('weight',0.4).addE('created').from('p').to('l').property('weight',0.2)"

/** Writes a query into the editor by keyboard. */
export const writeQuery = async (page: Page, query: string): Promise<void> => {
  const editor = page.getByRole("textbox", { name: "Gremlin query" })
  await editor.focus()
  await page.keyboard.press("Control+a")
  await page.keyboard.press("Delete")
  await page.keyboard.insertText(query)
}

/** Runs a query as a person does: by keyboard. */
export const runQuery = async (page: Page, query: string): Promise<void> => {
  await writeQuery(page, query)
  await page.keyboard.press("Control+Enter")
}

/**
 * The button that ends a query, in the live view. Other queries may be listed beside it: one that has just been stopped, and those
 * of the page itself.
 */
export const killButton = (page: Page, query: string): Locator =>
  page.getByRole("button", { name: `Kill: ${query}`, exact: true })

/** Opens one of the pages of the console. */
export const showView = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation").getByRole("button", { name, exact: true }).click()

/** Logs in by the form. */
export const logIn = async (page: Page, password: string, name = "stephen"): Promise<void> => {
  await page.getByLabel("User name").fill(name)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Log in" }).click()
}

/**
 * Waits for a text that the page shows for two seconds after a press. The wait begins before the press, so that it sees the text
 * also when a slow machine takes longer for the return of the press.
 */
export const whilePressing = async (shown: Locator, press: () => Promise<void>): Promise<void> => {
  await Promise.all([shown.waitFor(), press()])
}
