import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { controlUploads } from '../../testing/control-uploads.ts'
import { network } from '../../testing/network.ts'
import { estimateSeconds, extensionOf, mediaTypeOf, refusalOf } from './file-rules.ts'
import { uploadAll } from './upload-all.ts'
import { uploadErrorMessage } from './upload-error-message.ts'
import { uploadMedia } from './upload-media.ts'

/** A file of a size that no test should really allocate. */
function buildFile(name: string, type: string, size = 1): File {
  return Object.defineProperty(new File(['x'], name, { type }), 'size', { value: size })
}
const gb = 1024 ** 3
const mb = 1024 ** 2

describe('the files of a post', () => {
  it('are images and videos only; one unsupported file rejects the selection [POST-24, POST-26, POST-28]', () => {
    expect(refusalOf([buildFile('a.jpg', 'image/jpeg'), buildFile('b.mp4', 'video/mp4')], 0)).toBeNull()
    expect(refusalOf([buildFile('a.jpg', 'image/jpeg'), buildFile('c.pdf', 'application/pdf')], 0)).toEqual({
      title: 'Unsupported Files',
      message: 'c.pdf is in an unsupported format. Choose images and videos only.',
    })
  })

  it('are at most 1 GB for a video and 500 MB otherwise, to the byte [POST-25, POST-26, POST-27]', () => {
    expect(refusalOf([buildFile('a.mp4', 'video/mp4', gb), buildFile('b.jpg', 'image/jpeg', 500 * mb)], 0)).toBeNull()
    for (const file of [buildFile('a.mp4', 'video/mp4', gb + 1), buildFile('b.jpg', 'image/jpeg', 500 * mb + 1)])
      expect(refusalOf([file], 0)?.title).toBe('Files Too Large')
    expect(refusalOf([buildFile('b.jpg', 'image/jpeg', 600 * mb)], 0)).toEqual({
      title: 'Files Too Large',
      message: 'b.jpg is 600 MB. The maximum is 1GB for videos and 500MB for files.',
    })
  })

  it('are at most twenty, with those chosen before', () => {
    const ten = Array.from({ length: 10 }, (_, index) => buildFile(`${index}.jpg`, 'image/jpeg'))
    expect(refusalOf(ten, 10)).toBeNull()
    expect(refusalOf(ten, 11)?.title).toBe('Too many files')
  })

  it('have a type and an extension that the storage takes [API-STO-01]', () => {
    expect([mediaTypeOf(buildFile('a.mov', 'video/quicktime')), mediaTypeOf(buildFile('a.jpg', 'image/jpeg'))]).toEqual(
      ['video', 'image'],
    )
    expect(extensionOf(buildFile('Ferien.JPG', 'image/jpeg'))).toBe('jpg')
    expect(extensionOf(buildFile('no extension', 'image/png'))).toBe('png')
    expect(extensionOf(buildFile('../../x.p/h', 'image/svg+xml'))).toBe('svgxml')
  })

  it('take as long as 25 Mbps need [POST-39]', () => {
    expect(
      estimateSeconds([buildFile('a.mp4', 'video/mp4', 25_000_000), buildFile('b.mp4', 'video/mp4', 25_000_000)]),
    ).toBe(16)
  })
})

describe('a failed upload', () => {
  it.each([
    [{ kind: 'refused', status: 413, message: 'Payload too large' }, /compressing/],
    [{ kind: 'refused', status: 400, message: 'The object exceeded the maximum allowed size' }, /compressing/],
    [{ kind: 'refused', status: 507, message: 'full' }, /Contact support or try a smaller file/],
    [{ kind: 'network' }, /Check your internet connection/],
    [{ kind: 'timeout' }, /smaller file or a faster connection/],
    [{ kind: 'refused', status: 403, message: 'not allowed here' }, /not allowed here/],
  ] as const)('tells %j with what to do [POST-29, POST-30, POST-31, POST-32]', (failure, words) => {
    expect(uploadErrorMessage(new UploadError(failure), 'a.jpg')).toMatch(words)
  })

  it('suggests a smaller file or a better connection after a timeout [POST-32]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const next = controlUploads()
    const upload = uploadFile({ bucket: 'posts', path: 'u/a.jpg', file: buildFile('a.jpg', 'image/jpeg') })
    const failure = upload.catch((error) => uploadErrorMessage(error, 'a.jpg'))
    await next()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await failure).toMatch(/smaller file or a faster connection/)
  })

  it('leaves the others alone, and each keeps its place', async () => {
    const files = ['a', 'b', 'c'].map((name) => buildFile(name, 'image/png'))
    const results = await uploadAll(files, async (file) => {
      if (file.name === 'b') throw new UploadError({ kind: 'refused', status: 400 })
      return `u/${file.name}`
    })
    expect(results.map((result) => 'path' in result && result.path)).toEqual(['u/a', false, 'u/c'])
  })

  it('is tried once more by itself when the connection was at fault [POST-37]', async () => {
    let tries = 0
    const results = await uploadAll([buildFile('a', 'image/png')], async () => {
      if (++tries === 1) throw new UploadError({ kind: 'network' })
      return 'u/a'
    })
    expect(results).toEqual([{ path: 'u/a' }])
  })
})

afterEach(() => void vi.useRealTimers())

it('uploads files over 100 MB one at a time with a pause of half a second, smaller ones in parallel, and retries those one by one after a network error [POST-37]', async () => {
  vi.useFakeTimers()
  const begun = Date.now()
  const large = ['x', 'y'].map((name) => buildFile(name, 'video/mp4', 101 * mb))
  const small = ['a', 'b'].map((name) => buildFile(name, 'image/png', mb))
  const log: [name: string, running: number, ms: number][] = []
  let running = 0
  const all = uploadAll([...large, ...small], async (file) => {
    log.push([file.name, ++running, Date.now() - begun])
    await new Promise((resolve) => setTimeout(resolve, 20))
    running--
    if (small.includes(file) && log.length <= small.length) throw new UploadError({ kind: 'network' })
    return file.name
  })
  await vi.runAllTimersAsync()
  await all
  expect(log).toEqual([
    ['a', 1, 0],
    ['b', 2, 0],
    ['a', 1, 20],
    ['b', 1, 40],
    ['x', 1, 60],
    ['y', 1, 580],
  ])
})

it('waits a second after a video [POST-40]', async () => {
  let arrived = Number.POSITIVE_INFINITY
  network.use(
    http.post('*/storage/v1/object/posts/*', () => {
      arrived = performance.now()
      return HttpResponse.json({ Key: 'k' })
    }),
  )
  await uploadMedia(buildFile('walk.mp4', 'video/mp4'), { userId: 'u' })
  expect(performance.now() - arrived).toBeGreaterThan(990)
})
