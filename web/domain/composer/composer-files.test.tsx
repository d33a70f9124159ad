import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { accept, choose, openComposer, photo, submit } from '../../testing/composer.ts'
import { controlUploads } from '../../testing/control-uploads.ts'
import { answer, network } from '../../testing/network.ts'
import { buildVaultFile } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { viewerProfile } from '../../testing/sign-in.ts'

it('gives a video captions: a language of each file, a wrong file refused in words [POST-16, POST-17]', async () => {
  const { inserted, uploaded } = accept()
  const given: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/set_video_captions', async ({ request }) => {
      // The video is there by now, and the post is not.
      given.push([await request.json(), inserted.length])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:04.000\nGood morning.\n'
  const dialog = await openComposer()
  choose(photo('walk.mp4', 'video/mp4'), photo('one.jpg'))
  const captions = within(await dialog.findByRole('group', { name: 'Captions for walk.mp4' }))
  expect(dialog.queryByRole('group', { name: 'Captions for one.jpg' })).toBeNull()
  const add = async (name: string, text: string) =>
    userEvent.upload(captions.getByLabelText(/WebVTT file/), new File([text], name, { type: 'text/vtt' }))

  await add('walk.srt.vtt', '1\n00:00:01,000 --> 00:00:04,000\nGood morning.\n')
  expect(await captions.findByRole('alert')).toHaveTextContent("This isn't a WebVTT caption file")
  await add('walk.vtt', vtt)
  expect(await captions.findByRole('combobox', { name: 'Caption language' })).toHaveValue('en')
  expect(captions.queryByRole('alert')).toBeNull()
  await add('walk.de.vtt', vtt)
  await add('walk.fr.vtt', vtt)
  const languages = await captions.findAllByRole('combobox', { name: 'Caption language' })
  expect(languages.map((select) => (select as HTMLSelectElement).value)).toEqual(['en', 'de', 'fr'])
  await userEvent.selectOptions(languages[0] as HTMLElement, 'Brazilian Portuguese')
  await userEvent.click(captions.getByRole('button', { name: 'Remove French captions' }))

  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created', {}, { timeout: 5_000 })).toBeVisible()
  const video = uploaded.find((path) => path.endsWith('.mp4'))
  expect(given).toEqual([
    [{ video, language: 'pt-BR', content: vtt }, 0],
    [{ video, language: 'de', content: vtt }, 0],
  ])
})

it('sets the focus point of a photo with the keyboard, before the post exists [LOOP-11]', async () => {
  const { inserted, uploaded } = accept()
  const given: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/set_picture_focus', async ({ request }) => {
      given.push([await request.json(), inserted.length])
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const dialog = await openComposer()
  choose(photo('one.jpg'), photo('two.jpg'), photo('walk.mp4', 'video/mp4'))
  expect(dialog.queryByRole('button', { name: 'Set the focus point for walk.mp4' })).toBeNull()
  await userEvent.click(await dialog.findByRole('button', { name: 'Set the focus point for two.jpg' }))
  const point = within(await screen.findByRole('dialog', { name: 'Focus point' }))
  const press = (slider: string, key: string) => fireEvent.keyDown(point.getByRole('slider', { name: slider }), { key })
  press('Distance from the left', 'End')
  press('Distance from the top', 'Home')
  press('Distance from the top', 'ArrowRight')
  expect(point.getByRole('slider', { name: 'Distance from the top' })).toHaveAttribute('aria-valuenow', '1')
  await userEvent.click(point.getByRole('button', { name: 'Set point' }))
  expect(await dialog.findByRole('button', { name: 'Change the focus point for two.jpg' })).toBeVisible()

  await submit(dialog)
  expect(await screen.findByText('Post created', {}, { timeout: 5_000 })).toBeVisible()
  // The files were sent in their order, except the video, which takes longer.
  expect(given).toEqual([[{ picture: uploaded.filter((path) => path.endsWith('.jpg'))[1], x: 1, y: 0.01 }, 0]])
})

