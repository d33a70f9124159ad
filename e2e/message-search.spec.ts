import { expect, type Page, test } from '@playwright/test'
import { signUp as signUpApi } from './clients.ts'
import { lookAt } from './look.ts'
import { open, password, signIn } from './people.ts'

/** A long thread between two new users, of whom one searches it. */
test('words find a message in the inbox and in a thread, which opens there and reads on to the newest [INBOX-02]', async ({
  browser,
}) => {
  const stamp = Date.now()
  const [fan, friend] = await Promise.all([
    signUpApi(`sofie${stamp}`, 'Sofie Seek'),
    signUpApi(`lotte${stamp}`, 'Lotte Lang'),
  ])
  const texts = Array.from({ length: 100 }, (_, each) => `Message number ${each}`)
  texts[10] = `Meet me at the Café Größe, near the harbor ${stamp}`
  let quoted = ''
  for (const [each, content] of texts.entries()) {
    const [from, to] = each % 3 ? [fan, friend] : [friend, fan]
    const { data } = await from.client
      .from('messages')
      .insert({
        sender_id: from.profileId,
        recipient_id: to.profileId,
        content,
        ...(each === 99 && { quoted_id: quoted }),
      })
      .select('id')
      .single()
      .throwOnError()
    if (each === 5) quoted = String(data.id)
  }

  const { page } = await open(browser)
  await signIn(page, `sofie${stamp}@example.com`, password, '/messages')
  const thread = page.getByRole('log')
  const inView = async (text: string) => {
    await expect(thread.getByText(text, { exact: true })).toBeInViewport()
  }
  const search = page.getByRole('searchbox', { name: 'Search names and messages' })
  await search.fill('cafe grosse')
  const result = page.getByRole('list', { name: 'Messages' }).getByRole('link', { name: /Lotte Lang/ })
  await expect(result).toHaveCount(1)
  await expect(result.locator('mark')).toHaveText(['Café', 'Größe'])
  await lookAt(page, 'message-search', { over: true })
  await search.fill('lotte')
  await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')).toHaveCount(1)
  await expect(page.getByText('No messages with these words.')).toBeVisible()
  await search.fill('harbor')
  // With the keyboard alone.
  await result.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/with=lotte\d+&message=/)
  const found = thread.getByRole('listitem').filter({ hasText: 'near the harbor' })
  await expect(found).toBeInViewport()
  await expect(found).toBeFocused()
  await expect(thread.getByText('Message number 99', { exact: true })).toHaveCount(0)
  await lookAt(page, 'thread-at-message', { over: true })

  // Down to the newest message, page by page.
  await scrollTo(page, 'Message number 98', 'Message number 11')
  await inView('Message number 98')
  await expect(page.getByRole('button', { name: 'Jump to newest' })).toHaveCount(0)
  // Back to the message of the address, and to the newest one in one step.
  await page.reload()
  await expect(found).toBeInViewport()
  await page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect(page).toHaveURL(/with=lotte\d+$/)
  await expect(thread.getByText('Message number 98', { exact: true })).toBeInViewport()

  // A quote of a message that isn't loaded.
  await thread.getByRole('button', { name: /Message number 5/ }).click()
  await inView('Message number 5')

  await page.getByRole('button', { name: 'Options for your conversation with Lotte Lang' }).last().click()
  await page.getByRole('menuitem', { name: 'Search messages' }).click()
  const dialog = page.getByRole('dialog', { name: 'Search messages with Lotte Lang' })
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('number 71')
  await expect(dialog.getByRole('link')).toHaveCount(1)
  await lookAt(page, 'thread-search', { over: true })
  await dialog.getByRole('link', { name: /number 71/ }).click()
  await expect(dialog).toBeHidden()
  await inView('Message number 71')

  // Sending from there leads to the newest message.
  await page.getByRole('textbox', { name: /^Message to/ }).fill('Found it')
  await page.keyboard.press('Enter')
  await inView('Found it')
  await page.context().close()
})

/** What it reads of an element in the browser. */
type Shown = {
  textContent: string | null
  getBoundingClientRect: () => { top: number; bottom: number }
  querySelectorAll: (selector: string) => Iterable<Shown>
}

/** Scrolls the thread by wheel until the message is in view. None may be skipped: each step shows one that the step before had. */
async function scrollTo(page: Page, text: string, first: string) {
  const thread = page.getByRole('log')
  const numbers = async () => {
    const shown = await thread.evaluate((log) => {
      const { top, bottom } = (log as unknown as Shown).getBoundingClientRect()
      return [...(log as unknown as Shown).querySelectorAll('li p')].flatMap((line) => {
        const box = line.getBoundingClientRect()
        const number = /^Message number (\d+)$/.exec(line.textContent ?? '')?.[1]
        return number && box.bottom > top && box.top < bottom ? [Number(number)] : []
      })
    })
    return shown
  }
  await expect(thread.getByText(first, { exact: true })).toBeVisible()
  await thread.hover()
  let before = await numbers()
  for (let step = 0; step < 60; step += 1) {
    if (await thread.getByText(text, { exact: true }).count()) {
      if (before.includes(Number(text.split(' ').at(-1)))) return
    }
    await page.mouse.wheel(0, 250)
    await expect.poll(numbers).not.toEqual(before)
    const now = await numbers()
    expect({ now, before, overlaps: now.some((number) => before.includes(number)) }).toMatchObject({ overlaps: true })
    before = now
  }
}
