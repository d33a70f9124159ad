import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { UploadControl } from './upload-control.ts'
import { uploadResumably } from './upload-resumable.ts'

const file = () => new File(['a film'], 'film.mp4', { type: 'video/mp4', lastModified: 1 })

/** The resumable upload API (TUS 1.0), which takes a file in one chunk; counts the uploads created. */
function takeUploads(): { begun: () => number } {
  let begun = 0
  const headers = { 'tus-resumable': '1.0.0', 'access-control-expose-headers': '*' }
  network.use(
    http.post('*/storage/v1/upload/resumable', ({ request }) => {
      begun += 1
      return new HttpResponse(null, { status: 201, headers: { ...headers, location: `${request.url}/${begun}` } })
    }),
    http.patch('*/storage/v1/upload/resumable/*', async ({ request }) => {
      const { byteLength } = await request.arrayBuffer()
      return new HttpResponse(null, { status: 204, headers: { ...headers, 'upload-offset': String(byteLength) } })
    }),
  )
  return { begun: () => begun }
}

it('ends when it is canceled before its code has loaded [POST-38]', async () => {
  const { begun } = takeUploads()
  const control = new UploadControl()
  control.cancel()
  const upload = uploadResumably({ bucket: 'posts', path: 'u/film.mp4', file: file(), control })
  await expect(upload).rejects.toMatchObject({ failure: { kind: 'aborted' } })
  expect(begun()).toBe(0)
})

it('starts once after a pause before its start [POST-38]', async () => {
  const { begun } = takeUploads()
  const control = new UploadControl()
  control.setPaused(true)
  const upload = uploadResumably({ bucket: 'posts', path: 'u/film.mp4', file: file(), control })
  await Promise.resolve()
  control.setPaused(false)
  expect(await upload).toBe('u/film.mp4')
  expect(begun()).toBe(1)
})
