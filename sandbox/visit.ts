/** One of the hosted pages, as a person without JavaScript has it. */
export type Page = {
  readonly status: number
  readonly text: string
  /** Where the page sends the browser on; a page that is content with a form does. */
  readonly location: string | null
  readonly url: string
}

export async function visit(url: string | null): Promise<Page> {
  return read(url ?? '', await fetch(url ?? '', { redirect: 'manual' }))
}

/**
 * Fills in a form of a page and sends it where the page says.
 * @param about part of the form that is meant, where a page has several; the first one else.
 */
export async function submit(page: Page, values: Readonly<Record<string, string>>, about = ''): Promise<Page> {
  const forms = page.text.match(/<form method="post"[\s\S]*?<\/form>/g) ?? []
  const form = forms.find((text) => text.includes(about)) ?? ''
  const action = /^<form method="post" action="([^"]+)"/.exec(form)?.[1]
  if (action === undefined) throw new Error(`no form on ${page.url} (${page.status})`)
  const url = new URL(action, page.url).href
  const hidden = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const body = new URLSearchParams()
  for (const [, name = '', value = ''] of hidden) body.set(name, value)
  for (const [name, value] of Object.entries(values)) body.set(name, value)
  return read(url, await fetch(url, { method: 'POST', redirect: 'manual', body }))
}

async function read(url: string, response: Response): Promise<Page> {
  return { status: response.status, text: await response.text(), location: response.headers.get('location'), url }
}

/** What the onboarding page asks for. */
export const onboardingAnswers = {
  first: 'Ada',
  last: 'Example',
  email: 'ada@example.com',
  born: '01/01/1990',
  ssn: '0000',
  website: 'https://example.com',
  routing: '110000000',
  account: '000123456789',
  terms: 'yes',
} as const

/** What the checkout page asks for, with a card that pays. */
export const payingCard = {
  email: 'fan@example.com',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  name: 'Fay Fan',
  country: 'US',
  postal: '94107',
} as const
