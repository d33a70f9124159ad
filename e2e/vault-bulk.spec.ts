import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { type ApiUser, apply, signIn as signInApi, signUp } from './clients.ts'
import { demoPassword, open, password, signIn } from './people.ts'

const fileCount = 510
const tiles = (page: Page): Locator => page.locator('main li > button[aria-label]')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected files' })

/** Small pictures, each with another color. */
async function fillVault({ client, userId }: ApiUser): Promise<void> {
  const numbers = Array.from({ length: fileCount }, (_, each) => each)
  const upload = async (): Promise<void> => {
    const each = numbers.pop()
    if (each === undefined) return
    const picture = sharp({
      create: { width: 24, height: 24, channels: 3, background: { r: each % 256, g: Math.floor(each / 256), b: 90 } },
    })
    const { error } = await client.storage
      .from('vault')
      .upload(`${userId}/${randomUUID()}.png`, await picture.png().toBuffer(), { contentType: 'image/png' })
    if (error) throw error
    return upload()
  }
  await Promise.all(Array.from({ length: 6 }, upload))
}

/** Scrolls down until all pages have been loaded. */
async function loadAll(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      return page.getByRole('button', { name: 'Load more' }).count()
    })
    .toBe(0)
}

test('500 files join an album and are deleted in one request each, and the grid has only what is near the window [VAULT-09]', async ({
  browser,
}) => {
  test.setTimeout(180_000) // 510 uploads
  const username = `bulk${Date.now()}`
  const creator = await signUp(username, 'Bulk Creator')
  await apply(creator, 'Bulk Creator')
  const admin = await signInApi('robin@ovation.example', demoPassword)
  await admin.client
    .from('creator_applications')
    .update({ status: 'approved' })
    .eq('user_id', creator.userId)
    .throwOnError()
  await fillVault(creator)

  const { page } = await open(browser)
  const requests: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/rpc\/(add_to_vault_album|delete_vault_files)$/.exec(request.url()) ?? []
    if (name) requests.push(name)
  })
  await signIn(page, `${username}@example.com`, password, '/vault')
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await expect(tiles(page).first()).toBeVisible()
  await loadAll(page)
  await page.evaluate('scrollTo(0, 0)')
  // Elements for the pages near the window only: the first and the last one are in view at both ends, and nowhere else.
  await expect(tiles(page).first()).toBeInViewport()
  await tiles(page).first().click()
  await expect(bar(page).getByText('1 selected')).toBeVisible()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await expect(tiles(page).last()).toBeInViewport()
  expect(await tiles(page).count()).toBeLessThan(fileCount)
  await tiles(page)
    .last()
    .click({ modifiers: ['Shift'] })
  await expect(bar(page).getByText('500 selected')).toBeVisible()
  await expect(page.getByText('You can select up to 500 files.')).toBeVisible()

  await bar(page).getByRole('button', { name: 'Add to album' }).click()
  await page
    .getByRole('dialog', { name: 'Add 500 files to an album' })
    .getByRole('button', { name: 'New album' })
    .click()
  const naming = page.getByRole('dialog', { name: 'New album' })
  await naming.getByLabel('Name').fill('Everything')
  await naming.getByRole('button', { name: 'Create album' }).click()
  await expect(page.getByText('Added 500 files to Everything')).toBeVisible()

  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await loadAll(page)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar(page).getByText('500 selected')).toBeVisible()
  // While the server deletes, the page answers: it scrolls, and shows other files.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rpc/delete_vault_files', async (route) => {
    await held
    await route.continue()
  })
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 500 files?' })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.evaluate('scrollTo(0, 0)')
  await expect(tiles(page).first()).toBeInViewport()
  release()
  await expect(page.getByText('Deleted 500 files')).toBeVisible()
  await expect(tiles(page)).toHaveCount(fileCount - 500)
  expect(requests).toEqual(['add_to_vault_album', 'delete_vault_files'])
  await page.context().close()
})
