import { expect, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { demoPassword, open, signInContext } from './people.ts'

test('a creator keeps a list and a smart list of fans, from the table and from a profile, and fans never find out [LIST-01, LIST-02, LIST-06]', async ({
  browser,
}) => {
  const { context, page } = await open(browser)
  await signInContext(context, 'mara@ovation.example', demoPassword)
  await page.goto('/dashboard?tab=fans')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect(row('Lena')).toBeVisible()

  // A list, and two fans at once.
  await page.getByRole('button', { name: 'New list', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'New list' })
  await form.getByLabel('Name').fill('Regulars')
  await form.getByRole('button', { name: 'Create list' }).click()
  await expect(page.getByRole('heading', { name: 'Regulars' })).toBeVisible()
  await expect(page.getByText('Nobody is on this list')).toBeVisible()
  await page.getByRole('button', { name: 'All fans' }).click()
  await page.getByRole('checkbox', { name: /^Select Lena/ }).check()
  await page.getByRole('checkbox', { name: /^Select Sam/ }).check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await lookAt(page, 'fans-selected')
  await page.getByRole('button', { name: 'Add to list' }).click()
  const lists = page.getByRole('dialog', { name: 'Add 2 fans to lists' })
  await lists.getByRole('checkbox', { name: 'Regulars' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Regulars/ }).click()
  await expect(page.getByText('2 fans', { exact: true })).toBeVisible()

  // One of them leaves it again, after a question.
  await page.getByRole('checkbox', { name: /^Select Sam/ }).check()
  await page.getByRole('button', { name: 'Remove from list' }).click()
  await page
    .getByRole('dialog', { name: 'Remove 1 fan from Regulars?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(row('Sam')).toHaveCount(0)
  await expect(row('Lena')).toBeVisible()

  // A smart list counts while its rule is written.
  await page.getByRole('button', { name: 'New smart list' }).click()
  const smart = page.getByRole('dialog', { name: 'New smart list' })
  await smart.getByLabel('Name').fill('Paying regulars')
  await expect(smart.getByRole('status')).toHaveText(/\d fans? match/)
  await smart.getByRole('button', { name: 'Add condition' }).click()
  await smart.getByLabel('Condition', { exact: true }).nth(1).selectOption({ label: 'On the list' })
  await expect(smart.getByRole('status')).toHaveText('Complete the conditions to see how many fans match.')
  await smart.getByLabel('List', { exact: true }).selectOption({ label: 'Regulars' })
  await expect(smart.getByRole('status')).toHaveText('1 fan matches now')
  await lookAt(page, 'smart-list-form', { over: true })
  await smart.getByRole('button', { name: 'Create list' }).click()
  await expect(page.getByRole('heading', { name: 'Paying regulars' })).toBeVisible()
  await expect(row('Lena')).toBeVisible()
  await lookAt(page, 'smart-list')

  // From a profile.
  await page.goto('/profile/sam')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add to list' }).click()
  const dialog = page.getByRole('dialog', { name: /^Lists with Sam/ })
  // Not check(), which expects the new state within the click itself.
  await dialog.getByRole('checkbox', { name: 'Regulars' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Regulars' })).toBeChecked()
  await lookAt(page, 'lists-of-a-fan', { over: true })
  await page.reload()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Add to list' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Regulars' })).toBeChecked()

  // A list that a smart one uses stays.
  await page.goto('/dashboard?tab=fans')
  await page.getByRole('button', { name: /^Regulars/ }).click()
  await page.getByRole('button', { name: 'More about Regulars' }).click()
  await page.getByRole('menuitem', { name: 'Delete list' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The smart list "Paying regulars" uses this list')).toBeVisible()
  for (const name of ['Paying regulars', 'Regulars']) {
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await page.getByRole('button', { name: `More about ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'All fans' })).toBeVisible()
  }

  const { client } = await clients.signIn('sam@ovation.example', demoPassword)
  const { data } = await client.from('fan_lists').select('id').throwOnError()
  expect(data).toEqual([])
  await context.close()
})
