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

test('a private session is offered, booked, accepted and held [PRIV-01, PRIV-02, PRIV-03, PRIV-04, PRIV-05, PRIV-08]', async ({
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
  await page.getByRole('tab', { name: 'Times' }).click()
  // The call can be joined already.
  const start = await page.evaluate<[string, string]>(`(() => {
    const at = new Date(Date.now() + 10 * 60_000)
    const two = (value) => String(value).padStart(2, '0')
    return [[at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-'), two(at.getHours()) + ':' + two(at.getMinutes())]
  })()`)
  // Other tests create offers for the same creator.
  await page.getByLabel('Session type', { exact: true }).selectOption({ label: 'An hour of help (30 minutes)' })
  await page.getByLabel('Date').fill(start[0])
  await page.getByLabel('Starts at').fill(start[1])
  await page.getByRole('button', { name: 'Add times' }).click()
  await expect(page.getByText('1 time added')).toBeVisible()
  await lookAt(page, 'private-sessions-times')
}

async function book({ page }: Visitor) {
  await page.getByRole('button', { name: 'Choose a time: An hour of help' }).click()
  await expect(page.getByRole('button', { name: /^Book .* for \$40\.00$/ })).toBeVisible()
  await lookAt(page, 'profile-sessions')
  await page.getByRole('button', { name: /^Book .* for \$40\.00$/ }).click()
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
