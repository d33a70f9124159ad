import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import * as clients from './clients.ts'
import { lookAt } from './look.ts'
import { open, openDemo } from './people.ts'
import { photo } from './pictures.ts'
import { ffmpegPath } from './start-product.ts'

/** Photos and a video, from the creator's device to subscribers and nobody else. Uses the demo's users. */
test.describe.configure({ mode: 'serial' })
test.describe('media', () => {
  const text = `Two hours in the harbour ${Date.now()}`
  const folder = mkdtempSync(join(tmpdir(), 'ovation-e2e-video-'))
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a creator uploads a photo and a large video, orders them with the keyboard, and publishes for subscribers [POST-16, POST-17, POST-38]', async ({
    browser,
  }) => {
    const video = join(folder, 'walk.mp4')
    const source = [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=640x360:rate=24:duration=14',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=14',
    ]
    // Larger than 6 MB, so that it is uploaded in chunks.
    execFileSync(ffmpegPath, [
      '-v',
      'error',
      ...source,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-b:v',
      '5M',
      '-minrate',
      '5M',
      '-maxrate',
      '5M',
      '-bufsize',
      '5M',
      '-x264-params',
      'nal-hrd=cbr',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      video,
    ])
    const file = join(folder, 'harbour.jpg')
    writeFileSync(file, await photo(200))

    const page = await openDemo(browser, 'mara')
    await page.getByRole('button', { name: 'Create Post' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Post' })
    await dialog.getByLabel('Content').fill(text)
    await dialog.locator('input[type=file]').setInputFiles([video, file])
    const captions = dialog.getByRole('group', { name: 'Captions for walk.mp4' })
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:14.000\nThe tide is out.\n'
    await captions
      .getByLabel(/WebVTT file/)
      .setInputFiles({ name: 'walk.de.vtt', mimeType: 'text/vtt', buffer: Buffer.from(vtt) })
    await expect(captions.getByLabel('Caption language')).toHaveValue('de')
    await dialog.getByRole('button', { name: 'Move harbour.jpg, 2 of 2' }).press('ArrowUp')
    await expect(dialog.getByRole('button', { name: 'Move harbour.jpg, 1 of 2' })).toBeFocused()
    await lookAt(page, 'media-composer-files')
    await dialog
      .getByRole('radio', { name: / \/ month/ })
      .first()
      .check()
    const pieces = page.waitForResponse(
      (answer) => answer.request().method() === 'PATCH' && /upload\/resumable\//.test(answer.url()),
    )
    await dialog.getByRole('button', { name: 'Create Post' }).click()
    expect((await pieces).status()).toBe(204)
    await expect(dialog).toBeHidden({ timeout: 40_000 })
    await expect(post(page)).toBeVisible()
    await page.context().close()
  })

  test('a visitor sees a blurred preview, and not a byte of the files [POST-10, POST-46]', async ({ browser }) => {
    const { page } = await open(browser)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto('/profile/mara')
    const card = post(page)
    await expect(card.locator('[data-blurred-preview]')).toBeVisible()
    await expect(card.getByText(/1 photo, 1 video/)).toBeVisible()
    await expect(card.locator('video')).toHaveCount(0)
    const { data } = await clients
      .service()
      .from('posts')
      .select('media_urls')
      .eq('content', text)
      .single()
      .throwOnError()
    const files: string[] = data.media_urls
    expect(files).toHaveLength(2)
    expect(requested.filter((url) => files.some((file) => decodeURIComponent(url).includes(file)))).toEqual([])
    await lookAt(page, 'media-locked-preview')
    await page.context().close()
  })

  test('a subscriber sees the photo in a fitting size, and the video streams [POST-16, POST-42, POST-47]', async ({
    browser,
  }) => {
    const page = await openDemo(browser, 'lena')
    const card = post(page)
    const picture = card.getByRole('img', { name: /Photo 1 of 2 by/ })
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => property(picture, 'naturalWidth')).toBeGreaterThan(300)
    expect(await property(picture, 'currentSrc')).toContain('/render/image/sign/posts/')

    const video = card.locator('video')
    // The job needs a few seconds for the video. The poster is ready before the stream.
    await expect(async () => {
      const feed = page.waitForResponse(/\/rpc\/get_feed/)
      await page.reload()
      const posts = (await (await feed).json()) as { content: string; media_previews: object[] }[]
      const shown = posts.find(({ content }) => content.includes(text))
      expect(shown?.media_previews).toContainEqual(expect.objectContaining({ stream: true }))
    }).toPass({ timeout: 60_000 })
    await expect(video).toHaveAttribute('poster', /render\/image/)
    await video.scrollIntoViewIfNeeded()
    const playlist = page.waitForResponse(/render\/video\/sign\/posts\/[^?]*\?token=[^&]*$/)
    await video.evaluate(
      (element) =>
        void Reflect.get(element, 'play')
          .call(element)
          .catch(() => undefined),
    )
    expect((await playlist).status()).toBe(200)
    await expect.poll(() => property(video, 'currentTime'), { timeout: 20_000 }).toBeGreaterThan(1)
    // The captions belong to the file, and also work with the stream.
    expect(await video.evaluate(readCaptions)).toEqual(['German', 'The tide is out.'])
    // With the keyboard controls of the browser's player.
    await video.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => property(video, 'paused')).toBe(true)
    await page.context().close()
  })

  test('a creator crops a profile picture with the keyboard [PROF-08]', async ({ browser }) => {
    const page = await openDemo(browser, 'mara', '/profile')
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    await page
      .locator('input[type=file][aria-label="Profile picture"]')
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo(20) })
    const dialog = page.getByRole('dialog', { name: 'Crop profile picture' })
    await expect(dialog.getByRole('application', { name: 'Image to crop' })).toBeVisible()
    await dialog.getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
    await lookAt(page, 'media-crop')
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && /object\/avatars\//.test(request.url()),
    )
    await dialog.getByRole('button', { name: 'Use image' }).press('Enter')
    await sent
    await expect(page.getByText('Picture updated')).toBeVisible()
    const avatar = page.locator('img[src*="/avatars/"]').first()
    await expect.poll(() => aspectOf(avatar)).toBe(1)
    await page.context().close()
  })

  const post = (page: Page): Locator => page.getByRole('article').filter({ hasText: text })
})

/** Runs in the page: turns a video's captions on, and returns their label and text. */
const readCaptions = async (video: object) => {
  const [track] = Reflect.get(video, 'textTracks')
  track.mode = 'showing'
  for (let tries = 0; !track.cues?.length && tries < 100; tries++) await new Promise((later) => setTimeout(later, 100))
  return [track.label, track.cues?.[0]?.text]
}

/** A property of an element in the browser. */
const property = (of: Locator, name: string) => of.evaluate((element, key) => Reflect.get(element, key), name)
const aspectOf = async (image: Locator) =>
  (await property(image, 'naturalWidth')) / (await property(image, 'naturalHeight'))
