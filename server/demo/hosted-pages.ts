/** Fills in the first form of one of the sandbox's hosted pages and sends it, as a browser without scripts would. */
export async function submitHostedPage(address: string, values: Readonly<Record<string, string>>): Promise<void> {
  const page = await (await fetch(address)).text()
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1]
  const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1]
  if (action === undefined || token === undefined) throw new Error(`There is no form at ${new URL(address).pathname}.`)
  const answer = await fetch(new URL(action, address), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ form_token: token, ...values }),
  })
  // A page that is content sends the browser on; one that is not shows the form again.
  if (answer.status !== 303)
    throw new Error(`The form at ${new URL(address).pathname} was not accepted (${answer.status}).`)
}

/** What the sandbox's onboarding page asks for. */
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
}

/** A card that pays, on the sandbox's checkout page. */
export const payingCard = (email: string, name: string) => ({
  email,
  name,
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
  country: 'US',
  postal: '94107',
})
