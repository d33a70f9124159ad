import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo } from './people.ts'
import { payWith } from './sandbox.ts'

test('a creator sells a file of any type, and a fan buys it, downloads it, and finds it in the library [OFFER-05, OFFER-06]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'tomas', '/dashboard?tab=products')
  await page.getByRole('link', { name: 'New product' }).first().click()
  await page.getByLabel('Title').fill('Winter menu')
  await page.getByLabel('Description').fill('Twelve recipes.')
  await page.getByLabel('Price').fill('7')
  await page.getByLabel('Stock').fill('1')
  const content = '<h1>Soup</h1>'
  await page
    .locator('input[type="file"][aria-label="Files"]')
    .setInputFiles({ name: 'menu.html', mimeType: 'text/html', buffer: Buffer.from(content) })
  await expect(page.getByText('menu.html')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Progress of menu.html' })).toHaveCount(0)
  await lookAt(page, 'product-form')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('button', { name: 'Put Winter menu up for sale' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Winter menu' })
  await expect(row.getByText('For sale', { exact: true })).toBeVisible()
  await lookAt(page, 'dashboard-products')
  await page.getByRole('link', { name: 'View the page of Winter menu' }).click()
  await expect(page.getByText('This is how fans see your product.')).toBeVisible()
  const address = new URL(page.url()).pathname

  const fan = await openDemo(browser, 'sam', '/profile/tomas?tab=subscribe')
  await fan.getByRole('link', { name: 'Winter menu' }).click()
  await expect(fan.getByRole('heading', { level: 1, name: 'Winter menu' })).toBeVisible()
  expect(new URL(fan.url()).pathname).toBe(address)
  await expect(fan.getByText('HTML file')).toBeVisible()
  await expect(fan.getByText('The last one')).toBeVisible()
  await lookAt(fan, 'product')
  await fan.getByRole('button', { name: 'Buy for $7.00' }).click()
  const another = fan.getByRole('button', { name: 'Use another card' })
  const number = fan.getByLabel('Card number')
  await expect(another.or(number)).toBeVisible()
  if (await another.isVisible()) await another.click()
  await payWith(fan)
  await expect(fan).toHaveURL(new RegExp(`${address}$`))
  const downloading = fan.waitForEvent('download')
  await fan.getByRole('button', { name: 'Download menu.html' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('menu.html')
  expect(readFileSync(await download.path(), 'utf8')).toBe(content)
  await lookAt(fan, 'product-bought')
  await fan.getByRole('link', { name: 'Open library' }).click()
  await expect(fan.getByRole('link', { name: 'Winter menu' })).toHaveAttribute('href', address)
  await lookAt(fan, 'library')

  // Nobody else can buy the only one.
  const late = await openDemo(browser, 'lena', address)
  await expect(late.getByRole('button', { name: 'Sold out' })).toBeDisabled()
  for (const each of [page, fan, late]) await each.context().close()
})
