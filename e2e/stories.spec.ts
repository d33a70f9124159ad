import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { demoPassword, open, openDemo, signIn } from './people.ts'
import { photo } from './pictures.ts'

/** Stories from the form to the highlight, with the demo's creators (STORY-01 to STORY-03). */
const caption = `Low tide ${Date.now()}`
const stories = (page: Page, name: string) => page.getByRole('dialog', { name: `${name}'s stories` })
const openFan = (browser: Browser, path = '/') => openDemo(browser, 'lena', path)

/** Turns the pages by key until the story of these tests shows. */
async function turnTo(page: Page, view: Locator) {
  const status = view.getByRole('status')
  await expect(status).toContainText('Story')
  for (let turns = 0; turns < 5 && !(await view.getByText(caption).isVisible()); turns++) {
    const before = String(await status.textContent())
    await page.keyboard.press('ArrowRight')
    await expect(status).not.toHaveText(before)
  }
  await expect(view.getByText(caption)).toBeVisible()
}

test.describe.configure({ mode: 'serial' })
test.describe('stories', () => {
  test('a creator shares a photo with subscribers [STORY-01]', async ({ browser }) => {
    const page = await openDemo(browser, 'mara')
    const row = page.getByRole('region', { name: 'Stories' })
    await expect(row.getByRole('link', { name: 'Your story' })).toBeVisible()
    await row.getByRole('button', { name: 'Add to your story' }).click()
    const form = page.getByRole('dialog', { name: 'New story' })
    await lookAt(page, 'story-form', { over: true })
    const chooser = page.waitForEvent('filechooser')
    await form.getByRole('button', { name: 'Choose a photo or video' }).click()
    await (await chooser).setFiles({ name: 'tide.jpg', mimeType: 'image/jpeg', buffer: await photo(210) })
    await form.getByLabel('Caption').fill(caption)
    await form.getByLabel('Alt text').fill('Wet sand at low tide')
    await form.getByRole('radio', { name: 'Subscribers', exact: true }).check()
    await lookAt(page, 'story-form-filled', { over: true })
    await form.getByRole('button', { name: 'Share story' }).click()
    await expect(page.getByText('Story shared')).toBeVisible()
    await expect(form).toHaveCount(0)
    await page.context().close()
  })

  test('a subscriber watches by key and tap, and replies [STORY-01] [STORY-02]', async ({ browser }) => {
    const page = await openFan(browser)
    await lookAt(page, 'home-rings')
    const ring = page.getByRole('region', { name: 'Stories' }).getByRole('link', { name: /^Mara/ })
    await ring.click()
    const view = stories(page, 'Mara Lindqvist')
    await expect(view).toBeVisible()
    await expect(view.getByRole('status')).toContainText(/Story \d of \d/)
    await lookAt(page, 'story', { over: true })
    await turnTo(page, view)
    await expect(view.getByRole('img', { name: 'Wet sand at low tide' })).toBeVisible()
    await view.getByRole('textbox', { name: /^Reply to/ }).fill('What a morning')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Reply sent')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(view).toHaveCount(0)
    await page.goto('/messages?with=mara')
    await expect(page.getByRole('link', { name: /You replied to/ })).toBeVisible()
    await lookAt(page, 'thread-story-reply')
    await page.context().close()
  })

  test('others see nothing of it, by the address either [STORY-03]', async ({ browser }) => {
    const { page, context } = await open(browser)
    await page.goto('/stories/mara')
    const view = stories(page, 'Mara Lindqvist')
    await expect(view.getByRole('status')).toContainText('Story 1 of 1')
    await expect(page.getByText(caption)).toHaveCount(0)
    await context.close()
  })

  test('the creator sees who has seen it, and keeps it in a highlight [STORY-02]', async ({ browser }) => {
    const page = await openDemo(browser, 'mara', '/stories/mara')
    const view = stories(page, 'Mara Lindqvist')
    await turnTo(page, view)
    await view.getByRole('button', { name: '1 viewer' }).click()
    const viewers = page.getByRole('dialog', { name: 'Viewers' })
    await expect(viewers.getByText('@lena')).toBeVisible()
    await lookAt(page, 'story-viewers', { over: true })
    await page.keyboard.press('Escape')
    await view.getByRole('button', { name: 'Add to highlight' }).click()
    await page.getByRole('dialog', { name: 'Add to highlight' }).getByRole('button', { name: 'New highlight' }).click()
    const form = page.getByRole('dialog', { name: 'New highlight' })
    await form.getByLabel('Name').fill('Tides')
    await lookAt(page, 'highlight-form', { over: true })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Highlight saved')).toBeVisible()
    await page.goto('/profile/mara')
    await expect(page.getByRole('link', { name: 'Tides, 1 story' })).toBeVisible()
    await lookAt(page, 'profile-highlights')
    await page.getByRole('link', { name: 'Tides, 1 story' }).click()
    const kept = page.getByRole('dialog', { name: 'Highlight: Tides' })
    await expect(kept.getByText(caption)).toBeVisible()
    await kept.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Delete story' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete story' }).click()
    await expect(page.getByText('Story deleted')).toBeVisible()
    await page.goto('/profile/mara')
    await expect(page.getByRole('link', { name: 'Mornings, 1 story' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Tides, 1 story' })).toHaveCount(0)
    await page.context().close()
  })
})

test('a story that ended says so [STORY-01]', async ({ browser }) => {
  const { page, context } = await open(browser)
  await signIn(page, 'sam@ovation.example', demoPassword, '/stories/noor')
  await expect(page.getByRole('heading', { name: 'This story is no longer available' })).toBeVisible()
  await lookAt(page, 'story-gone', { over: true })
  await context.close()
})
