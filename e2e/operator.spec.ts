import { expect, type Locator, test } from '@playwright/test'
import * as byKeyboard from './keyboard.ts'
import { fillOperatorScreens } from './operator-rows.ts'
import { demoPassword, password, signIn, signUp } from './people.ts'
import { readSecrets } from './start-product.ts'

/** The suffix of this test's usernames. */
const mark = 'keys'

test('an admin approves, takes down, suspends, reinstates, and confirms before sending or deleting, all with the keyboard [GEN-03, ADM-05, ADM-06, ADM-09, ADM-11, ADM-14, ADM-19, ADM-35, D43]', async ({
  page,
}) => {
  await fillOperatorScreens(mark)
  await signIn(page, 'robin@ovation.example', demoPassword, '/admin')
  const { keyboard } = page
  const tabTo = (target: Locator) => byKeyboard.tabTo(page, target)
  const press = (target: Locator, key?: string) => byKeyboard.press(page, target, key)
  const fill = (target: Locator, text: string) => byKeyboard.type(page, target, text)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const dialog = page.getByRole('dialog')
  const closed = () => expect(dialog).toHaveCount(0)

  // An application, with its documents and the SSN, which is revealed on demand.
  const application = page.getByRole('listitem').filter({ hasText: `@maximiliane_wilhelmina_${mark}` })
  const details = application.getByRole('button', { name: /^View details for/ })
  await press(details)
  await expect(dialog.getByRole('img', { name: 'ID Front' })).toBeVisible()
  await press(dialog.getByRole('button', { name: 'Reveal full number' }))
  await expect(dialog.getByText('900-11-2222')).toBeVisible()
  // Tab stays within the dialog.
  await tabTo(dialog.getByRole('button', { name: 'Approve' }))
  await tabTo(dialog.getByRole('button', { name: 'Close' }))
  await keyboard.press('Escape')
  await closed()
  await expect(details).toBeFocused()
  await press(application.getByRole('button', { name: /^Approve/ }))
  await press(dialog.getByRole('button', { name: 'Approve' }))
  await expect(page.getByText('Application approved')).toBeVisible()
  await closed()
  await expect(application).toHaveCount(0)
  // The row is removed, and the focus stays in the panel instead of returning to the top of the page.
  await expect(page.getByRole('tabpanel').locator(':focus')).toHaveCount(1)

  // Switch tabs with the arrow keys, and search for a user.
  await press(page.getByRole('tab', { name: /^Pending/ }), 'ArrowDown')
  await keyboard.press('ArrowDown')
  await fill(page.getByRole('searchbox'), `rudi_rude_${mark}`)
  const row = page.getByRole('listitem')
  await expect(row).toHaveCount(1)
  const actions = row.getByRole('button', { name: 'Actions for Rudi Rude' })
  const choose = async (name: string) => {
    await press(actions)
    await expect(page.getByRole('menuitem', { name: 'Edit email' })).toBeFocused()
    await keyboard.type(name.slice(0, 3))
    await expect(page.getByRole('menuitem', { name })).toBeFocused()
    await keyboard.press('Enter')
  }
  await choose('Suspend')
  await expect(dialog.getByLabel(/Reason/)).toBeFocused()
  await keyboard.type('Threats')
  await press(dialog.getByRole('button', { name: 'Suspend account' }))
  await closed()
  await expect(row.getByText('Suspended')).toBeVisible()
  await expect(actions).toBeFocused()
  await choose('Reinstate')
  await expect(dialog).toContainText('Threats')
  await press(dialog.getByRole('button', { name: 'Reinstate account' }))
  await closed()
  await expect(row.getByText('Suspended')).toHaveCount(0)
  await choose('Delete account')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await keyboard.type('delete')
  await keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Delete permanently' })).toBeDisabled()
  await keyboard.press('Escape')
  await closed()
  await expect(actions).toBeFocused()

  // A broadcast requires a confirmation. Canceling it keeps the text.
  await press(page.getByRole('tab', { name: /^All Users/ }), 'ArrowDown')
  await keyboard.press('ArrowDown')
  await fill(page.getByRole('textbox', { name: 'Title' }), 'Maintenance')
  await fill(page.getByRole('textbox', { name: 'Message' }), 'Tonight at ten')
  const send = button('Send announcement')
  await press(send)
  await expect(dialog).toContainText(/\d+ users/)
  await keyboard.press('Escape')
  await closed()
  await expect(send).toBeFocused()

  // Settle a report by removing the content.
  await press(page.getByRole('link', { name: 'Reports', exact: true }))
  const report = page.getByRole('listitem').filter({ hasText: `Reported by @operators_reader_${mark}` })
  const showDetails = () => press(report.getByRole('button', { name: 'Show details: Message by Rudi Rude' }))
  await showDetails()
  await press(report.getByRole('button', { name: 'Take down: Message by Rudi Rude' }))
  await expect(dialog.getByLabel(/Reason/)).toBeFocused()
  await keyboard.type('Threats')
  await press(dialog.getByRole('button', { name: 'Take down' }))
  await expect(page.getByText('Message deleted for policy violation')).toBeVisible()
  await closed()
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
  await press(page.getByRole('radio', { name: 'Open' }), 'ArrowRight')
  await showDetails()
  await expect(report.filter({ hasText: 'Decision: Threats' })).toBeVisible()

  // Filter the audit log and export it.
  await press(page.getByRole('link', { name: 'Audit log' }))
  await fill(page.getByLabel('Admin', { exact: true }), 'robin')
  await tabTo(page.getByLabel('Action'))
  await keyboard.type('Rein')
  await expect(page.getByRole('listitem').first()).toContainText('Reinstated a user')
  const file = page.waitForEvent('download')
  await press(button('Export CSV'))
  expect((await file).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
})

test('an admin deletes an account permanently, once DELETE is typed exactly [ADM-19]', async ({ browser, page }) => {
  const username = `gone_${Date.now()}`
  const { context, email } = await signUp(browser, { username, displayName: 'Gwen Gone' })
  await context.close()
  await signIn(page, 'robin@ovation.example', demoPassword, '/admin?tab=users')
  await page.getByRole('searchbox').last().fill(username)
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Actions for Gwen Gone' }).click()
  await page.getByRole('menuitem', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' })
  for (const [typed, enabled] of [
    ['delete', false],
    ['DELETE ', false],
    ['DELETE', true],
  ] as const) {
    await dialog.getByRole('textbox').fill(typed)
    await expect(confirm).toBeEnabled({ enabled })
  }
  await confirm.click()
  await expect(page.getByText('Account Deleted')).toBeVisible()
  const response = await page.request.post('/auth/v1/token?grant_type=password', {
    data: { email, password },
    headers: { apikey: readSecrets().anonKey },
  })
  expect(response.status()).toBe(400)
  await page.goto(`/profile/${username}`)
  await expect(page.getByText('Profile not found')).toBeVisible()
})
