import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { settle } from './look.ts'
import { openDemo } from './people.ts'
import config from './playwright.config.ts'

// Show scroll bars that take up space, as on a desktop.
test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } })

/** A fan's reactions to a post. Uses the demo's users, and the creator's newest free post. */
test.describe.configure({ mode: 'serial' })
test.describe('a fan reacts to a post', () => {
  const text = `The light on the left wall! ${Date.now()}`

  test('a heart stays after a reload, and can be taken back [POST-04]', async ({ browser }) => {
    const { page, post } = await freePost(browser, 'lena')
    const heart = post.getByRole('button', { name: /^Like, / })
    await expect(heart).toBeEnabled()
    const before = await countOf(heart)
    await heart.click()
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    expect(await countOf(heart)).toBe(before + 1)
    await settle(page)
    await page.reload()
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    expect(await countOf(heart)).toBe(before + 1)
    await heart.click()
    await settle(page)
    await page.reload()
    await expect(heart).toBeEnabled()
    await expect(heart).toHaveAttribute('aria-pressed', 'false')
    expect(await countOf(heart)).toBe(before)
    await page.context().close()
  })

  test("a dialog and the gallery don't shift the page below", async ({ browser }) => {
    const { page, post } = await freePost(browser, 'lena')
    const bar = page.locator('header').first()
    const before = await bar.boundingBox()
    expect(before?.width).toBeLessThan(page.viewportSize()?.width ?? 0)
    await post.getByRole('button', { name: 'Tip' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await bar.boundingBox()).toEqual(before)
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Open photo/ })
      .first()
      .click()
    await expect(page.locator('body.yarl__no_scroll')).toBeVisible()
    expect(await bar.boundingBox()).toEqual(before)
    await page.context().close()
  })

  test('a comment is posted by keyboard, and counted [POST-05, POST-12]', async ({ browser }) => {
    const { page, post } = await freePost(browser, 'lena')
    const toggle = post.getByRole('button', { name: /^Comments, / })
    const before = await countOf(toggle)
    await toggle.focus()
    await page.keyboard.press('Enter')
    await post.getByRole('textbox', { name: 'Add a comment' }).fill(text)
    await page.keyboard.press('Control+Enter')
    await expect(post.getByText(text)).toBeVisible()
    await expect(post.getByRole('button', { name: 'Delete your comment' })).toBeVisible()
    await expect.poll(() => countOf(toggle)).toBe(before + 1)
    await page.context().close()
  })

  test('another fan can read but not delete a comment; an admin can, after a confirmation [POST-57, POST-58, POST-59]', async ({
    browser,
  }) => {
    const other = await freePost(browser, 'sam')
    await other.post.getByRole('button', { name: /^Comments, / }).click()
    await expect(other.post.getByText(text)).toBeVisible()
    await expect(other.post.getByRole('button', { name: /^Delete/ })).toHaveCount(0)
    await other.page.context().close()

    const admin = await freePost(browser, 'robin')
    await admin.post.getByRole('button', { name: /^Comments, / }).click()
    await admin.post
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByRole('button', { name: /^Delete .+ comment$/ })
      .click()
    const dialog = admin.page.getByRole('dialog')
    await expect(dialog.getByText(/can't be undone/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(admin.page.getByText('Comment deleted')).toBeVisible()
    await expect(admin.post.getByText(text)).toHaveCount(0)
    await admin.page.context().close()
  })

  test('a post is saved and found again [DATA-37]', async ({ browser }) => {
    const { page, post } = await freePost(browser, 'lena')
    const save = post.getByRole('button', { name: 'Save' })
    await expect(save).toBeEnabled()
    await save.click()
    await settle(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Saved posts' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Saved posts' })).toBeVisible()
    const saved = page.getByRole('article').first()
    await expect(saved.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-pressed', 'true')
    await saved.getByRole('button', { name: 'Save' }).click()
    await settle(page)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Nothing saved yet' })).toBeVisible()
    await page.context().close()
  })
})

async function freePost(browser: Browser, username: string): Promise<{ page: Page; post: Locator }> {
  const page = await openDemo(browser, username, '/profile/mara')
  const post = page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: /^Like, / }), hasNotText: /Subscriber Only|Pay-per-view/ })
    .first()
  await expect(post).toBeVisible()
  return { page, post }
}

/** The count on a button. */
async function countOf(button: Locator): Promise<number> {
  const text = await button.innerText()
  const figure = /\d+/.exec(text)?.[0]
  if (figure === undefined) throw new Error(`there is no figure in "${text}"`)
  return Number(figure)
}
