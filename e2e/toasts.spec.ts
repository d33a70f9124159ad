import { expect, type Page, test } from '@playwright/test'
import { takeScreenshot } from './look.ts'
import { openDemo } from './people.ts'

/** Runs in the page: the controls whose middle a toast covers, and the focused one if a toast covers any part of it. */
const coveredControls = `(() => {
  const toasts = [...document.querySelectorAll('[data-toasts] [role="alert"], [data-toasts] [role="status"]')].map((one) =>
    one.getBoundingClientRect())
  const controls = document.querySelectorAll('a[href], button, input, select, textarea, [role="switch"]')
  return [...controls].flatMap((control) => {
    if (control.closest('[data-toasts]')) return []
    const { left, top, right, bottom, width, height } = control.getBoundingClientRect()
    if (width < 4 || height < 4 || !control.checkVisibility({ visibilityProperty: true })) return []
    const [x, y] = [left + width / 2, top + height / 2]
    const isHidden = control === document.activeElement
      ? toasts.some((toast) => toast.left < right && toast.right > left && toast.top < bottom && toast.bottom > top)
      : toasts.some((toast) => toast.left < x && toast.right > x && toast.top < y && toast.bottom > y)
    return isHidden ? [control.outerHTML.slice(0, 160)] : []
  })
})()`

const fails = (page: Page, path: string) => page.route(`**/rest/v1/${path}*`, (route) => route.abort())
const toasts = (page: Page) => page.locator('[data-toasts]').getByRole('alert')

/** Each screen with an action that fails, which a toast says. */
const screens = [
  {
    name: 'home',
    who: 'lena',
    path: '/',
    fail: async (page: Page) => {
      const heart = page.getByRole('button', { name: /^Like, / }).first()
      await expect(heart).toBeEnabled()
      await fails(page, 'post_likes')
      await heart.click()
    },
  },
  {
    name: 'profile with its bar',
    who: 'sam',
    path: '/profile/mara',
    fail: async (page: Page) => {
      await expect(page.getByRole('button', { name: /^Subscribe/ }).last()).toBeVisible()
      const heart = page.getByRole('button', { name: /^Like, / }).first()
      await expect(heart).toBeEnabled()
      await fails(page, 'post_likes')
      await heart.click()
    },
  },
  {
    name: 'message thread',
    who: 'sam',
    path: '/messages?with=mara',
    fail: async (page: Page) => {
      const field = page.getByRole('textbox', { name: /^Message to/ })
      await field.focus()
      await page.locator('input[type=file]').setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Notes'),
      })
    },
  },
  {
    name: 'composer',
    who: 'mara',
    path: '/',
    fail: async (page: Page) => {
      await page.getByRole('button', { name: 'Create' }).last().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').first().focus()
      await dialog
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          name: 'notes.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('Notes'),
        })
    },
  },
] as const

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const width of [390, 768, 1440])
  for (const { name, who, path, fail } of screens)
    test(`a toast covers no control at ${width} px: ${name} [LOOP-18]`, async ({ browser }) => {
      const page = await openDemo(browser, who, path)
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await fail(page)
      await expect(toasts(page)).toBeVisible()
      await page.mouse.move(width / 2, 2)
      await expect.poll(() => page.evaluate(coveredControls)).toEqual([])
      await takeScreenshot(page, `toast-${name.replaceAll(' ', '-')}-${width}`, false)
      await page.keyboard.press('Escape')
      await page.context().close()
    })

test('a toast leaves with its screen [LOOP-18]', async ({ browser }) => {
  const page = await openDemo(browser, 'lena', '/')
  await page.setViewportSize({ width: 390, height: 844 })
  const heart = page.getByRole('button', { name: /^Like, / }).first()
  await expect(heart).toBeEnabled()
  await fails(page, 'post_likes')
  await heart.click()
  await expect(toasts(page)).toBeVisible()
  await page
    .getByRole('link', { name: /^Notifications/ })
    .last()
    .click()
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await page.context().close()
})

test('a toast stays where it appeared while the screen changes, and makes room for what is in use [LOOP-18]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'lena', '/')
  await page.setViewportSize({ width: 1440, height: 900 })
  const heart = page.getByRole('button', { name: /^Like, / }).first()
  await expect(heart).toBeEnabled()
  await fails(page, 'post_likes')
  await heart.click()
  await expect(toasts(page)).toBeVisible()
  const place = () => toasts(page).boundingBox()
  await page.waitForTimeout(400) // it has grown
  const before = await place()
  // What another screen might have there.
  await page.evaluate(`(() => {
    const { left, top, width, height } = document.querySelector('[data-toasts] [role="alert"]').getBoundingClientRect()
    const button = document.createElement('button')
    button.id = 'late'
    button.textContent = 'Late'
    Object.assign(button.style, { position: 'fixed', left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px' })
    document.body.append(button)
  })()`)
  await page.waitForTimeout(800)
  expect(await place()).toEqual(before)
  await page.evaluate(`document.getElementById('late').focus({ preventScroll: true })`)
  await expect.poll(() => page.evaluate(coveredControls)).toEqual([])
  expect(await place()).not.toEqual(before)
  await page.context().close()
})