it('publishes files for the subscribers of a plan, in the order chosen [POST-17, POST-22, API-STO-01]', async () => {
  const { inserted, uploaded } = accept()
  const dialog = await openComposer()
  choose(photo('one.jpg'), photo('two.png', 'image/png'))
  expect(await dialog.findByText('one.jpg')).toBeVisible()
  await userEvent.click(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created')).toBeVisible()
  const [post] = inserted
  expect(post).toMatchObject({ post_type: 'subscription', required_tier_id: 'plan-1', media_types: ['image', 'image'] })
  expect(post?.media_urls).toEqual([
    expect.stringMatching(new RegExp(`^${viewerProfile.user_id}/\\d+-[0-9a-f]{8}\\.jpg$`)),
    expect.stringMatching(/\.png$/),
  ])
  expect(post?.media_urls).toEqual(expect.arrayContaining(uploaded))
  expect(uploaded).toHaveLength(2)
})

it('uploads a file that is cached for an hour, under another name if the first exists [API-STO-01]', async () => {
  const { inserted } = accept()
  const paths: string[] = []
  const append = vi.spyOn(FormData.prototype, 'append')
  network.use(
    http.post('*/storage/v1/object/posts/*', ({ request }) => {
      expect(request.headers.get('x-upsert')).toBe('false')
      paths.push(new URL(request.url).pathname.replace('/storage/v1/object/posts/', ''))
      return paths.length === 1
        ? HttpResponse.json(
            { statusCode: '409', error: 'Duplicate', message: 'The resource already exists' },
            { status: 400 },
          )
        : HttpResponse.json({ Key: 'k' })
    }),
  )
  const dialog = await openComposer()
  choose(photo('one.jpg'))
  await dialog.findByText('one.jpg')
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(new Set(paths).size).toBe(2)
  for (const path of paths) expect(path).toMatch(new RegExp(`^${viewerProfile.user_id}/\\d+-[\\da-f]+\\.jpg$`))
  expect(append.mock.calls.filter(([name]) => name === 'cacheControl')).toEqual(Array(2).fill(['cacheControl', '3600']))
  append.mockRestore()
  expect(inserted[0]?.media_urls).toEqual([paths[1]])
})

it('refuses a selection with a bad file as a whole [POST-24, POST-26, POST-28]', async () => {
  const dialog = await openComposer()
  choose(photo(), photo('notes.pdf', 'application/pdf'))
  expect(await screen.findByText('Unsupported Files')).toBeVisible()
  choose(photo(), Object.defineProperty(photo('wall.jpg'), 'size', { value: 500 * 1024 ** 2 + 1 }))
  expect(await screen.findByText('Files Too Large')).toBeVisible()
  expect(dialog.queryByText('one.jpg')).not.toBeInTheDocument()
})

it('tells how many files failed, and sends only those again [POST-29, POST-33, POST-35]', async () => {
  let calls = 0
  const { inserted, uploaded } = accept(() =>
    ++calls === 2
      ? HttpResponse.json({ statusCode: '413', error: 'Payload too large', message: 'too big' }, { status: 400 })
      : HttpResponse.json({ Key: 'k' }),
  )
  const dialog = await openComposer()
  choose(photo('one.jpg'), photo('two.jpg'))
  await dialog.findByText('two.jpg')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Upload incomplete: 1/2 files uploaded')).toBeVisible()
  expect(screen.getByText(/Try compressing the file/)).toBeVisible()
  expect(dialog.getByText(/Failed/)).toBeVisible()
  expect(inserted).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(uploaded).toHaveLength(2)
  expect(inserted[0]?.media_urls).toHaveLength(2)
})

it('shows the bytes sent of a file, 90 until the server has it, then 100, and a failure [POST-35]', async () => {
  accept()
  const next = controlUploads()
  const dialog = await openComposer()
  choose(photo('one.jpg'))
  await dialog.findByText('one.jpg')
  await submit(dialog)
  const expectProgress = (percent: string) =>
    waitFor(() =>
      expect(dialog.getByRole('progressbar', { name: 'Upload of one.jpg' })).toHaveAttribute('aria-valuenow', percent),
    )
  const upload = await next()
  await expectProgress('0')
  upload.left(50, 100)
  await expectProgress('50')
  upload.left(100, 100)
  await expectProgress('90')
  upload.answer(413)
  expect(await dialog.findByText(/Failed/)).toBeVisible()
  await userEvent.click(await dialog.findByRole('button', { name: 'Retry one.jpg' }))
  const second = await next()
  second.left(100, 100)
  await expectProgress('90')
  second.answer(200)
  await expectProgress('100')
})

it.each([
  [
    'full storage',
    () => HttpResponse.json({ message: 'full' }, { status: 507 }),
    /Contact support or try a smaller file/,
  ],
  ['a network error', () => HttpResponse.error(), /Check your internet connection/],
])('says what to do about %s [POST-30, POST-31]', async (_what, response, words) => {
  accept(response)
  const dialog = await openComposer()
  choose(photo('one.jpg'))
  await dialog.findByText('one.jpg')
  await submit(dialog)
  expect(await screen.findByText(words)).toBeVisible()
})

it('orders the files by keyboard, and publishes them so [POST-17]', async () => {
  const { inserted } = accept()
  const dialog = await openComposer()
  choose(photo('one.jpg'), photo('two.png', 'image/png'), photo('three.webp', 'image/webp'))
  const handle = await dialog.findByRole('button', { name: 'Move three.webp, 3 of 3' })
  handle.focus()
  expect(fireEvent.keyDown(handle, { key: 'ArrowLeft', altKey: true })).toBe(true) // the browser goes back
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  expect(handle).toHaveFocus()
  expect(dialog.getByText('three.webp is now 1 of 3')).toBeInTheDocument()
  expect(
    dialog.getAllByRole('button', { name: /^Move/ }).map((one) => one.getAttribute('aria-label')?.split(',')[0]),
  ).toEqual(['Move three.webp', 'Move one.jpg', 'Move two.png'])
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  const ending = (extension: string) => expect.stringMatching(new RegExp(`\\.${extension}$`))
  expect(inserted[0]?.media_urls).toEqual([ending('webp'), ending('jpg'), ending('png')])
})

it('takes a picture from the clipboard, and an iPhone’s photo that the browser has no word for [POST-17, POST-24]', async () => {
  const dialog = await openComposer()
  fireEvent.paste(dialog.getByLabelText('Content'), { clipboardData: { files: [photo('pasted.png', 'image/png')] } })
  expect(await dialog.findByText('pasted.png')).toBeVisible()
  choose(photo('IMG_1.HEIC', ''))
  expect(await dialog.findByText('IMG_1.HEIC')).toBeVisible()
})

/** Responds to uploads of covers. @returns their paths. */
function acceptCovers() {
  const covers: string[] = []
  network.use(
    http.post('*/storage/v1/object/covers/*', ({ request }) => {
      covers.push(new URL(request.url).pathname.replace('/storage/v1/object/covers/', ''))
      return HttpResponse.json({ Key: 'k' })
    }),
  )
  return covers
}

it('gives a post for subscribers a free cover, in the public bucket and apart from its files [LOOP-14]', async () => {
  const { inserted, uploaded } = accept()
  const covers = acceptCovers()
  const dialog = await openComposer()
  expect(dialog.queryByLabelText('Free cover')).not.toBeInTheDocument()
  choose(photo('one.jpg'))
  await userEvent.click(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' }))
  await userEvent.upload(dialog.getByLabelText('Free cover'), photo('teaser.webp', 'image/webp'))
  expect(dialog.getByRole('button', { name: 'Remove the cover' })).toBeVisible()
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(covers).toEqual([expect.stringMatching(new RegExp(`^${viewerProfile.user_id}/\\d+\\.webp$`))])
  expect(inserted).toMatchObject([{ cover_path: covers[0], media_urls: uploaded }])
  expect(uploaded).toHaveLength(1)
})

it('leaves the cover away from a free post, and when it is removed [LOOP-14]', async () => {
  const { inserted } = accept()
  const covers = acceptCovers()
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('radio', { name: 'Pay-per-view' }))
  await userEvent.upload(dialog.getByLabelText('Free cover'), photo('teaser.webp', 'image/webp'))
  await userEvent.click(dialog.getByRole('button', { name: 'Remove the cover' }))
  await userEvent.upload(dialog.getByLabelText('Free cover'), photo('other.webp', 'image/webp'))
  await userEvent.click(dialog.getByRole('radio', { name: 'Free' }))
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(covers).toEqual([])
  expect(inserted[0]).not.toHaveProperty('cover_path')
})

it('refuses a cover that is no picture, and keeps everything when its upload fails [LOOP-14]', async () => {
  const { inserted } = accept()
  let works = false
  const covers: string[] = []
  network.use(
    http.post('*/storage/v1/object/covers/*', ({ request }) => {
      if (!works) return HttpResponse.json({ statusCode: '413', error: 'x', message: 'Too large' }, { status: 400 })
      covers.push(request.url)
      return HttpResponse.json({ Key: 'k' })
    }),
  )
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' }))
  // The field's filter would gray it out.
  const anyFile = userEvent.setup({ applyAccept: false })
  await anyFile.upload(dialog.getByLabelText('Free cover'), photo('clip.mp4', 'video/mp4'))
  expect(await screen.findByText('Choose a JPEG, PNG, WebP, or GIF picture.')).toBeVisible()
  await userEvent.upload(dialog.getByLabelText('Free cover'), photo('teaser.png', 'image/png'))
  await submit(dialog)
  expect(await screen.findByText('Too large')).toBeVisible()
  expect(inserted).toEqual([])
  works = true
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(covers).toHaveLength(1)
  expect(inserted).toHaveLength(1)
})

describe('files of the vault', () => {
  const offer = (...names: string[]) => {
    network.use(
      answer(
        'rpc/get_vault_files',
        names.map((name) => ({ ...buildVaultFile({ name }) })),
      ),
    )
    signFiles({ bucket: 'vault' })
  }
  async function pick(dialog: Awaited<ReturnType<typeof openComposer>>, ...names: string[]) {
    await userEvent.click(dialog.getByRole('button', { name: 'From vault' }))
    const picker = within(await screen.findByRole('dialog', { name: 'Choose from your vault' }))
    for (const name of names) await userEvent.click(await picker.findByRole('button', { name }))
    await userEvent.click(picker.getByRole('button', { name: /^Add \d/ }))
  }

  it('join a post in the order chosen, without being uploaded [VAULT-02]', async () => {
    const { inserted, uploaded } = accept()
    const asked: unknown[] = []
    network.use(
      http.post('*/rest/v1/rpc/use_vault_files', async ({ request }) => {
        const body = (await request.json()) as { file_ids: string[] }
        asked.push({ ...body, file_ids: body.file_ids.length })
        return HttpResponse.json(body.file_ids.map((_, index) => `u/again-${index}.jpg`))
      }),
    )
    const dialog = await openComposer()
    offer('Sea.jpg', 'Tide.jpg', 'Quay.jpg')
    await pick(dialog, 'Tide.jpg', 'Sea.jpg')
    expect(dialog.getAllByText(/In your vault/)).toHaveLength(2)
    expect(asked).toEqual([])
    await submit(dialog)
    expect(await screen.findByText('Post created', {}, { timeout: 5_000 })).toBeVisible()
    expect(asked).toEqual([{ file_ids: 2, bucket: 'posts' }])
    expect(inserted[0]).toMatchObject({
      media_urls: ['u/again-0.jpg', 'u/again-1.jpg'],
      media_types: ['image', 'image'],
    })
    expect(uploaded).toEqual([])
  })

  it('that were deleted in the meantime keep the post from being created, and say why', async () => {
    const { inserted } = accept()
    network.use(
      http.post('*/rest/v1/rpc/use_vault_files', () =>
        HttpResponse.json(
          { code: 'PT404', message: "A file isn't in your vault anymore", details: null, hint: null },
          { status: 404 },
        ),
      ),
    )
    const dialog = await openComposer()
    offer('Sea.jpg')
    await pick(dialog, 'Sea.jpg')
    await submit(dialog)
    expect(await screen.findByText("A file isn't in your vault anymore")).toBeVisible()
    expect(inserted).toEqual([])
  })
})
