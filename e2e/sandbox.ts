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
