import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { accept, choose, openComposer, photo, submit } from '../../testing/composer.ts'
import { network } from '../../testing/network.ts'
import { viewerProfile } from '../../testing/sign-in.ts'

const large = (name = 'walk.mp4') =>
  new File([new Uint8Array(6 * 1024 ** 2 + 10)], name, { type: 'video/mp4', lastModified: 1 })

/** The resumable upload API (TUS 1.0): records how much of each upload has arrived. `before` may delay or replace a response. */
function acceptPieces(before: (offset: number) => Promise<Response | undefined> | undefined = () => undefined) {
  const arrived = new Map<string, number>()
  const created: Record<string, string>[] = []
  const ended: string[] = []
  const tus = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }
  network.use(
    http.post('*/storage/v1/upload/resumable', ({ request }) => {
      const pairs = (request.headers.get('upload-metadata') ?? '').split(',').map((pair) => pair.split(' '))
      created.push(Object.fromEntries(pairs.map(([key = '', value = '']) => [key, atob(value)])))
      const id = `up-${created.length}`
      arrived.set(id, 0)
      return new HttpResponse(null, {
        status: 201,
        headers: { ...tus, location: `http://localhost:3000/storage/v1/upload/resumable/${id}` },
      })
    }),
    http.head(
      '*/storage/v1/upload/resumable/:id',
      ({ params }) =>
        new HttpResponse(null, {
          status: 200,
          headers: {
            ...tus,
            'upload-offset': String(arrived.get(String(params.id))),
            'upload-length': String(6 * 1024 ** 2 + 10),
          },
        }),
    ),
    http.patch('*/storage/v1/upload/resumable/:id', async ({ params, request }) => {
      const id = String(params.id)
      const offset = Number(request.headers.get('upload-offset'))
      const instead = await before(offset)
      if (instead) return instead
      const bytes = offset + (await request.arrayBuffer()).byteLength
      arrived.set(id, bytes)
      return new HttpResponse(null, { status: 204, headers: { ...tus, 'upload-offset': String(bytes) } })
    }),
    http.delete('*/storage/v1/upload/resumable/:id', ({ params }) => {
      ended.push(String(params.id))
      return new HttpResponse(null, { status: 204, headers: tus })
    }),
  )
  return { created, arrived, ended }
}
it('uploads a file above 6 MB in chunks, and ends with the last one [POST-38, POST-35]', async () => {
  const last = Promise.withResolvers<undefined>()
  const { created, arrived } = acceptPieces((offset) => (offset > 0 ? last.promise : undefined))
  const { inserted } = accept()
  const dialog = await openComposer()
  choose(large())
  await dialog.findByText('walk.mp4')
  await submit(dialog)
  // All bytes have left, and the server has not said yet that it has them.
  expect(await dialog.findByText(/Finishing…/)).toBeVisible()
  const progress = dialog.getByRole('progressbar', { name: 'Upload of walk.mp4' })
  expect(progress).toHaveAttribute('aria-valuenow', '90')
  last.resolve(undefined)
  await waitFor(() => expect(progress).toHaveAttribute('aria-valuenow', '100'))
  expect(await screen.findByText('Post created', {}, { timeout: 20_000 })).toBeVisible()
  const path = expect.stringMatching(new RegExp(`^${viewerProfile.user_id}/\\d+-[0-9a-f]{8}\\.mp4$`))
  expect(created).toEqual([
    {
      bucketName: 'posts',
      objectName: path,
      contentType: 'video/mp4',
      cacheControl: '3600',
      metadata: expect.stringContaining('fileName'),
    },
  ])
  expect([...arrived.values()]).toEqual([6 * 1024 ** 2 + 10])
  expect(inserted[0]?.media_urls).toEqual([created[0]?.objectName])
})

it('pauses an upload and resumes where it stopped [POST-38]', async () => {
  const offsets: number[] = []
  // The first piece never gets through: the pause ends it, and asking how much has arrived begins the second try.
  const { created } = acceptPieces((offset) => {
    offsets.push(offset)
    return offsets.length === 1 ? new Promise(() => undefined) : undefined
  })
  accept()
  const dialog = await openComposer()
  choose(large())
  await dialog.findByText('walk.mp4')
  await submit(dialog)
  await waitFor(() => expect(offsets).toEqual([0]))
  await userEvent.click(dialog.getByRole('button', { name: 'Pause walk.mp4' }))
  expect(dialog.getByText(/Paused/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Resume walk.mp4' }))
  expect(await screen.findByText('Post created', {}, { timeout: 20_000 })).toBeVisible()
  expect([created.length, ...offsets]).toEqual([1, 0, 0, 6 * 1024 ** 2])
})

it('cancels the upload of a removed file, and publishes the rest [POST-36]', async () => {
  const { ended } = acceptPieces(() => new Promise(() => undefined))
  const { inserted } = accept()
  const dialog = await openComposer()
  choose(photo('one.jpg'), large())
  await dialog.findByText('walk.mp4')
  await submit(dialog)
  for (const label of ['Title', 'Content']) expect(dialog.getByLabelText(label)).toBeDisabled()
  for (const name of ['Free', 'Pay-per-view']) expect(dialog.getByRole('radio', { name })).toBeDisabled()
  for (const name of ['Create Post', 'Cancel']) expect(dialog.getByRole('button', { name })).toBeDisabled()
  await userEvent.click(await dialog.findByRole('button', { name: 'Remove walk.mp4' }))
  expect(await screen.findByText('Post created', {}, { timeout: 20_000 })).toBeVisible()
  expect(inserted[0]?.media_types).toEqual(['image'])
  await waitFor(() => expect(ended).toEqual(['up-1']))
})

it('retries a single failed file [POST-33]', async () => {
  let calls = 0
  const { uploaded, inserted } = accept(() =>
    ++calls === 1
      ? HttpResponse.json({ statusCode: '507', message: 'full' }, { status: 507 })
      : HttpResponse.json({ Key: 'k' }),
  )
  const dialog = await openComposer()
  choose(photo('one.jpg'))
  await dialog.findByText('one.jpg')
  await submit(dialog)
  await userEvent.click(await dialog.findByRole('button', { name: 'Retry one.jpg' }))
  expect(await dialog.findByText(/Uploaded/)).toBeVisible()
  expect([uploaded.length, inserted.length]).toEqual([1, 0])
  await submit(dialog)
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(inserted[0]?.media_urls).toEqual(uploaded)
})
