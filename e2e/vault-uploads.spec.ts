import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { lookAt } from './look.ts'
import { openDemo } from './people.ts'

/** Small pictures, each with another color. */
const pictures = (first: number, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `shade-${first + index}.png`,
      mimeType: 'image/png',
      buffer: await sharp({
        create: { width: 24, height: 24, channels: 3, background: { r: first + index, g: 90, b: 140 } },
      })
        .png()
        .toBuffer(),
    })),
  )

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const choose = (page: Page) => page.getByLabel('Photos and videos for your vault')

test('a creator uploads many files, moves on meanwhile, and sends none of them twice [VAULT-03]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'mara')
  await page.goto('/vault')
  const chosen = await pictures(0, 30)
  await choose(page).setInputFiles([
    ...chosen,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
  ])
  await expect(tray(page)).toBeVisible()
  await lookAt(page, 'vault-uploads')
  // Within the app, as a reload would end the uploads.
  await page.getByRole('link', { name: 'Messages' }).first().click()
  await expect(page).toHaveURL(/\/messages/)
  await expect(tray(page).getByText('30 added · 1 failed').first()).toBeVisible({ timeout: 30_000 })
  await tray(page).getByRole('button', { name: 'Close uploads' }).click()
  await expect(tray(page)).toBeHidden()

  await page.goto('/vault')
  await expect(page.getByRole('button', { name: 'shade-29.png' })).toBeVisible()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/storage/v1/object/vault/')) sent += 1
  })
  await choose(page).setInputFiles([...chosen.slice(0, 3), ...(await pictures(100, 1))])
  await expect(tray(page).getByText('1 added · 3 already in your vault').first()).toBeVisible()
  expect(sent).toBe(1)
  await expect(page.getByRole('button', { name: 'shade-100.png' })).toBeVisible()
  await page.context().close()
})

test('pauses, resumes, retries, and cancels uploads by keyboard [VAULT-03]', async ({ browser }) => {
  const page = await openDemo(browser, 'tomas')
  await page.goto('/vault')
  let isBroken = true
  await page.route(/\/storage\/v1\/object\/vault\//, async (route) => {
    if (isBroken) await route.abort()
    else await route.continue()
  })
  await choose(page).setInputFiles(await pictures(120, 5))
  const retry = tray(page).getByRole('button', { name: 'Retry shade-120.png' })
  await expect(retry).toBeVisible()
  await expect(
    tray(page)
      .getByText(/Check your internet connection/)
      .first(),
  ).toBeVisible()
  await expect(tray(page).getByText('5 failed').first()).toBeVisible()
  isBroken = false
  await retry.press('Enter')
  await expect(tray(page).getByText('1 added · 4 failed').first()).toBeVisible()
  await page.unroute(/\/storage\/v1\/object\/vault\//)

  // Nothing arrives until the test lets it.
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/\/storage\/v1\/object\/vault\//, async (route) => {
    await held
    await route.continue().catch(() => undefined) // canceled meanwhile
  })
  await tray(page).getByRole('button', { name: 'Retry failed uploads' }).press('Enter')
  await tray(page).getByRole('button', { name: 'Pause all' }).press('Enter')
  await expect(tray(page).getByText(/Paused/)).toHaveCount(4)
  await tray(page).getByRole('button', { name: 'Cancel shade-124.png' }).press('Enter')
  await tray(page).getByRole('button', { name: 'Resume all' }).press('Enter')
  letGo()
  await expect(tray(page).getByText('4 added').first()).toBeVisible()
  await lookAt(page, 'vault-uploads-finished')
  await page.context().close()
})
