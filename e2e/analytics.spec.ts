import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { tabTo } from './keyboard.ts'
import { lookAt } from './look.ts'
import { openDemo } from './people.ts'

test('a creator reads charts, tables, and files of a period, and keeps them in the address [STATX-01, STATX-03]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'mara', '/dashboard?tab=analytics')
  const revenue = page.getByRole('region', { name: 'Recurring revenue by day' })
  await expect(revenue.getByText(/^Recurring revenue: \$/)).toBeAttached()
  await page.getByRole('radio', { name: '90 days' }).check({ force: true })
  await expect(page).toHaveURL(/tab=analytics&period=90$/)
  await expect(revenue.locator('svg.recharts-surface').first()).toBeVisible()
  await lookAt(page, 'analytics-revenue')

  await revenue.getByText('Table', { exact: true }).click()
  await expect(revenue.getByRole('row')).toHaveCount(91)
  const saving = page.waitForEvent('download')
  await revenue.getByRole('button', { name: /as CSV$/ }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('recurring-revenue.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(91)
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d,\d+\.\d\d,\d+\.\d\d$/)

  await page.getByRole('tab', { name: 'Retention' }).click()
  await expect(page.getByRole('region', { name: 'Who stays, by month joined' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Retention' })).toHaveAttribute('aria-selected', 'true')
  await lookAt(page, 'analytics-retention')
  await page.context().close()
})

test('the analytics work with the keyboard alone [STATX-03]', async ({ browser }) => {
  const page = await openDemo(browser, 'mara', '/dashboard?tab=analytics&view=subscribers')
  const groups = page.getByRole('region', { name: 'Subscribers by group' })
  await expect(groups.getByText(/^Darkroom: /)).toBeAttached()
  await tabTo(page, groups.getByRole('radio', { name: 'Chart' }))
  await page.keyboard.press('ArrowRight')
  await expect(groups.getByRole('table')).toBeVisible()
  await tabTo(page, groups.getByRole('radio', { name: 'Plan' }))
  await page.keyboard.press('ArrowRight')
  await expect(groups.getByRole('rowheader').first()).toHaveText(/Paid|trial|Gift/)
  await lookAt(page, 'analytics-subscribers')
  await page.context().close()
})
