import { expect, it } from 'vitest'
import { controlUploads } from '../../testing/control-uploads.ts'
import { uploadFile } from './upload-file.ts'

async function begin() {
  const next = controlUploads()
  const told: number[] = []
  const file = new File(['a photo'], 'one.jpg', { type: 'image/jpeg' })
  const sent = uploadFile({ bucket: 'posts', path: 'u/one.jpg', file, onProgress: (percent) => told.push(percent) })
  return { line: await next(), sent, told }
}

it('reports the bytes sent, holds at 90 until the server has the file, then reports 100 [POST-35]', async () => {
  const { line, sent, told } = await begin()
  for (const loaded of [1, 100, 175, 200]) line.left(loaded, 200)
  expect(told).toEqual([0, 50, 87, 90])
  line.answer(200)
  expect(await sent).toBe('u/one.jpg')
  expect(told).toEqual([0, 50, 87, 90, 100])
})

it('never reports 100 for a rejected file [POST-35]', async () => {
  const { line, sent, told } = await begin()
  line.left(200, 200)
  line.answer(413)
  await expect(sent).rejects.toMatchObject({ failure: { kind: 'refused', status: 413 } })
  expect(told).toEqual([90])
})
