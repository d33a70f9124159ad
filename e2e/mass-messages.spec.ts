import { type Browser, expect, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt, takeScreenshot } from './look.ts'
import { demoPassword, openDemo, signUp } from './people.ts'

/** A creator of the demo writes to a list of her fans. Other tests read the demo's fans, so there is a new one on it. */
const now = Date.now()
const list = `Collectors ${now}`
const name = `Cora Collector ${now}`
const words = `The fog roll ${now}`
let fan: Page

test.beforeAll(async ({ browser }) => {
  const username = `cora${now}`
  fan = (await signUp(browser, { username, displayName: name })).page
  const { client } = await clients.signIn('mara@ovation.example', demoPassword)
  const { data: person } = await client.from('profiles').select('id').eq('username', username).single().throwOnError()
  const { data: made } = await client.from('fan_lists').insert({ name: list }).select('id').single().throwOnError()
  await client.rpc('add_to_fan_list', { list_id: made.id, fan_ids: [person.id] }).throwOnError()
})
test.afterAll(() => fan.context().close())

const openComposer = (browser: Browser) => openDemo(browser, 'mara', '/dashboard/messages/new')

const choose = async (page: Page, field: 'To' | 'Except', option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.keyboard.press('Escape')
}
const textBox = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })
const act = async (page: Page, text: string, action: string) => {
  await row(page, text)
    .getByRole('button', { name: /^More options/ })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

test.describe.configure({ mode: 'serial' })

test('a creator sends an offer to a group without a plan, a fan sees it, and it can be taken back [MASS-01, MASS-03, MASS-04]', async ({
  browser,
}) => {
  const page = await openComposer(browser)
  await choose(page, 'To', list)
  await choose(page, 'Except', 'Subscribers of Print Club')
  await expect(page.getByText('1 fan would get this')).toBeVisible()
  await textBox(page).fill(words)
  await page.getByRole('button', { name: 'From vault' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose from your vault' })
  await picker.locator('li > button[aria-label]').first().click()
  await picker.locator('li > button[aria-label]').nth(1).click()
  await picker.getByRole('button', { name: 'Add 2 files' }).click()
  await page.getByLabel('Price in USD').fill('5')
  await page
    .getByRole('button', { name: /as a free preview$/ })
    .first()
    .click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await lookAt(page, 'mass-message-offer')

  // A reload loses nothing.
  await page.reload()
  await expect(textBox(page)).toHaveValue(words)
  await page.getByRole('button', { name: 'Send now' }).click()
  const question = page.getByRole('dialog', { name: 'Send to 1 fan?' })
  await expect(question).toContainText('$5.00')
  await takeScreenshot(page, 'mass-message-question', false)
  await question.getByRole('button', { name: 'Send' }).click()
  await expect(page).toHaveURL(/tab=messages$/)
  await expect(row(page, words)).toContainText('Sent')
  await lookAt(page, 'mass-message-history')

  await fan.goto('/messages?with=mara')
  await expect(fan.getByRole('log').getByText('Free preview').last()).toBeVisible()
  await expect(fan.getByRole('log').getByText('$5.00').last()).toBeVisible()

  // The fans behind the number, and what the creator knows about one of them.
  await row(page, words)
    .getByRole('button', { name: /^Delivered/ })
    .click()
  const fans = page.getByRole('dialog', { name: /^Delivered to/ })
  await lookAt(page, 'mass-message-fans', { over: true })
  await fans.getByRole('button', { name }).click()
  await expect(page.getByRole('dialog', { name: `About ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await act(page, words, 'Unsend')
  await page.getByRole('dialog').getByRole('button', { name: 'Unsend' }).click()
  await expect(row(page, words)).toContainText('Unsent')
  await fan.reload()
  await expect(fan.getByRole('log')).toBeVisible()
  await expect(fan.getByRole('log').getByText('$5.00')).toHaveCount(0)
  await page.context().close()
})

test('a creator keeps a draft, schedules it, takes the time back, and uses an earlier one again [MASS-02]', async ({
  browser,
}) => {
  const text = `Good morning ${Date.now()}`
  const page = await openComposer(browser)
  await choose(page, 'To', 'Subscribers')
  await textBox(page).fill(text)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page).toHaveURL(/show=draft$/)
  await lookAt(page, 'mass-message-drafts')
  await page.getByRole('link', { name: text }).click()
  await page.getByText('Later', { exact: true }).click()
  await page.getByLabel('Time zone').selectOption('America/New_York')
  const at = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 11)
  await page.getByLabel('Send on').fill(`${at}09:00`)
  await expect(page.getByText(/It will be sent on .* 9:00 AM E[SD]T/)).toBeVisible()
  await lookAt(page, 'mass-message-schedule')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(page).toHaveURL(/show=scheduled$/)
  await expect(row(page, text)).toContainText(/9:00 AM E[SD]T/)
  await act(page, text, 'Move to drafts')
  await expect(row(page, text)).toHaveCount(0)
  await page.getByText('Drafts', { exact: true }).click()
  await act(page, text, 'Use again')
  await expect(textBox(page)).toHaveValue(text)
  await page.getByRole('main').getByRole('link', { name: 'Messages', exact: true }).click()
  await page.getByText('Drafts', { exact: true }).click()
  await act(page, text, 'Delete draft')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, text)).toHaveCount(0)
  await page.context().close()
})

test('a fan mutes the offers of a creator and finds them in a folder of their own [MASS-05]', async ({ browser }) => {
  const offer = `Last prints ${Date.now()}`
  await fan.goto('/messages?with=mara')
  // A conversation, which has a menu.
  const box = fan.getByRole('textbox', { name: /^Message to/ })
  await box.fill('Do you sell prints?')
  await box.press('Enter')
  const options = fan.getByRole('button', { name: /^Options for your conversation/ }).last()
  await options.click()
  await fan.getByRole('menuitem', { name: 'Mute offers' }).click()
  await expect(fan.getByText(/^Offers from Mara.* muted$/)).toBeVisible()

  const page = await openComposer(browser)
  await choose(page, 'To', list)
  await textBox(page).fill(offer)
  await page.getByLabel('Price in USD').fill('7')
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(row(page, offer)).toContainText('Sent')
  await expect(page.getByText('1 fan muted your offers')).toBeVisible()

  await fan.goto('/messages')
  await expect(fan.getByRole('navigation', { name: 'Conversations' })).toBeVisible()
  await fan.getByRole('combobox', { name: 'Show' }).selectOption('Offers')
  await expect(
    fan.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /Mara/ }),
  ).toContainText('Paid message')
  await lookAt(fan, 'inbox-offers')
  await fan.goto('/settings?tab=notifications')
  await fan.getByRole('button', { name: /^Unmute offers from Mara/ }).click()
  await expect(fan.getByRole('button', { name: /^Unmute offers from Mara/ })).toHaveCount(0)
  await lookAt(fan, 'settings-offers')
  await act(page, offer, 'End now')
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
  await expect(row(page, offer)).toContainText('Ended')
  await page.context().close()
})
