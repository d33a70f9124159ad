import { expect, type Locator, test } from '@playwright/test'
import * as byKeyboard from './keyboard.ts'
import { tabTo } from './keyboard.ts'
import { lookAt, recordCspViolations } from './look.ts'
import { password, signUp } from './people.ts'

test('a fan signs up, searches, follows, reads, likes, comments, and sends a message, all with the keyboard [GEN-03, GEN-19, GEN-39, POST-04, POST-12, PROF-18, PROF-19, MSG-04, NOTI-01, GEN-01]', async ({
  page,
}) => {
  const { keyboard } = page
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const press = (target: Locator, key?: string) => byKeyboard.press(page, target, key)
  const fill = (target: Locator, text: string) => byKeyboard.type(page, target, text)

  await page.addInitScript(recordCspViolations)
  await page.goto('/auth')
  await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
  await keyboard.press('ArrowRight')
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await fill(form.getByLabel('Email'), 'kay@example.com')
  await fill(form.getByLabel('Username'), 'kay')
  await fill(form.getByLabel('Display name'), 'Kay Brandt')
  await fill(form.getByLabel('Password', { exact: true }), password)
  await press(form.getByLabel(/I am at least 18 years old and agree to the/), 'Space')
  await press(form.getByRole('button', { name: 'Sign Up' }))
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'Creators to follow' })).toBeVisible()
  await lookAt(page, 'home-suggestions')

  await fill(page.getByRole('combobox', { name: 'Search' }), 'ines')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=ines/)
  await press(button(/^Follow In/))
  await expect(button(/^Following In/)).toBeVisible()

  await press(page.getByRole('main').getByRole('link', { name: /^In/ }).first())
  await expect(page).toHaveURL(/\/profile\/ines/)
  const followers = button(/^Followers, /)
  await press(followers)
  const lists = page.getByRole('dialog')
  await expect(lists.getByRole('link', { name: 'Kay Brandt' })).toBeVisible()
  await lookAt(page, 'followers')
  await keyboard.press('Escape')
  await expect(lists).toHaveCount(0)
  await expect(followers).toBeFocused()
  await fill(page.getByRole('textbox', { name: /^Message to/ }), 'Good morning from Kay')
  await press(button('Send'))
  await press(page.getByRole('link', { name: /^Open your conversation with/ }))
  await expect(page.getByRole('log').getByText('Good morning from Kay')).toBeVisible()

  await press(page.getByRole('link', { name: 'Home', exact: true }).first())
  const post = page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: /^Like,/ }) })
    .first()
  await press(post.getByRole('button', { name: /^Like,/ }))
  await expect(post.getByRole('button', { name: /^Like,/ })).toHaveAttribute('aria-pressed', 'true')
  await press(post.getByRole('button', { name: /^Comments,/ }))
  await fill(post.getByRole('textbox'), 'Lovely light')
  await keyboard.press('Control+Enter')
  await expect(post.getByText('Lovely light')).toBeVisible()

  await press(page.getByRole('link', { name: /^Notifications/ }).first())
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
})

test('a profile without plans and links has the room of the rail at the right [LOOP-19]', async ({ browser }) => {
  const { context, page } = await signUp(browser, {
    username: `plain${Date.now()}`,
    displayName: 'Ada',
    path: '/profile',
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const place = page.locator('main + *')
  await expect(place).toBeAttached()
  await expect(place).toBeHidden()
  await page.goto('/profile/mara')
  await expect(page.getByRole('complementary', { name: 'Related' })).toBeVisible()
  await context.close()
})
