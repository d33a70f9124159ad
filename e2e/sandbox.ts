import type { Page } from '@playwright/test'

/** Fills in the sandbox's onboarding form, so that the creator can be paid. */
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

/** The fields of a hosted payment page, in order, with a card that succeeds. */
export const cardFields = [
  ['Card number', '4242 4242 4242 4242'],
  [/Expiry/, '12 / 34'],
  ['CVC', '123'],
  ['Name on card', 'Fay Fan'],
  ['ZIP', '94107'],
] as const

/** Payments with this card are available at once; others are pending for two days. */
export const availableAtOnce = '4000 0000 0000 0077'

/** Fills in the payment page and submits it. @param number of another card. */
export async function payWith(
  page: Page,
  { number, button = /^Pay/ }: { number?: string; button?: string | RegExp } = {},
) {
  for (const [field, value] of cardFields)
    await page.getByLabel(field).fill(field === 'Card number' && number ? number : value)
  await page.getByRole('button', { name: button }).click()
}
