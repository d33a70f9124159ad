import { expect, type Page, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo, signUp } from './people.ts'
import config from './playwright.config.ts'
import { payWith } from './sandbox.ts'

// Chromium's fake microphone beeps once a second, and needs no permission.
test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    args: [
      ...(config.use?.launchOptions?.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  },
})

const thread = (page: Page) => page.getByRole('log')
const player = (page: Page, label: string | RegExp) => page.getByRole('slider', { name: label })
/** How far the only player on the page has come, in seconds. */
const heard = (page: Page) =>
  page
    .locator('audio')
    .evaluateAll((all) => Math.max(...all.map((one) => ('currentTime' in one ? Number(one.currentTime) : 0))))

/** Records until the clock shows two seconds. */
async function record(page: Page) {
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  const recorder = page.getByRole('group', { name: 'Voice message' })
  await expect(recorder.getByText('0:02')).toBeVisible()
  return recorder
}

test('a creator records a voice message, hears it, and sells it, and the fan plays it [INBOX-05, INBOX-08]', async ({
  browser,
}) => {
  const creator = await openDemo(browser, 'mara', '/')
  const fan = await signUp(browser, { username: 'voicefan', displayName: 'Vera Voice', path: '/messages?with=mara' })
  await fan.page.getByRole('textbox', { name: /^Message to/ }).fill('What does the sea sound like?')
  await fan.page.keyboard.press('Enter')
  await expect(thread(fan.page).getByText('What does the sea sound like?')).toBeVisible()

  await creator.goto('/messages?with=voicefan')
  await expect(thread(creator).getByText('What does the sea sound like?')).toBeVisible()
  const recorder = await record(creator)
  await lookAt(creator, 'voice-recorder', { over: true })
  await recorder.getByRole('button', { name: 'Stop and listen' }).click()
  await creator.getByRole('button', { name: 'Play: Your voice message' }).click()
  await expect.poll(() => heard(creator)).toBeGreaterThan(0.3)
  await creator.getByRole('button', { name: 'Paid message' }).click()
  await expect(creator.getByRole('progressbar')).toHaveCount(0)
  await lookAt(creator, 'voice-composer', { over: true })
  const links: string[] = []
  fan.page.on('response', async (response) => {
    if (/rest\/v1|storage\/v1/.test(response.url())) links.push(await response.text().catch(() => ''))
  })
  await creator.getByRole('button', { name: 'Send' }).click()
  await expect(creator.getByText('Paid message sent for')).toBeVisible()
  await expect(player(creator, 'Position: Voice message by you')).toBeVisible()

  // Before the purchase: how long it is, and nothing to play.
  await expect(thread(fan.page).getByText(/^1 voice message \(0:(0[2-9]|[1-5]\d)\)$/)).toBeVisible()
  await expect(fan.page.locator('audio')).toHaveCount(0)
  expect(links.join('\n')).not.toMatch(/\.m4a|waveform/)
  await lookAt(fan.page, 'voice-locked', { over: true })
  await thread(fan.page).getByRole('button', { name: 'Unlock' }).click()
  await payWith(fan.page)
  const position = player(fan.page, /^Position: Voice message by /)
  await expect(position).toBeVisible()
  await fan.page.getByRole('button', { name: 'Playback speed: 1×' }).click()
  await fan.page.getByRole('button', { name: /^Play: Voice message by / }).click()
  await expect.poll(() => heard(fan.page)).toBeGreaterThan(0.3)
  expect(await fan.page.locator('audio').evaluate((one) => 'playbackRate' in one && one.playbackRate)).toBe(1.5)
  // At its end, it is at its beginning again.
  await expect(fan.page.getByRole('button', { name: /^Play: Voice message by / })).toBeVisible()
  await position.focus()
  await fan.page.keyboard.press('End')
  await expect(position).toHaveAttribute('aria-valuetext', /^0:(0[2-9]|[1-5]\d) of 0:\d\d$/)
  await lookAt(fan.page, 'voice-thread', { over: true })

  // It is in the vault, and can be sent again.
  await creator.goto('/vault')
  await creator.getByText('Voice messages', { exact: true }).click()
  await creator
    .getByRole('button', { name: /^Voice message from / })
    .first()
    .click()
  await expect(creator.getByRole('dialog').getByRole('slider')).toBeVisible()
  await lookAt(creator, 'vault-voice', { over: true })
  await creator.keyboard.press('Escape')
  await fan.context.close()
  await creator.context().close()
})

test('a fan answers with a voice message by keyboard, and a recording waits in its thread [INBOX-05]', async ({
  browser,
}) => {
  const { page, context } = await signUp(browser, {
    username: 'voicekeys',
    displayName: 'Kim Keys',
    path: '/messages?with=tomas',
  })
  const box = page.getByRole('textbox', { name: /^Message to/ })
  await expect(box).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Record a voice message' })).toBeFocused()
  await page.keyboard.press('Enter')
  const recorder = page.getByRole('group', { name: 'Voice message' })
  await expect(recorder.getByText('0:01')).toBeVisible()
  await expect(recorder.getByRole('button', { name: 'Stop and listen' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box).toBeFocused()
  await expect(page.getByRole('button', { name: 'Play: Your voice message' })).toBeEnabled()

  await page.getByRole('link', { name: 'Notifications' }).first().click()
  await expect(page.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Play: Your voice message' })).toBeEnabled()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await box.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Message sent')).toBeVisible()
  await expect(player(page, 'Position: Voice message by you')).toBeVisible()
  await context.close()
})
