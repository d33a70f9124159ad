import { expect, type Page, test } from '@playwright/test'
import { lookAt } from './look.ts'
import { openDemo, signUp, type Visitor } from './people.ts'
import config from './playwright.config.ts'
import { payWith } from './sandbox.ts'

/** A creator of the demo data who already sells. */
const creatorName = 'tomas'

// Uses Chromium's fake camera and microphone, which need no permission, and ICE candidates that another page on this machine can reach.
test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    args: [
      ...(config.use?.launchOptions?.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--disable-features=WebRtcHideLocalIpsWithMdns',
    ],
  },
})

test('a private session is offered, booked, accepted and held [PRIV-01, PRIV-02, PRIV-03, PRIV-04, PRIV-05, PRIV-08, LOOP-25]', async ({
  browser,
}) => {
  const creator = await openDemo(browser, creatorName, '/private-sessions?tab=offers')

  await offer(creator)
  const path = `/profile/${creatorName}?tab=subscribe`
  const fan = await signUp(browser, { username: 'sessionfan', displayName: 'Sina Fan', path })
  await book(fan)
  await creator.goto('/private-sessions')
  await creator.getByRole('button', { name: 'Accept: An hour of help' }).click()
  await expect(creator.getByText('Confirmed', { exact: true })).toBeVisible()
  await lookAt(creator, 'private-sessions-creator')

  // The fan's screen updates live.
  await fan.page.getByRole('link', { name: 'Join call' }).click()
  await expect(fan.page.getByRole('heading', { name: 'Ready to join?' })).toBeVisible()
  await expect(fan.page.getByLabel('Your video')).toBeVisible()
  await lookAt(fan.page, 'call-lobby')
  await fan.page.getByRole('button', { name: 'Join now' }).click()
  await expect(fan.page.getByText(/^Waiting for/).first()).toBeVisible()
  await creator.getByRole('link', { name: 'Join call' }).click()
  await creator.getByRole('button', { name: 'Join now' }).click()
  for (const page of [creator, fan.page]) await expectRemoteVideo(page)
  await lookAt(creator, 'call')

  await creator.getByRole('button', { name: 'Turn camera off' }).click()
  await expect(fan.page.getByText(/turned off their camera/)).toBeVisible()
  await creator.getByRole('button', { name: 'Turn camera on' }).click()
  await expect(fan.page.getByText(/turned off their camera/)).toBeHidden()

  // A reload joins the call again, with a new connection.
  await fan.page.reload()
  await fan.page.getByRole('button', { name: 'Join now' }).click()
  for (const page of [creator, fan.page]) await expectRemoteVideo(page)

  await fan.page.getByRole('button', { name: 'Leave call' }).click()
  await expect(fan.page.getByText('You left the call')).toBeVisible()
  await creator.context().close()
  await fan.context.close()
})

async function offer(page: Page) {
  await page.getByLabel('Title').fill('An hour of help')
  await page.getByLabel('Price in USD').fill('40')
  await page.getByRole('button', { name: 'Create session type' }).click()
  // Deactivating and activating it with the keyboard keeps the focus.
  const button = (name: string) => page.getByRole('button', { name: `${name}: An hour of help`, exact: true })
  await button('Deactivate').press('Enter')
  await expect(button('Activate')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button('Deactivate')).toBeFocused()
  await lookAt(page, 'private-sessions-offers')
  await page.getByRole('tab', { name: 'Availability' }).click()
  await beAvailableSoon(page)
}

/** Opens half an hour in which the call can be joined already, in a time zone where today doesn't end in it. */
async function beAvailableSoon(page: Page) {
  const start = new Date(Date.now() + 10 * 60_000)
  const zone = start.getUTCHours() < 12 ? 'UTC' : 'Pacific/Honolulu'
  const clockOf = (at: Date) => at.toLocaleTimeString('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  const weekday = start.toLocaleDateString('en-US', { timeZone: zone, weekday: 'long' })
  await page.getByLabel('Time zone').selectOption(zone)
  const remove = page.getByRole('button', { name: new RegExp(`^Remove hours \\d on ${weekday}$`) })
  while ((await remove.count()) > 0) await remove.first().click()
  await page.getByRole('button', { name: `Add hours on ${weekday}` }).click()
  await page.getByLabel(`${weekday} from`, { exact: true }).fill(clockOf(start))
  await page.getByLabel(`${weekday} to`, { exact: true }).fill(clockOf(new Date(start.getTime() + 30 * 60_000)))
  await page.getByLabel('Notice in hours').fill('0')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect(page.getByText('Hours saved')).toBeVisible()
  // In two weeks, the creator takes the day off.
  const days = page.getByRole('grid').getByRole('button')
  await days.and(page.locator('[tabindex="0"]')).press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('radiogroup').getByText('Day off').click()
  await page.getByRole('button', { name: 'Save day' }).click()
  await expect(page.getByText('Day saved')).toBeVisible()
  await expect(days.and(page.getByRole('button', { pressed: true }))).toHaveAccessibleName(/, Day off$/)
  await lookAt(page, 'private-sessions-availability')
}

async function book({ page }: Visitor) {
  await page.getByRole('button', { name: 'Choose a time: An hour of help' }).click()
  // The first day is chosen, and the other weeks follow in the calendar.
  const session = page.getByRole('article', { name: 'An hour of help' })
  const times = session.getByRole('button', { name: /^Book .* for \$40\.00$/ })
  await expect(times).toHaveCount(1)
  await expect(session.getByText(/^Times are in your time zone, /)).toBeVisible()
  await lookAt(page, 'profile-sessions')
  const chosen = session.getByRole('button', { pressed: true })
  const first = await chosen.getAttribute('data-day')
  await chosen.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(chosen).not.toHaveAttribute('data-day', first ?? '')
  await expect(times).toHaveCount(1)
  await chosen.press('ArrowDown')
  await expect(page.locator('[data-day]:focus')).toHaveAttribute('aria-disabled', 'true') // the day off
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(chosen).toHaveAttribute('data-day', first ?? '')
  await times.click()
  await page.waitForURL(/\/sandbox\//)
  await payWith(page, { button: 'Pay $40.00' })
  await page.waitForURL(/\/private-sessions/)
  await expect(page.getByText('Waiting for the creator')).toBeVisible()
}

/** Checks that the other participant's video is playing. */
async function expectRemoteVideo(page: Page) {
  await expect(page.getByText(/^Connected to/)).toBeAttached({ timeout: 20_000 })
  const picture = page.getByLabel(/'s video$/)
  const frames = () =>
    picture.evaluate((video) =>
      'videoWidth' in video && video.videoWidth && 'currentTime' in video ? Number(video.currentTime) : 0,
    )
  await expect.poll(frames).toBeGreaterThan(0)
  const before = await frames()
  await expect.poll(frames).toBeGreaterThan(before)
}
