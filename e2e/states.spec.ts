import { expect, type Locator, test } from '@playwright/test'
import * as clients from './clients.ts'
import { choose, expectFocusVisible, press, tabTo, type } from './keyboard.ts'
import { lookAt, settle } from './look.ts'
import { openDemo, signUp } from './people.ts'
import { photo } from './pictures.ts'

/** Everything that opens on a screen, used with the keyboard: dialogs, menus, the gallery, suggestions. `lookAt` checks each of them. */
test.describe.configure({ mode: 'serial' })
test.describe('with the keyboard', () => {
  const text = `Which arch first? ${Date.now()}`

  test('a creator adds pictures and a poll, previews and publishes the post, and schedules another [POST-17, POST-18, POST-19, POST-20, POST-52, GEN-41]', async ({
    browser,
  }) => {
    const page = await openDemo(browser, 'noor')
    const dialog = page.getByRole('dialog', { name: 'Create Post', exact: true })
    await press(page, page.getByRole('button', { name: 'Create Post' }).first())
    await expect(dialog.getByLabel('Content')).toBeFocused()
    await page.keyboard.type(text)
    const chooser = page.waitForEvent('filechooser')
    await press(page, dialog.getByRole('button', { name: 'Choose files' }))
    const pictures = await Promise.all([30, 210].map((hue) => photo(hue)))
    await (await chooser).setFiles(
      pictures.map((buffer, index) => ({ name: `arch-${index + 1}.jpg`, mimeType: 'image/jpeg', buffer })),
    )
    await press(page, dialog.getByLabel('Add a poll'), 'Space')
    await type(page, dialog.getByLabel('Question', { exact: true }), 'Which one do you want to see?')
    await type(page, dialog.getByLabel('Option 1'), 'The one by the well')
    await type(page, dialog.getByLabel('Option 2'), 'The blue one')
    await lookAt(page, 'composer-poll', { over: true })
    await press(page, dialog.getByRole('button', { name: 'Preview' }))
    const preview = page.getByRole('dialog', { name: 'As fans see it' })
    await expect(preview.getByText(text).first()).toBeVisible()
    await lookAt(page, 'composer-preview', { over: true })
    await page.keyboard.press('Escape')
    await expect(preview).toHaveCount(0)
    await press(page, dialog.getByRole('button', { name: 'Create Post' }))
    await expect(dialog).toHaveCount(0, { timeout: 40_000 })
    await expect(page.getByRole('article').filter({ hasText: text })).toBeVisible()

    await press(page, page.getByRole('button', { name: 'Create Post' }).first())
    await expect(dialog.getByLabel('Content')).toBeFocused()
    await page.keyboard.type('Before the show')
    await tabTo(page, dialog.getByLabel('Free', { exact: true }))
    await page.keyboard.press('ArrowUp') // wraps from the first to the last
    await type(page, dialog.getByLabel('Price in USD'), '4')
    await press(page, dialog.getByLabel('Schedule for later'), 'Space')
    const [year, month, day] = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).split('-')
    await type(page, dialog.getByLabel('Publish on'), `${month}${day}${year}`)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0900A')
    await lookAt(page, 'composer-scheduled-for-a-price', { over: true })
    await press(page, dialog.getByRole('button', { name: 'Schedule post' }))
    await expect(dialog).toHaveCount(0)
    await page.goto('/dashboard?tab=content')
    await expect(page.getByRole('heading', { name: 'Scheduled', exact: true })).toBeVisible()
    await lookAt(page, 'scheduled')
    await choose(page, page.getByRole('button', { name: 'More options for Before the show' }), 'Edit')
    await expect(page.getByRole('dialog', { name: 'Edit scheduled post' })).toBeVisible()
    await lookAt(page, 'scheduled-edit', { over: true })
    await page.keyboard.press('Escape')
    await choose(page, page.getByRole('button', { name: 'More options for Before the show' }), 'Delete')
    const confirmation = page.getByRole('dialog', { name: 'Delete this scheduled post?' })
    await expect(confirmation.getByText(/can't be undone/)).toBeVisible()
    await lookAt(page, 'scheduled-delete', { over: true })
    await press(page, confirmation.getByRole('button', { name: 'Delete' }))
    await expect(page.getByRole('heading', { name: 'Scheduled', exact: true })).toHaveCount(0)
    await page.context().close()
  })

  test('a fan votes, comments, deletes the comment, and views the pictures [POST-15, POST-57, POST-59, NOTI-18]', async ({
    browser,
  }) => {
    const { page, context } = await signUp(browser, {
      username: 'uma',
      displayName: 'Uma Quist',
      path: '/profile/noor',
    })
    const post = page.getByRole('article').filter({ hasText: text })
    await tabTo(page, post.getByRole('radio', { name: 'The one by the well' }))
    await page.keyboard.press('ArrowDown')
    await expect(post.getByRole('radio', { name: 'The blue one' })).toBeChecked()
    await press(page, post.getByRole('button', { name: /Vote/ }))
    await expect(post.getByText('100%')).toBeVisible()

    await press(page, post.getByRole('button', { name: /^Comments,/ }))
    await type(page, post.getByRole('textbox', { name: 'Add a comment' }), 'The well, of course')
    await page.keyboard.press('Control+Enter')
    await expect(post.getByText('The well, of course')).toBeVisible()
    await lookAt(page, 'post-voted-and-commented', { over: true })
    await press(page, post.getByRole('button', { name: 'Delete your comment' }))
    await expect(page.getByRole('dialog').getByText(/can't be undone/)).toBeVisible()
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
    await expect(post.getByText('The well, of course')).toHaveCount(0)

    await press(page, post.getByRole('button', { name: 'Open photo 1 of 2' }))
    const gallery = page.getByRole('dialog')
    await expect(gallery.getByText('1 / 2')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(gallery.getByText('2 / 2')).toBeVisible()
    await lookAt(page, 'lightbox', { over: true })
    await page.keyboard.press('Escape')
    await expect(gallery).toHaveCount(0)
    await context.close()
  })

  test('a fan reports a post, cancels blocking, and tips [PROF-21, D43]', async ({ browser }) => {
    const { page, context } = await signUp(browser, {
      username: 'vera',
      displayName: 'Vera Quist',
      path: '/profile/noor',
    })
    const post = page.getByRole('article').filter({ hasText: text })
    const more = post.getByRole('button', { name: /^More options for .+ post$/ })
    await press(page, more)
    await expect(page.getByRole('menu')).toBeVisible()
    await lookAt(page, 'post-menu', { over: true })
    await page.keyboard.press('Escape')
    await choose(page, more, 'Report post')
    await expect(page.getByRole('dialog', { name: 'Report this post' })).toBeVisible()
    await lookAt(page, 'report', { over: true })
    await press(page, page.getByRole('button', { name: 'Send report' }))
    await expect(page.getByText("Thanks. We'll take a look.")).toBeVisible()
    await choose(page, more, /^Block/)
    await expect(page.getByRole('dialog', { name: /^Block/ })).toBeVisible()
    await lookAt(page, 'block', { over: true })
    await page.keyboard.press('Escape')

    await page.goto('/profile/tomas')
    await press(page, page.getByRole('button', { name: 'Tip', exact: true }).first())
    await expect(page.getByRole('dialog', { name: /^Tip/ })).toBeVisible()
    await lookAt(page, 'tip', { over: true })
    await press(page, page.getByRole('button', { name: '$5', exact: true }))
    await press(page, page.getByRole('button', { name: 'Continue' }))
    await page.waitForURL(/\/sandbox\//)
    await expect(page.getByText('$5.00').first()).toBeVisible()
    await context.close()
  })

  test('a creator uses plans, the dashboard, and settings; a dialog returns the focus to its opener [PROD-02, PROD-10, DASH-03, SET-03, SET-14]', async ({
    browser,
  }) => {
    const page = await openDemo(browser, 'mara', '/subscription-products')
    /** Opens a dialog and closes it again. */
    const openAndLeave = async (opener: Locator) => {
      await press(page, opener)
      const dialog = page.getByRole('dialog')
      await expect(dialog).toBeVisible()
      await expect(dialog.locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(opener).toBeFocused()
      await expectFocusVisible(page)
    }
    /** Moves along a tab list with the arrow keys: each tab opens when it gets the focus. */
    const walk = async (names: readonly string[], next = 'ArrowRight') => {
      await tabTo(page, page.getByRole('tab', { name: names[0] ?? '', exact: true }))
      for (const name of names) {
        const tab = page.getByRole('tab', { name, exact: true })
        await expect(tab).toBeFocused()
        await expect(tab).toHaveAttribute('aria-selected', 'true')
        await expectFocusVisible(page)
        await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible()
        if (name !== names.at(-1)) await page.keyboard.press(next)
      }
    }
    await openAndLeave(page.getByRole('button', { name: /^Edit / }).first())
    // Toggling a plan keeps the focus, although the button is disabled while saving.
    const [off, on] = ['Deactivate', 'Activate'].map((action) =>
      page.getByRole('button', { name: `${action} Print Club`, exact: true }),
    ) as [Locator, Locator]
    await press(page, off)
    await expect(on).toBeFocused()
    // The label changes at once, but keys do nothing until the server has responded.
    await expect(on).not.toHaveAttribute('data-loading')
    await page.keyboard.press('Enter')
    await expect(off).toBeFocused()

    await page.goto('/dashboard')
    await walk([
      'Overview',
      'Subscribers',
      'Fans',
      'Messages',
      'Flows',
      'Links',
      'Analytics',
      'Earnings',
      'Content',
      'Comments',
      'Products',
      'Goals',
      'Monetization',
      'Referrals',
    ])
    await page.goto('/settings')
    // On a wide screen, they are one below the other.
    await walk(['Account', 'Subscriptions', 'Privacy', 'Notifications', 'Stripe Setup'], 'ArrowDown')
    await page.goto('/settings')
    await press(page, page.getByRole('button', { name: 'Change password' }))
    await expect(page.getByLabel('Current password')).toBeFocused() // the first invalid field
    await openAndLeave(page.getByRole('button', { name: 'Delete account' }))
    await page.context().close()
  })

  test('an admin’s note, a private profile, every kind of notification, and an upload in progress fit, light and dark [POST-13, NOTI-06]', async ({
    browser,
  }) => {
    const { page, context } = await signUp(browser, { username: 'wanda', displayName: 'Wanda Quist' })
    const closed = await signUp(browser, { username: 'xenia', displayName: 'Xenia Quist' })
    await closed.context.close()
    const service = clients.service()
    const idOf = async (username: string) => {
      const { data } = await service.from('profiles').select('id').eq('username', username).single().throwOnError()
      return data.id as string
    }
    await service.from('profiles').update({ is_private: true }).eq('username', 'xenia').throwOnError()
    const { data: post } = await service.from('posts').select('id').eq('content', text).single().throwOnError()
    const robin = await openDemo(browser, 'robin', `/post/${post.id}`)
    await choose(robin, robin.getByRole('button', { name: /^More options for .+ post$/ }), 'Note on this post')
    await type(robin, robin.getByLabel('Note', { exact: true }), 'Please say where these were taken.')
    await press(robin, robin.getByLabel('Show to everyone'), 'Space')
    await lookAt(robin, 'note', { over: true })
    await press(robin, robin.getByRole('button', { name: 'Save', exact: true }).last())
    await expect(robin.getByText('Note added')).toBeVisible()
    await robin.context().close()

    await page.goto(`/post/${post.id}`)
    await expect(page.getByText('Please say where these were taken.')).toBeVisible()
    await press(page, page.getByRole('button', { name: 'Share', exact: true }))
    await expect(page.getByText('Link copied', { exact: true })).toBeVisible()
    await lookAt(page, 'post-with-note', { over: true })

    await page.goto('/profile/xenia')
    await expect(page.getByText('This profile is private', { exact: true })).toBeVisible()
    await lookAt(page, 'profile-private')

    const kinds = ['tip', 'payment', 'like', 'message', 'subscription', 'verification', 'announcement', 'other']
    const wanda = await idOf('wanda')
    await service
      .from('notifications')
      .insert(
        kinds.map((kind, index) => ({
          user_id: wanda,
          type: kind,
          title: `News of the kind ${kind}`,
          message: 'Donaudampfschifffahrtselektrizitaetenhauptbetriebs sent you $99,999.00, and a word with it.',
          is_read: index % 2 === 1,
        })),
      )
      .throwOnError()
    await page.goto('/notifications')
    await expect(page.getByText('News of the kind other')).toBeVisible()
    const list = page.getByRole('region', { name: 'Recent Activity' }).getByRole('list')
    expect((await list.boundingBox())?.height).toBe(600)
    expect(await list.evaluate((element) => Reflect.get(element, 'scrollHeight'))).toBeGreaterThan(600)
    await lookAt(page, 'notifications-of-every-kind')
    await context.close()

    const noor = await openDemo(browser, 'noor')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await noor.route('**/storage/v1/object/posts/**', async (route) => {
      await held
      await route.abort()
    })
    await press(noor, noor.getByRole('button', { name: 'Create Post' }).first())
    const dialog = noor.getByRole('dialog', { name: 'Create Post', exact: true })
    const files = await Promise.all([30, 210].map((hue) => photo(hue)))
    await dialog
      .locator('input[type=file]')
      .setInputFiles(files.map((buffer, index) => ({ name: `arch-${index + 1}.jpg`, mimeType: 'image/jpeg', buffer })))
    await press(noor, dialog.getByRole('button', { name: 'Create Post' }))
    await press(noor, dialog.getByRole('button', { name: 'Pause arch-1.jpg' }))
    await expect(dialog.getByText(/Paused/)).toBeVisible()
    await lookAt(noor, 'composer-uploading', { over: true })
    release()
    await noor.context().close()
  })

  test('the search suggests users, the account menu opens, and a thread shows that it is offline [GEN-19, GEN-25, GEN-26, MSG-07, MSG-15]', async ({
    browser,
  }) => {
    const page = await openDemo(browser, 'sam')
    await type(page, page.getByRole('combobox', { name: 'Search' }), 'ma')
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
    await lookAt(page, 'search-suggestions', { over: true })
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/profile\//)

    await press(page, page.getByRole('button', { name: 'Account menu' }))
    await expect(page.getByRole('menu')).toBeVisible()
    await lookAt(page, 'account-menu', { over: true })
    await page.keyboard.press('Escape')

    await page.goto('/messages?with=mara')
    await expect(page.getByRole('log').getByRole('button', { name: 'Unlock' })).toBeVisible()
    await page.context().setOffline(true)
    await type(page, page.getByRole('textbox', { name: /^Message to/ }), 'From the tunnel')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Waiting for connection…')).toBeVisible()
    await lookAt(page, 'thread-offline', { over: true })
    await page.context().close()
  })
})

test('a list that fails to load says so, loads on retry, and keeps the scroll position [ERR-05, HOME-05]', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'lena')
  await page.route('**/rest/v1/rpc/get_feed*', (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { name: "Couldn't load posts" })).toBeVisible()
  await lookAt(page, 'home-failed')
  await page.unroute('**/rest/v1/rpc/get_feed*')
  await press(page, page.getByRole('button', { name: 'Retry' }))
  await expect(page.getByRole('article').first()).toBeVisible()

  // Opening a post and returning keeps the scroll position.
  await page.keyboard.press('End')
  await settle(page)
  const address = await page.locator('main article a[href^="/post/"]').last().getAttribute('href')
  // By its address, because more posts may load and become the last. A post with a title has two links to it: its time and its title.
  const link = page.locator(`main article a[href="${address}"]`).last()
  await link.scrollIntoViewIfNeeded()
  const top = async () => (await link.boundingBox())?.y ?? Number.NaN
  const before = await top()
  await link.press('Enter')
  await expect(page).toHaveURL(/\/post\//)
  await page.goBack()
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(3)
  await page.context().close()
})

test('a page that stays open during a release reloads once, and keeps its address, position, and typed text', async ({
  browser,
}) => {
  const page = await openDemo(browser, 'lena')
  await page.goto('/support')
  await page.getByRole('textbox', { name: 'Message' }).fill('Typed before the release')

  // The new release has different files. This page has the old ones until it reloads.
  let loaded = 0
  let gone = 0
  await page.route('**/assets/explore-*', (route) => {
    if (loaded > 0) return route.fallback()
    gone += 1
    return route.fulfill({ status: 404 })
  })
  await page.route(new URL('/', page.url()).href, async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, body: (await response.text()).replace(/index-[\w-]+\.js/, 'index-new.js') })
  })
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loaded += 1
  })
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Explore' })).toBeVisible()
  await expect(page).toHaveURL(/\/explore$/)
  expect([gone > 0, loaded]).toEqual([true, 1])
  await page.goBack()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Typed before the release')
  await page.context().close()
})
