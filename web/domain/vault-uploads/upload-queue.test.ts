import { expect, it, vi } from 'vitest'
import type { UploadControl } from '../../lib/uploads/upload-control.ts'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { UploadQueue, type UploadSteps } from './upload-queue.ts'

const photo = (name: string, bytes = 8) => new File([new Uint8Array(bytes)], name, { type: 'image/jpeg' })
const photos = (count: number) => Array.from({ length: count }, (_, index) => photo(`${index + 1}.jpg`))

type Sending = {
  name: string
  control: UploadControl
  report: (percent: number) => void
  store: () => void
  fail: (error: unknown) => void
}

/** A queue whose uploads the test ends. `hashes` are the names of the files. */
function buildQueue(steps: Partial<UploadSteps> = {}) {
  const sending: Sending[] = []
  const queue = new UploadQueue({
    hash: async ({ name }) => name,
    isKnown: async () => false,
    upload: ({ name }, _userId, { control, onProgress }) =>
      new Promise<void>((store, fail) => {
        sending.push({ name, control, report: onProgress, store, fail })
        control.signal.addEventListener('abort', () => fail(new UploadError({ kind: 'aborted' })))
      }),
    online: async () => undefined,
    untilLater: async () => undefined,
    ...steps,
  })
  const states = () => queue.list().map(({ file, state }) => `${file.name} ${state}`)
  const idOf = (name: string) => queue.list().find(({ file }) => file.name === name)?.id ?? ''
  const begun = (name: string) => vi.waitUntil(() => sending.findLast((one) => one.name === name))
  return { queue, sending, states, idOf, begun }
}

it('uploads three files at a time, in order, and the next one when one is done [VAULT-03]', async () => {
  const { queue, sending, states, begun } = buildQueue()
  queue.add(photos(5), 'user')
  const first = await begun('1.jpg')
  await begun('3.jpg')
  expect(states()).toEqual(['1.jpg uploading', '2.jpg uploading', '3.jpg uploading', '4.jpg waiting', '5.jpg waiting'])
  first.report(40)
  expect(queue.list()[0]).toMatchObject({ progress: 40 })
  first.store()
  await begun('4.jpg')
  expect(states()).toEqual(['1.jpg done', '2.jpg uploading', '3.jpg uploading', '4.jpg uploading', '5.jpg waiting'])
  expect(sending.map(({ name }) => name)).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg'])
})

it('sends no byte of a file that the vault has already [VAULT-03]', async () => {
  const { queue, sending, states, begun } = buildQueue({ isKnown: async (hash) => hash === '1.jpg' })
  queue.add(photos(2), 'user')
  await begun('2.jpg')
  expect(states()).toEqual(['1.jpg known', '2.jpg uploading'])
  expect(sending).toHaveLength(1)
})

it('gives the place of a paused file to the next one, and resumes it where it was [VAULT-03]', async () => {
  const { queue, sending, states, idOf, begun } = buildQueue()
  queue.add(photos(4), 'user')
  const first = await begun('1.jpg')
  await begun('3.jpg')
  queue.pause(idOf('1.jpg'))
  expect(first.control.paused).toBe(true)
  await begun('4.jpg')
  expect(states()).toEqual(['1.jpg paused', '2.jpg uploading', '3.jpg uploading', '4.jpg uploading'])
  queue.resume(idOf('1.jpg'))
  expect(first.control.paused).toBe(false)
  first.store()
  await vi.waitUntil(() => states()[0] === '1.jpg done')
  expect(sending).toHaveLength(4)
})

it('neither starts nor checks a file that was paused while it waited [VAULT-03]', async () => {
  const { queue, states, idOf, begun } = buildQueue()
  queue.add(photos(4), 'user')
  queue.pause(idOf('4.jpg'))
  const first = await begun('1.jpg')
  first.store()
  await vi.waitUntil(() => states()[0] === '1.jpg done')
  expect(states()[3]).toBe('4.jpg paused')
  queue.resume(idOf('4.jpg'))
  await begun('4.jpg')
})

it('says why a file failed, and uploads it again [VAULT-03]', async () => {
  const { queue, states, idOf, begun } = buildQueue()
  queue.add(photos(1), 'user')
  const first = await begun('1.jpg')
  first.fail(new UploadError({ kind: 'network' }))
  await vi.waitUntil(() => states()[0] === '1.jpg failed')
  expect(queue.list()[0]?.error).toMatch(/Check your internet connection/)
  queue.retry(idOf('1.jpg'))
  const second = await vi.waitUntil(async () => {
    const now = await begun('1.jpg')
    return now !== first && now
  })
  second.store()
  await vi.waitUntil(() => states()[0] === '1.jpg done')
})

it('ends an upload that is canceled, and takes it off the list [VAULT-03]', async () => {
  const { queue, states, idOf, begun } = buildQueue()
  queue.add(photos(4), 'user')
  const first = await begun('1.jpg')
  queue.cancel(idOf('1.jpg'))
  expect(first.control.signal.aborted).toBe(true)
  await begun('4.jpg')
  expect(states()).toEqual(['2.jpg uploading', '3.jpg uploading', '4.jpg uploading'])
})

it('lists a file that can’t be stored with the reason, and uploads the others [VAULT-03]', async () => {
  const { queue, states, idOf, begun } = buildQueue()
  queue.add([new File(['x'], 'notes.txt', { type: 'text/plain' }), photo('1.jpg')], 'user')
  await begun('1.jpg')
  queue.retry(idOf('notes.txt'))
  expect(states()).toEqual(['notes.txt failed', '1.jpg uploading'])
  expect(queue.list()[0]?.error).toMatch(/unsupported format/)
})

it('waits while the server takes no more videos, and while the device is offline [VAULT-03]', async () => {
  let isBack = (): void => undefined
  let attempts = 0
  const { queue, states } = buildQueue({
    online: () => new Promise<void>((resolve) => (isBack = resolve)),
    upload: async () => {
      attempts += 1
      if (attempts === 1) throw new UploadError({ kind: 'refused', status: 429 })
    },
  })
  queue.add(photos(1), 'user')
  await vi.waitUntil(() => states()[0] === '1.jpg uploading')
  expect(attempts).toBe(0)
  isBack()
  await vi.waitUntil(() => attempts === 1)
  expect(states()[0]).toBe('1.jpg uploading')
  await Promise.resolve()
  isBack()
  await vi.waitUntil(() => states()[0] === '1.jpg done')
})
