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
    const shownWidth = Math.floor((await picture.boundingBox())?.width ?? 0)
    expect(shownWidth).toBeGreaterThan(200)
    await expect.poll(() => property(picture, 'naturalWidth')).toBeGreaterThanOrEqual(shownWidth)
    expect(await property(picture, 'currentSrc')).toContain('/render/image/posts/')

    // The job needs a few seconds for the video. The poster is ready before the stream.
    await expect(async () => {
      const feed = page.waitForResponse(/\/rpc\/get_feed/)
      await page.reload()
      const posts = (await (await feed).json()) as { content: string; media_previews: object[] }[]
      const shown = posts.find(({ content }) => content.includes(text))
      expect(shown?.media_previews).toContainEqual(expect.objectContaining({ stream: true }))
    }).toPass({ timeout: 60_000 })
    // In a group, it plays in the lightbox, with the same player as alone.
    const playlist = page.waitForResponse(/\/links\/[^/]+\/render\/video\/posts\/[^?]*$/)
    await card.getByRole('button', { name: 'Play video 2 of 2' }).click()
    const video = page.getByRole('dialog', { name: 'Gallery' }).locator('video')
    await expect(video).toHaveAttribute('poster', /render\/image/)
    expect((await playlist).status()).toBe(200)
    await expect.poll(() => property(video, 'currentTime'), { timeout: 20_000 }).toBeGreaterThan(1)
    // The captions belong to the file, and also work with the stream.
    expect(await video.evaluate(readCaptions)).toEqual(['German', 'The tide is out.'])
    await lookAt(page, 'media-player', { over: true })
    // Keys that the player takes don't turn the gallery's pages.
    await video.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => property(video, 'paused')).toBe(true)
    const pausedAt = Number(await property(video, 'currentTime'))
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => property(video, 'currentTime')).toBeLessThan(pausedAt)
    await expect(video).toBeVisible()
    await page.keyboard.press('m')
    await expect.poll(() => property(video, 'muted')).toBe(true)
    const player = page.getByRole('dialog', { name: 'Gallery' }).getByRole('region', { name: /video player/i })
    await player.getByRole('button', { name: /playback rate/i }).click()
    await player.getByRole('menuitemradio', { name: '1.5x' }).click()
    await expect.poll(() => property(video, 'playbackRate')).toBe(1.5)
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate('document.fullscreenElement !== null')).toBe(true)
    await page.keyboard.press('f')
    await page.context().close()
  })

  test('a portrait is cropped to 4:5 in the feed, around its focus point, and whole on its own page [LOOP-11]', async ({
    browser,
  }) => {
    const page = await openDemo(browser, 'mara')
    const title = `A tall tower ${Date.now()}`
    await page.getByRole('button', { name: 'Create Post' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Post' })
    await dialog.getByLabel('Title').fill(title)
    await dialog
      .locator('input[type=file]')
      .setInputFiles([{ name: 'tower.jpg', mimeType: 'image/jpeg', buffer: await photo(30, 1500, 6000) }])
    await dialog.getByRole('button', { name: 'Set the focus point for tower.jpg' }).click()
    const point = page.getByRole('dialog', { name: 'Focus point' })
    await point.getByRole('slider', { name: 'Distance from the top' }).press('End')
    await lookAt(page, 'media-focus-point', { over: true })
    await point.getByRole('button', { name: 'Set point' }).click()
    await dialog.getByRole('button', { name: 'Create Post' }).click()
    await expect(dialog).toBeHidden({ timeout: 40_000 })

    const card = page.getByRole('article').filter({ hasText: title })
    const inFeed = card.getByRole('img', { name: /Photo by/ })
    await inFeed.scrollIntoViewIfNeeded()
    await expect.poll(() => shapeOf(inFeed)).toBeCloseTo(4 / 5, 1)
    await expect(inFeed).toHaveCSS('object-position', '50% 100%')
    await lookAt(page, 'media-portrait-feed', { over: true })

    await card.getByRole('link', { name: title }).click()
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    const onPage = page.getByRole('img', { name: /Photo by/ })
    await expect.poll(() => shapeOf(onPage)).toBeCloseTo(1 / 4, 2)
    await lookAt(page, 'media-portrait-page')
    await page.setViewportSize({ width: 1920, height: 1080 })
    expect((await onPage.boundingBox())?.height).toBeLessThanOrEqual(1080)
    await page.context().close()
  })

  test('a group follows the shapes of its pictures, cropped to 4:5 around a focus point in the feed, whole and up to 1100 px wide on its page [LOOP-11]', async ({
    browser,
  }) => {
    const page = await openDemo(browser, 'mara')
    const title = `Around the bay ${Date.now()}`
    await page.getByRole('button', { name: 'Create Post' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Post' })
    await dialog.getByLabel('Title').fill(title)
    const sizes = [
      [3600, 600],
      [1600, 2400],
      [2400, 1600],
      [8640, 5760], // 50 megapixels
    ] as const
    await dialog.locator('input[type=file]').setInputFiles(
      await Promise.all(
        sizes.map(async ([width, height], index) => ({
          name: `bay-${index}.jpg`,
          mimeType: 'image/jpeg',
          buffer: await photo(60 * index, width, height),
        })),
      ),
    )
    await dialog.getByRole('button', { name: 'Set the focus point for bay-1.jpg' }).click()
    const point = page.getByRole('dialog', { name: 'Focus point' })
    await point.getByRole('slider', { name: 'Distance from the top' }).press('End')
    await point.getByRole('button', { name: 'Set point' }).click()
    await dialog.getByRole('button', { name: 'Create Post' }).click()
    await expect(dialog).toBeHidden({ timeout: 90_000 })

    const card = page.getByRole('article').filter({ hasText: title })
    const shapes = async (within: Locator) => {
      const images = within.getByRole('img', { name: /Photo \d of 4/ })
      await expect(images).toHaveCount(4)
      return Promise.all(sizes.map((_, index) => shapeOf(images.nth(index))))
    }
    const natural = sizes.map(([width, height]) => width / height)
    for (const [index, shape] of (await shapes(card)).entries())
      expect(shape / Math.max(natural[index] ?? 0, 4 / 5)).toBeCloseTo(1, 1)
    await expect(card.getByRole('img', { name: 'Photo 2 of 4' }).first()).toHaveCSS('object-position', '50% 100%')
    await lookAt(page, 'media-group-feed', { over: true })

    await page.setViewportSize({ width: 1920, height: 1000 }) // beside both rails
    await card.getByRole('link', { name: title }).click()
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    for (const [index, shape] of (await shapes(page.locator('main'))).entries())
      expect(shape / (natural[index] ?? 0)).toBeCloseTo(1, 1)
    const widths = await Promise.all(
      sizes.map(
        async (_, index) =>
          (
            await page
              .getByRole('img', { name: /Photo \d of 4/ })
              .nth(index)
              .boundingBox()
          )?.width,
      ),
    )
    const widest = Math.max(...widths.map((width) => width ?? 0))
    expect(widest).toBeGreaterThan(1000)
    expect(widest).toBeLessThanOrEqual(1100)
    await lookAt(page, 'media-group-page')
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

/** The aspect ratio of an element's box, once it has been laid out. */
const shapeOf = async (of: Locator): Promise<number> => {
  const box = await of.boundingBox()
  return box ? box.width / box.height : 0
}

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
