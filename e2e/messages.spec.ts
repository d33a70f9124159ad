import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo } from './people.ts'
import { photo } from './pictures.ts'
import { payWith } from './sandbox.ts'

/** A conversation between a creator and a fan of the demo, each in their own browser. */
test.describe.configure({ mode: 'serial' })
test.describe('a conversation between a creator and a fan', () => {
  const stamp = Date.now()
  let fan: Page
  let creator: Page
  let contexts: BrowserContext[] = []

  test.beforeAll(async ({ browser }) => {
    ;[fan, creator] = await Promise.all([
      openDemo(browser, 'sam', '/profile/tomas'),
      openDemo(browser, 'tomas', '/notifications'),
    ])
    contexts = [fan.context(), creator.context()]
  })
  test.afterAll(() => Promise.all(contexts.map((context) => context.close())))

  const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ })
  const thread = (page: Page) => page.getByRole('log')

  test('the profile leads to a new conversation, which says that it begins [PROF-07, MSG-01, MSG-04, MSG-16]', async () => {
    await fan.getByRole('link', { name: 'Message', exact: true }).click()
    await expect(fan).toHaveURL(/\/messages\?with=tomas$/)
    await expect(fan.getByText(/This is the start of your conversation with/)).toBeVisible()
  })

  test('a message arrives live, raises the unread count, and shows its sender when it was read [MSG-06, MSG-11, MSG-13, MSG-10, GEN-22, GEN-24]', async () => {
    await expect(creator.getByRole('heading', { name: 'Notifications' })).toBeVisible()
    await expect(fan.getByRole('button', { name: 'Send' })).toBeDisabled()
    await composer(fan).fill('   ')
    await expect(fan.getByRole('button', { name: 'Send' })).toBeDisabled()
    await composer(fan).fill(`Good morning ${stamp}`)
    await composer(fan).press('Enter')
    await expect(thread(fan).getByText(`Good morning ${stamp}`)).toBeVisible()
    await expect(fan.getByText('Message sent')).toBeVisible()
    await expect(creator.getByRole('link', { name: 'Messages, 1 unread' }).first()).toBeVisible()

    await creator.goto('/messages')
    const line = creator.getByRole('link', { name: new RegExp(`Good morning ${stamp}`) })
    await expect(line).toContainText('1 unread')
    await line.click()
    await expect(thread(creator).getByText(`Good morning ${stamp}`)).toBeVisible()
    await expect(creator.getByRole('link', { name: 'Messages', exact: true }).first()).toBeVisible()
    await expect(fan.getByText('Seen')).toBeVisible()
  })

  test('the reply appears in the open thread, with a photo that opens in the gallery [MSG-11, POST-15]', async () => {
    await creator.locator('input[type=file]').setInputFiles({
      name: 'pier.jpg',
      mimeType: 'image/jpeg',
      buffer: await photo(40),
    })
    await expect(creator.getByRole('progressbar')).toHaveCount(0)
    await composer(creator).fill(`The pier, as promised ${stamp}`)
    await creator.getByRole('button', { name: 'Send' }).click()
    await expect(thread(fan).getByText(`The pier, as promised ${stamp}`)).toBeVisible()
    const picture = thread(fan).getByRole('button', { name: 'Open photo 1 of 1' }).last()
    await expect
      .poll(() => picture.getByRole('img').evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
      .toBeGreaterThanOrEqual(320) // as large as its container needs, not the original
    await picture.click()
    await expect(fan.getByRole('dialog')).toBeVisible()
    await fan.keyboard.press('Escape')
    await expect(fan.getByRole('dialog')).toHaveCount(0)
  })

  test('both users see when the other is online, is typing, and has left [MSG-11, SET-19, API-RT-01]', async () => {
    for (const page of [fan, creator]) await expect(page.getByText('Online', { exact: true })).toBeVisible()
    await composer(fan).fill(`One more thing ${stamp}`)
    await composer(fan).press('Enter')
    await expect(thread(creator).getByText(`One more thing ${stamp}`)).toBeVisible()
    // A message ends the typing state; the next character starts it again.
    await composer(fan).pressSequentially('Hm')
    await expect(creator.getByText('is typing…', { exact: true })).toBeVisible()
    await composer(fan).clear()
    await fan.goto('about:blank')
    await expect(creator.getByText('Active a moment ago', { exact: true })).toBeVisible()
    await fan.goto('/messages?with=tomas')
    await expect(creator.getByText('Online', { exact: true })).toBeVisible()
  })

  test('a paid message stays locked until the fan pays [MSG-05, MSG-07, MSG-08, MSG-09, MSG-14, D27]', async () => {
    const secret = `the pier at night ${stamp}`
    const bodies: string[] = []
    fan.on('response', async (response) => {
      if (/rest\/v1|storage\/v1/.test(response.url())) bodies.push(await response.text().catch(() => ''))
    })
    await expect(fan.getByRole('button', { name: 'Paid message' })).toHaveCount(0)
    await creator.getByRole('button', { name: 'Paid message' }).click()
    await creator.getByLabel('Price in USD').fill('7.50')
    await composer(creator).fill(secret)
    await creator.getByRole('button', { name: 'Send' }).click()
    await expect(creator.getByText('Paid message sent for $7.50')).toBeVisible()
    await expect(thread(creator).getByText('Paid · $7.50 · not unlocked yet')).toBeVisible()

    const unlock = thread(fan).getByRole('button', { name: 'Unlock' })
    await expect(unlock).toBeVisible()
    await expect(thread(fan).getByText('$7.50')).toBeVisible()
    await fan.reload()
    await expect(unlock).toBeVisible()
    await expect.poll(() => bodies.join('\n')).toContain('"is_locked":true')
    expect(bodies.join('\n') + (await fan.content())).not.toContain(secret)

    await unlock.click()
    await fan.waitForURL(/\/sandbox\//)
    await expect(fan.getByText('$7.50').first()).toBeVisible()
    await payWith(fan)
    await fan.waitForURL(/\/messages\?with=tomas/)
    await expect(thread(fan).getByText(secret)).toBeVisible()
    await expect(fan.getByText(/Your message is unlocked/)).toBeVisible()
    await expect(fan).toHaveURL(/\/messages\?with=tomas$/)
    // The creator sees the purchase without a reload.
    await expect(thread(creator).getByText('Paid · $7.50 · unlocked')).toBeVisible()
  })

  test('messages written while one side is offline arrive once it is online again [MSG-04, MSG-11, MSG-15]', async () => {
    await fan.context().setOffline(true)
    await composer(fan).fill(`From the tunnel ${stamp}`)
    await composer(fan).press('Enter')
    await expect(fan.getByText('Waiting for connection…')).toBeVisible()
    await composer(creator).fill(`Are you in the tunnel? ${stamp}`)
    await composer(creator).press('Enter')
    await expect(thread(creator).getByText(`Are you in the tunnel? ${stamp}`)).toBeVisible()
    await fan.context().setOffline(false)
    await expect(fan.getByText('Waiting for connection…')).toHaveCount(0, { timeout: 30_000 })
    await expect(thread(creator).getByText(`From the tunnel ${stamp}`)).toHaveCount(1)
    await expect(thread(fan).getByText(`Are you in the tunnel? ${stamp}`)).toHaveCount(1)
  })

  test('a reaction and a reply with a quote appear live on both sides [INBOX-06]', async () => {
    const greeting = (page: Page) => page.getByRole('listitem').filter({ hasText: `Good morning ${stamp}` })
    const choose = async (page: Page, message: Locator, item: string) => {
      await message.getByRole('button', { name: /^More options/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose(creator, greeting(creator), 'React with ❤️')
    await expect(greeting(creator).getByRole('button', { name: '❤️ from you' })).toBeVisible()
    const theirs = greeting(fan).getByRole('button', { name: /^❤️ from Tomás/ })
    await expect(theirs).toBeVisible()
    await theirs.click()
    await expect(greeting(creator).getByRole('button', { name: /^❤️ from you and / })).toBeVisible()

    const picture = (page: Page) => page.getByRole('listitem').filter({ hasText: `The pier, as promised ${stamp}` })
    await choose(fan, picture(fan).first(), 'Reply')
    await expect(fan.getByRole('group', { name: /^Replying to Tomás/ })).toContainText('The pier, as promised')
    await expect(composer(fan)).toBeFocused()
    await lookAt(fan, 'thread-reply', { over: true })
    await composer(fan).fill(`That one is lovely ${stamp}`)
    await composer(fan).press('Enter')
    for (const page of [fan, creator]) {
      const reply = page.getByRole('listitem').filter({ hasText: `That one is lovely ${stamp}` })
      const quote = reply.getByRole('button', { name: /The pier, as promised/ })
      await expect(quote).toBeVisible()
      await expect
        .poll(() =>
          quote
            .locator('img')
            .last()
            .evaluate((image) => 'naturalWidth' in image && image.naturalWidth),
        )
        .toBeGreaterThan(0)
      await quote.click()
      await expect(picture(page).first()).toBeFocused()
    }
    await picture(fan)
      .first()
      .getByRole('button', { name: /^More options/ })
      .click()
    await expect(fan.getByRole('menuitem', { name: 'React with 🔥' })).toBeVisible()
    await lookAt(fan, 'message-menu', { over: true })
    await fan.getByRole('menuitem', { name: 'More reactions' }).click()
    await expect(fan.getByRole('dialog', { name: 'React to this message' })).toBeVisible()
    await lookAt(fan, 'emoji-dialog', { over: true })
    await fan.getByRole('button', { name: 'React with 🎉' }).click()
    await expect(
      picture(creator)
        .first()
        .getByRole('button', { name: /^🎉 from / }),
    ).toBeVisible()
  })

  test('a reply to a locked message shows nothing of it, and nothing is left of one that is unsent [INBOX-06, INBOX-07]', async () => {
    await creator.getByRole('button', { name: 'Paid message' }).click()
    await composer(creator).fill(`Behind the scenes ${stamp}`)
    await creator.getByRole('button', { name: 'Send' }).click()
    const locked = fan.getByRole('listitem').filter({ has: fan.getByRole('button', { name: 'Unlock' }) })
    await locked.getByRole('button', { name: /^More options/ }).click()
    await fan.getByRole('menuitem', { name: 'Reply' }).click()
    await composer(fan).fill(`Is it worth it? ${stamp}`)
    await composer(fan).press('Enter')
    const reply = (page: Page) => page.getByRole('listitem').filter({ hasText: `Is it worth it? ${stamp}` })
    await expect(reply(fan).getByRole('button', { name: /Paid message/ })).toBeVisible()
    await expect(reply(creator).getByRole('button', { name: /Behind the scenes/ })).toBeVisible()

    const sold = creator.getByRole('listitem').filter({ hasText: 'not unlocked yet' })
    await sold.getByRole('button', { name: /^More options/ }).click()
    await creator.getByRole('menuitem', { name: 'Unsend' }).click()
    await creator.getByRole('dialog').getByRole('button', { name: 'Unsend' }).click()
    for (const page of [fan, creator]) await expect(reply(page).getByText('Message no longer available')).toBeVisible()
  })

  test('the list can be searched by name, and says when there are no matches [MSG-03, MSG-16]', async () => {
    const search = fan.getByRole('searchbox', { name: 'Search names and messages' })
    await search.fill('TOM')
    await expect(fan.getByRole('navigation', { name: 'Conversations' }).getByRole('link')).toHaveCount(1)
    await search.fill('unicorns')
    await expect(fan.getByText('No results for "unicorns"')).toBeVisible()
    await search.fill('')
  })

  test('a phone shows the list, then the thread, with a way back [MSG-03, MSG-04]', async () => {
    await fan.setViewportSize({ width: 390, height: 844 })
    await fan.goto('/messages')
    await expect(thread(fan)).toHaveCount(0)
    await fan.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click()
    await expect(thread(fan)).toBeVisible()
    await expect(fan.getByRole('searchbox', { name: 'Search names and messages' })).toBeHidden()
    await fan.getByRole('link', { name: 'Back to conversations' }).click()
    await expect(fan.getByRole('searchbox', { name: 'Search names and messages' })).toBeVisible()
  })

  test('a phone shows a thread without the bars, with one status line, and pictures without frames [LOOP-23]', async () => {
    await fan.setViewportSize({ width: 390, height: 844 })
    const bars = [fan.getByRole('banner'), fan.getByRole('navigation', { name: 'Main' })]
    for (const bar of bars) await expect(bar).toBeVisible()
    await fan.goto('/messages?with=tomas')
    await expect(thread(fan)).toBeVisible()
    for (const bar of bars) await expect(bar).toBeHidden()

    await composer(fan).fill(`Two of mine ${stamp}`)
    await composer(fan).press('Enter')
    await expect(thread(fan).getByText(`Two of mine ${stamp}`)).toBeVisible()
    const status = thread(fan).getByText(/Message sent|^Sent$|^Seen$/)
    await expect(status).toHaveCount(1)

    await expect(thread(fan).getByRole('button', { name: 'Open photo 1 of 1' }).last().getByRole('img')).toBeVisible()
    // Up to the message itself, nothing with padding, a border, or a color is larger than the picture.
    const frames = await fan.evaluate(`(() => {
      const found = []
      const element = [...document.querySelectorAll('button[aria-label="Open photo 1 of 1"] img')].at(-1)
      const shown = element.getBoundingClientRect()
      for (let one = element.parentElement; one && one.tagName !== 'LI'; one = one.parentElement) {
        const { padding, borderTopWidth, backgroundColor } = getComputedStyle(one)
        const { width, height } = one.getBoundingClientRect()
        const isLarger = width > shown.width + 1 || height > shown.height + 1
        if (padding !== '0px' || borderTopWidth !== '0px' || (isLarger && backgroundColor !== 'rgba(0, 0, 0, 0)'))
          found.push([one.className, padding, borderTopWidth, backgroundColor].join(', '))
      }
      return found
    })()`)
    expect(frames).toEqual([])
    await fan.getByRole('link', { name: 'Back to conversations' }).click()
    for (const bar of bars) await expect(bar).toBeVisible()
  })

  test('a slash opens the saved replies, which have the name, a file, and a price [INBOX-03]', async () => {
    await fan.setViewportSize({ width: 1280, height: 720 })
    await fan.goto('/messages?with=tomas')
    await creator.goto('/messages?with=sam')
    await composer(creator).fill('/')
    await creator.getByRole('option', { name: 'Save a reply that you often send' }).click()
    await creator.getByRole('button', { name: 'New saved reply' }).click()
    const dialog = creator.getByRole('dialog', { name: 'New saved reply' })
    await dialog.getByRole('textbox', { name: 'Text' }).fill(`For you, {name} ${stamp}`)
    await dialog.getByLabel('Price in USD').fill('3')
    await dialog.getByRole('button', { name: 'From vault' }).click()
    const picker = creator.getByRole('dialog', { name: 'Choose from your vault' })
    await picker.getByRole('button', { name: 'pier.jpg' }).first().click()
    await picker.getByRole('button', { name: 'Add 1 file' }).click()
    await lookAt(creator, 'saved-reply-form', { over: true })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const replies = creator.getByRole('dialog', { name: 'Saved replies' })
    await expect(replies.getByText('$3.00 · 1 file')).toBeVisible()
    await lookAt(creator, 'saved-replies-dialog', { over: true })
    await replies.getByRole('button', { name: 'Close' }).click()

    await composer(creator).fill('')
    await composer(creator).pressSequentially('/for')
    await expect(creator.getByRole('option', { name: `For you, Sam Osei ${stamp}` })).toBeVisible()
    await lookAt(creator, 'saved-replies', { over: true })
    await composer(creator).press('Enter')
    await expect(composer(creator)).toHaveValue(`For you, Sam Osei ${stamp}`)
    await expect(creator.getByLabel('Price in USD')).toHaveValue('$3.00')
    await expect(creator.getByRole('img', { name: 'pier.jpg' })).toBeVisible()
    await creator.getByRole('button', { name: 'Send' }).click()
    await expect(thread(creator).getByText('Paid · $3.00 · not unlocked yet')).toBeVisible()
    await expect(thread(fan).getByText('$3.00')).toBeVisible()
  })

  test('a paid message shows its contents and a free preview before the purchase [INBOX-08, MSG-09]', async () => {
    await fan.setViewportSize({ width: 1280, height: 720 })
    await fan.goto('/messages?with=tomas')
    const bodies: string[] = []
    fan.on('response', async (response) => {
      if (/rest\/v1|storage\/v1/.test(response.url())) bodies.push(await response.text().catch(() => ''))
    })
    const [sent] = await Promise.all([
      creator.waitForRequest(
        (request) =>
          (request.method() === 'POST' && request.url().endsWith('/rest/v1/messages')) ||
          (request.method() === 'POST' && request.url().includes('/rest/v1/messages?')),
      ),
      (async () => {
        await creator.locator('input[type=file]').setInputFiles(
          await Promise.all(
            ['first', 'second', 'third'].map(async (name, index) => ({
              name: `${name}.jpg`,
              mimeType: 'image/jpeg',
              buffer: await photo(50 + index),
            })),
          ),
        )
        await expect(creator.getByRole('progressbar')).toHaveCount(0)
        await creator.getByRole('button', { name: 'Paid message' }).click()
        await creator.getByRole('button', { name: 'Show second.jpg as a free preview' }).click()
        await lookAt(creator, 'composer-preview', { over: true })
        await composer(creator).fill(`Three from the night ${stamp}`)
        await creator.getByRole('button', { name: 'Send' }).click()
      })(),
    ])
    await expect(thread(creator).getByText(/not unlocked yet · with a free preview/)).toBeVisible()
    await expect(thread(fan).getByText('3 photos')).toBeVisible()
    const preview = thread(fan).locator('figure').filter({ hasText: 'Free preview' })
    await expect
      .poll(() => preview.getByRole('img').evaluate((image) => 'naturalWidth' in image && image.naturalWidth))
      .toBeGreaterThan(0)
    await lookAt(fan, 'thread-preview', { over: true })
    const { media_urls: paths } = sent.postDataJSON() as { media_urls: string[] }
    await fan.reload()
    await expect(preview).toBeVisible()
    await expect.poll(() => bodies.join('\n')).toContain(paths[1])
    for (const hidden of [paths[0], paths[2], `Three from the night ${stamp}`])
      expect(bodies.join('\n') + (await fan.content())).not.toContain(hidden)
  })
})

test('the messages fill the window, or leave a useful margin on both sides [MSG-01, GEN-01]', async ({ browser }) => {
  const page = await openDemo(browser, 'lena', '/messages?with=mara')
  await expect(page.getByRole('log')).toBeVisible()
  const frame = page
    .locator('section')
    .filter({ has: page.getByRole('log') })
    .locator('..')
  for (const width of [1024, 1280, 1366, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const [box, room] = await Promise.all([frame.boundingBox(), page.getByRole('main').boundingBox()])
    const beside = (room?.width ?? 0) - (box?.width ?? 0)
    expect(beside <= 16 || beside > 120, `${width} px: ${beside} px beside`).toBe(true) // 16: the scroll bar's width
    if (width < 1200) expect(room?.width, `${width} px`).toBeGreaterThanOrEqual(width - 16)
  }
  await page.context().close()
})
