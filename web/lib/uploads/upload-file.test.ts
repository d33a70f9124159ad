import { afterEach, expect, it, vi } from 'vitest'
import { uploadFile } from './upload-file.ts'

/** A request whose progress and response the test controls. */
class Line extends EventTarget {
  static last: Line | undefined
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  open() {}
  setRequestHeader() {}
  send() {
    Line.last = this
  }
  left(loaded: number, total: number) {
    this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total }))
  }
  answer(status: number) {
    this.status = status
    this.dispatchEvent(new ProgressEvent('loadend'))
  }
}

async function begin() {
  vi.stubGlobal('XMLHttpRequest', Line)
  Line.last = undefined
  const told: number[] = []
  const file = new File(['a photo'], 'one.jpg', { type: 'image/jpeg' })
  const sent = uploadFile({ bucket: 'posts', path: 'u/one.jpg', file, onProgress: (percent) => told.push(percent) })
  const line = await vi.waitUntil(() => Line.last)
  return { line, sent, told }
}
afterEach(() => void vi.unstubAllGlobals())

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
