import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo } from './people.ts'

/** A creator's vault: albums, selecting, and what can be done with files. Uses the demo's creators. */
const albumName = `Coast ${Date.now()}`
const openVault = (browser: Browser) => openDemo(browser, 'mara', '/vault')
const tiles = (page: Page): Locator => page.locator('main li > button[aria-label]')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected files' })

test.describe.configure({ mode: 'serial' })
test.describe('the vault', () => {
  test('a creator makes an album of selected files, sets its cover, and puts albums in order [VAULT-04]', async ({
    browser,
  }) => {
    const page = await openVault(browser)
    await expect(tiles(page).nth(3)).toBeVisible()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await tiles(page).nth(0).click()
    await tiles(page)
      .nth(3)
      .click({ modifiers: ['Shift'] })
    await expect(bar(page).getByText('4 selected')).toBeVisible()
    await lookAt(page, 'vault-selecting', { over: true })
    await bar(page).getByRole('button', { name: 'Add to album' }).click()
    const chooser = page.getByRole('dialog', { name: 'Add 4 files to an album' })
    await chooser.getByRole('button', { name: 'New album' }).click()
    const naming = page.getByRole('dialog', { name: 'New album' })
    await naming.getByLabel('Name').fill(albumName)
    await naming.getByRole('button', { name: 'Create album' }).click()
    await expect(page.getByText(`Added 4 files to ${albumName}`)).toBeVisible()
    await expect(bar(page)).toBeHidden()

    const albums = page.getByRole('navigation', { name: 'Albums' })
    await albums.getByRole('button', { name: 'New album' }).click()
    await naming.getByLabel('Name').fill(`${albumName} 2`)
    await naming.getByRole('button', { name: 'Create album' }).click()
    await expect(page.getByText('This album is empty')).toBeVisible()
    await lookAt(page, 'vault-empty-album')
    await albums.getByRole('button', { name: `${albumName} 4 files` }).click()
    await expect(tiles(page)).toHaveCount(4)
    await tiles(page)
      .nth(2)
      .click({ modifiers: ['ControlOrMeta'] })
    await bar(page).getByRole('button', { name: 'Set as cover' }).click()
    await expect(page.getByText('Cover set')).toBeVisible()
    await lookAt(page, 'vault-album')

    await albums.getByRole('button', { name: 'Arrange albums' }).click()
    const order = page.getByRole('dialog', { name: 'Arrange albums' })
    await order.getByRole('button', { name: new RegExp(`^Move ${albumName} 2,`) }).press('ArrowUp')
    await lookAt(page, 'vault-album-order', { over: true })
    await order.getByRole('button', { name: 'Save order' }).click()
    await expect(albums.getByRole('button', { name: albumName })).toHaveText([
      new RegExp(`^${albumName} 2`),
      new RegExp(`^${albumName} 4`),
    ])

    await page.getByRole('button', { name: `More about ${albumName}` }).click()
    await page.getByRole('menuitem', { name: 'Remove album' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove album' }).click()
    await expect(albums.getByRole('button', { name: albumName })).toHaveCount(1)
    await expect(tiles(page).nth(4)).toBeVisible() // the files stay
    await page.context().close()
  })

  test('the sheet of a file leads to where it is used, and its words arrive in the composer [VAULT-05]', async ({
    browser,
  }) => {
    const page = await openVault(browser)
    await page.getByRole('combobox', { name: 'Where used' }).selectOption('In posts')
    await page.getByRole('radio', { name: 'Photos' }).check({ force: true })
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Highest earnings')
    await tiles(page).first().click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('region', { name: 'Used in' }).getByRole('link').first()).toBeVisible()
    await sheet.getByLabel('Name').fill('Pier.jpg')
    await sheet.getByLabel('Alt text').fill('A pier in the fog')
    await sheet.getByLabel('Caption').fill('Early morning')
    await lookAt(page, 'vault-file', { over: true })
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Pier.jpg' }).click({ modifiers: ['ControlOrMeta'] })
    await bar(page).getByRole('button', { name: 'Make a post' }).click()
    const composer = page.getByRole('dialog', { name: 'Create Post' })
    await expect(composer.getByLabel('Content')).toHaveValue('Early morning')
    await expect(composer.getByLabel('Alt text for Pier.jpg')).toHaveValue('A pier in the fog')
    const title = `From the vault ${Date.now()}`
    await composer.getByLabel('Title').fill(title)
    await lookAt(page, 'vault-composer', { over: true })
    await composer.getByRole('button', { name: 'Create Post' }).click()
    await expect(composer).toBeHidden()
    await page.goto('/profile/mara')
    const card = page.getByRole('article').filter({ hasText: title })
    await expect(card.getByRole('img', { name: 'A pier in the fog' })).toBeVisible()
    await page.context().close()
  })

  test('deleting a file says where it is used and how many fans keep it [VAULT-06]', async ({ browser }) => {
    const page = await openVault(browser)
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Highest earnings')
    await expect(page).toHaveURL(/sort=earnings/)
    await tiles(page)
      .first()
      .click({ modifiers: ['ControlOrMeta'] })
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 1 file?' })
    await expect(dialog.getByText(/fans? keeps? what they have bought/)).toBeVisible()
    await expect(dialog.getByRole('region', { name: 'Used in' }).getByRole('link').first()).toBeVisible()
    await lookAt(page, 'vault-delete', { over: true })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.context().close()
  })

  test('selected files arrive in the message field of the thread they are sent to, and say later that the fan has them [VAULT-04, INBOX-04]', async ({
    browser,
  }) => {
    const page = await openVault(browser)
    await tiles(page)
      .first()
      .click({ modifiers: ['ControlOrMeta'] })
    await bar(page).getByRole('button', { name: 'Send' }).click()
    const chooser = page.getByRole('dialog', { name: 'Send 1 file to' })
    await lookAt(page, 'vault-send', { over: true })
    await chooser
      .getByRole('button', { name: /^Send to / })
      .first()
      .click()
    await expect(page).toHaveURL(/\/messages\?with=/)
    await expect(page.getByRole('button', { name: /^Remove / })).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Message sent')).toBeVisible()
    await page.getByRole('button', { name: 'From vault' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose from your vault' })
    const had = picker.getByRole('button', { name: / · free$/ })
    await expect(had).toHaveCount(1)
    await lookAt(page, 'vault-picker-thread', { over: true })
    await had.click()
    await picker.getByRole('button', { name: 'Add 1 file' }).click()
    await expect(page.getByText(/: Sent .* · free$/)).toBeVisible()
    await lookAt(page, 'thread-attached-again')
    await page.context().close()
  })
})
