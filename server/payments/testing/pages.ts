/** A page as a person without JavaScript has it. */
export type Page = {
  readonly status: number
  readonly text: string
  readonly location: string | null
  readonly url: string
}

export async function visit(url: string): Promise<Page> {
  return read(url, await fetch(url, { redirect: 'manual' }))
}

/** Fills in the form of a page and sends it where the page says. */
export async function submit(page: Page, values: Record<string, string>): Promise<Page> {
  const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1]
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1]
  if (action === undefined || token === undefined) throw new Error(`no form on ${page.url} (${page.status})`)
  const url = new URL(action, page.url).href
  const body = new URLSearchParams({ form_token: token, ...values })
  return read(url, await fetch(url, { method: 'POST', redirect: 'manual', body }))
}

async function read(url: string, response: Response): Promise<Page> {
  return { status: response.status, text: await response.text(), location: response.headers.get('location'), url }
}
