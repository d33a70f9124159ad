import type { Page } from '@playwright/test'

/** Answers what the sandbox's onboarding page asks a creator, so that money can be paid out. */
export async function fillOnboarding(page: Page) {
  const answers = {
    'Legal first name': 'Ada',
    'Legal last name': 'Harbour',
    Email: 'ada@example.com',
    'Date of birth': '01/01/1990',
    'Last 4 of SSN': '0000',
    'Your website': 'https://example.com',
    'Routing number': '110000000',
    'Account number': '000123456789',
  }
  for (const [label, value] of Object.entries(answers)) await page.getByLabel(label).fill(value)
  await page.getByLabel(/I agree to the sandbox/).check()
  await page.getByRole('button', { name: /^(Submit|Finish|Continue|Save|Agree)/ }).click()
}

/** The form of a hosted payment page, from top to bottom, with a card that is taken. */
export const cardFields = [
  ['Card number', '4242 4242 4242 4242'],
  [/Expiry/, '12 / 34'],
  ['CVC', '123'],
  ['Name on card', 'Fay Fan'],
  ['ZIP', '94107'],
] as const

/** What this card pays can be paid out at once; what others pay is pending for two days. */
export const availableAtOnce = '4000 0000 0000 0077'

/** Fills the payment page and presses its button. `number` is that of another card. */
export async function payWith(
  page: Page,
  { number, button = /^Pay/ }: { number?: string; button?: string | RegExp } = {},
) {
  for (const [field, value] of cardFields)
    await page.getByLabel(field).fill(field === 'Card number' && number ? number : value)
  await page.getByRole('button', { name: button }).click()
}
