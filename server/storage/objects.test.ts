import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestGateway } from '../testing/gateway.ts'
import { onePixel } from '../testing/one-pixel.ts'
import { startOn, stores } from './testing/stores.ts'

let gateway: TestGateway
const bytes = randomBytes(1000)

describe.each(stores)('files on %s', (store) => {
  beforeAll(async () => {
    gateway = await startOn(store)
    await gateway.service.storage.createBucket('files', { public: false })
    await gateway.service.storage.createBucket('open', { public: true })
  })
  afterAll(() => gateway?.close())

  const bucket = () => gateway.service.storage.from('files')
  const put = (name: string, body: Buffer | string = bytes, contentType = 'application/octet-stream') =>
    bucket().upload(name, body, { contentType, upsert: true })
  const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${gateway.url}/storage/v1/${address}`, {
      method,
      headers: { apikey: gateway.secrets.serviceRoleKey, ...headers },
    })

  describe('a path', () => {
    const textOf = async (name: string) => (await bucket().download(name)).data?.text()

    it('is written once, read, replaced, and removed [API-STO-09]', async () => {
      expect((await bucket().upload('p/one.txt', 'first')).data).toMatchObject({ path: 'p/one.txt' })
      expect(await textOf('p/one.txt')).toBe('first')
      expect((await bucket().upload('p/one.txt', 'again')).error).toMatchObject({ statusCode: '409' })
      expect((await bucket().update('p/one.txt', 'second')).data).toMatchObject({ path: 'p/one.txt' })
      expect(await textOf('p/one.txt')).toBe('second')
      expect((await bucket().remove(['p/one.txt'])).data).toMatchObject([{ name: 'p/one.txt' }])
      expect(await textOf('p/one.txt')).toBeUndefined()
    })

    it('has metadata that is read without the content [API-STO-16]', async () => {
      await bucket().upload('p/four.txt', 'four', { contentType: 'text/plain', metadata: { alt: 'four' } })
      expect((await bucket().info('p/four.txt')).data).toMatchObject({
        id: expect.any(String),
        name: 'p/four.txt',
        bucketId: 'files',
        size: 4,
        contentType: 'text/plain',
        etag: expect.any(String),
        createdAt: expect.any(String),
        metadata: { alt: 'four' },
      })
      expect((await bucket().info('p/none.txt')).error).toMatchObject({ statusCode: '404' })
    })

    it('that is missing returns an error with message, status, and statusCode [API-STO-20]', async () => {
      const missing = { message: 'Object not found', status: 400, statusCode: '404' }
      expect((await bucket().info('p/none.txt')).error).toMatchObject(missing)
      expect((await bucket().createSignedUrl('p/none.txt', 60)).error).toMatchObject(missing)
    })
  })

  describe('a download', () => {
    beforeAll(() => put('ranges.bin'))

    it('are served whole, in ranges, and as 304 when the client has them [API-STO-09]', async () => {
      const whole = await get('object/files/ranges.bin')
      expect(whole.status).toBe(200)
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-length': '1000',
        'content-type': 'application/octet-stream',
        'accept-ranges': 'bytes',
        'cache-control': 'private, max-age=3600',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
      expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes)

      const part = await get('object/files/ranges.bin', { range: 'bytes=10-19' })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe('bytes 10-19/1000')
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))

      const beyond = await get('object/files/ranges.bin', { range: 'bytes=1000-' })
      expect(beyond.status).toBe(416)
      expect(beyond.headers.get('content-range')).toBe('bytes */1000')
      expect(await beyond.json()).toMatchObject({ statusCode: '416', error: 'invalid_range' })

      const etag = whole.headers.get('etag') ?? ''
      expect((await get('object/files/ranges.bin', { 'if-none-match': etag })).status).toBe(304)
      expect((await get('object/files/ranges.bin', { 'if-none-match': '"other"' })).status).toBe(200)
      const changed = await get('object/files/ranges.bin', { range: 'bytes=0-1', 'if-range': '"other"' })
      expect(changed.status).toBe(200)
      await changed.arrayBuffer()
    })

    it('answer HEAD with the headers alone [API-STO-09]', async () => {
      const head = await get('object/authenticated/files/ranges.bin', {}, 'HEAD')
      expect(head.status).toBe(200)
      expect(head.headers.get('content-length')).toBe('1000')
      expect(await head.text()).toBe('')
    })

    it('download under the requested name [API-STO-09]', async () => {
      const named = await get(`object/files/ranges.bin?download=${encodeURIComponent('Ada’s "best".bin')}`)
      expect(named.headers.get('content-disposition')).toBe(
        "attachment; filename=Ada%E2%80%99s%20%22best%22.bin; filename*=UTF-8''Ada%E2%80%99s%20%22best%22.bin;",
      )
      expect((await get('object/files/ranges.bin?download=')).headers.get('content-disposition')).toBe('attachment;')
      expect((await get('object/files/ranges.bin')).headers.get('content-disposition')).toBeNull()
    })

    it('keep their content coding and declare it [API-STO-09]', async () => {
      const packed = gzipSync('words '.repeat(100))
      const options = { contentType: 'text/plain', contentEncoding: 'gzip' }
      for (const [name, body] of [
        ['packed.txt', packed],
        ['packed-form.txt', new Blob([packed])],
      ] as const) {
        expect((await bucket().upload(name, body, options)).error).toBeNull()
        const answer = await get(`object/files/${name}`)
        expect(answer.headers.get('content-encoding')).toBe('gzip')
        expect(await answer.text()).toBe('words '.repeat(100))
      }
      const { error } = await bucket().upload('odd.txt', 'x', { ...options, contentEncoding: 'rot13' })
      expect(error).toMatchObject({ statusCode: '400', message: 'Unknown content encoding' })
    })

    it('of a large size are served whole, in ranges, and to many clients at once [API-STO-09]', async () => {
      const large = randomBytes(3_000_001)
      await put('large.bin', large)
      const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
      const answers = await Promise.all([1, 2, 3].map(() => get('object/files/large.bin')))
      for (const answer of answers) expect((await bytesOf(answer)).equals(large)).toBe(true)
      expect(answers[0]?.headers.get('x-request-id')).toEqual(expect.any(String))
      const part = await get('object/files/large.bin', { range: 'bytes=262143-2000000' })
      expect(part.headers.get('content-length')).toBe('1737858')
      expect((await bytesOf(part)).equals(large.subarray(262_143, 2_000_001))).toBe(true)
    })

    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    it.each([
      ['HTML', 'page.html', '<script>alert(1)</script>', 'text/html', 'text/plain; charset=utf-8'],
      ['a script', 'app.js', 'alert(1)', 'text/javascript', 'text/plain; charset=utf-8'],
      [
        'a GIF that is also a script',
        'both.gif',
        'GIF89a=1;alert(1)',
        'application/javascript',
        'text/plain; charset=utf-8',
      ],
      ['a picture that holds a script', 'picture.svg', svg, 'image/svg+xml', 'image/svg+xml'],
      ['an SVG under another name', 'picture.png', svg, 'image/png', 'image/png'],
      ['HTML declared as a picture', 'page.png', '<script>alert(1)</script>', 'image/png', 'image/png'],
    ])(
      'of %s run nothing under any of their addresses [API-STO-09, GEN-35]',
      async (_what, name, body, type, served) => {
        await put(name, body, type)
        await gateway.service.storage.from('open').upload(name, body, { contentType: type, upsert: true })
        const { data: link } = await bucket().createSignedUrl(name, 60)
        const { data: named } = await bucket().createSignedUrl(name, 60, { download: 'a.html' })
        const answers = await Promise.all([
          get(`object/files/${name}`),
          get(`object/authenticated/files/${name}`),
          get(`object/public/open/${name}`),
          get(`object/public/open/${name}?download=a.html`),
          fetch(link?.signedUrl ?? ''),
          fetch(named?.signedUrl ?? ''),
        ])
        for (const answer of answers) {
          expect(answer.status, answer.url).toBe(200)
          expect(Object.fromEntries(answer.headers), answer.url).toMatchObject({
            'content-type': served,
            'x-content-type-options': 'nosniff',
            // Without `allow-scripts` and `allow-same-origin` the document has no origin and runs nothing.
            'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
          })
          await answer.arrayBuffer()
        }
      },
    )
  })

  describe('a signed link', () => {
    it('opens for anyone until it expires [API-STO-10, POST-47]', async () => {
      await put('folder/with space (1).bin')
      const { data } = await bucket().createSignedUrl('folder/with space (1).bin', 60, { download: 'a.bin' })
      const opened = await fetch(data?.signedUrl ?? '')
      expect(opened.status).toBe(200)
      expect(opened.headers.get('content-disposition')).toContain('a.bin')
      expect(opened.headers.get('cache-control')).toMatch(/^private, max-age=[1-6]?[0-9]$/)
      expect((await opened.arrayBuffer()).byteLength).toBe(1000)
      const range = await fetch(data?.signedUrl ?? '', { headers: { range: 'bytes=0-4' } })
      expect(range.status).toBe(206)
      await range.arrayBuffer()

      const { data: short } = await bucket().createSignedUrl('folder/with space (1).bin', 1)
      await new Promise((resolve) => setTimeout(resolve, 2100))
      const expired = await fetch(short?.signedUrl ?? '')
      expect(expired.status).toBe(400)
      expect(await expired.json()).toMatchObject({ code: 'InvalidJWT', message: '"exp" claim timestamp check failed' })
    })

    it('is rejected when it is changed, moved to another path, or sent without its token [API-STO-10]', async () => {
      await put('one.bin')
      await put('two.bin')
      const { data } = await bucket().createSignedUrl('one.bin', 60)
      const url = data?.signedUrl ?? ''
      expect(await (await fetch(url.replace('one.bin', 'two.bin'))).json()).toMatchObject({ code: 'InvalidSignature' })
      expect(await (await fetch(`${url.slice(0, -4)}AAAA`)).json()).toMatchObject({ code: 'InvalidJWT' })
      const key = encodeURIComponent(gateway.secrets.serviceRoleKey)
      expect(await (await fetch(url.replace(/token=.*/, `token=${key}`))).json()).toMatchObject({ code: 'InvalidJWT' })
      expect(await (await fetch(url.replace(/\?.*/, ''))).json()).toMatchObject({
        statusCode: '400',
        code: 'InvalidRequest',
      })
    })

    it('can be made for many paths at once, with an error for each missing one [API-STO-10]', async () => {
      await put('many.bin')
      const { data } = await bucket().createSignedUrls(['many.bin', 'none.bin'], 60)
      expect(data).toMatchObject([
        { path: 'many.bin', error: null },
        { path: 'none.bin', error: expect.any(String), signedUrl: null },
      ])
      expect((await fetch(data?.[0]?.signedUrl ?? '')).status).toBe(200)
    })

    it('lets someone else upload one file, once [API-STO-11]', async () => {
      const { data } = await bucket().createSignedUploadUrl('given.txt')
      const visitor = gateway.anon.storage.from('files')
      const token = data?.token ?? ''
      expect((await visitor.uploadToSignedUrl('other.txt', token, 'x')).error).toMatchObject({
        code: 'InvalidSignature',
      })
      expect((await visitor.uploadToSignedUrl('given.txt', token, 'hello')).data).toMatchObject({ path: 'given.txt' })
      expect((await visitor.uploadToSignedUrl('given.txt', token, 'again')).error).toMatchObject({ statusCode: '409' })
      expect(await (await bucket().download('given.txt')).data?.text()).toBe('hello')
      expect((await visitor.createSignedUploadUrl('mine.txt')).error).toMatchObject({ code: 'AccessDenied' })
    })

    it('lasts at most seven days for anyone but the service', async () => {
      const person = await gateway.signUp()
      const name = `${person.userId}/a.png`
      const own = person.client.storage.from('posts')
      expect((await own.upload(name, onePixel, { contentType: 'image/png' })).error).toBeNull()
      const day = 24 * 3600
      expect((await own.createSignedUrl(name, 8 * day)).error).toMatchObject({
        statusCode: '400',
        code: 'InvalidRequest',
      })
      expect((await own.createSignedUrl(name, 7 * day)).error).toBeNull()
      expect((await gateway.service.storage.from('posts').createSignedUrl(name, 8 * day)).error).toBeNull()
    })
  })

  describe('a list', () => {
    beforeAll(async () => {
      for (const name of [
        'l/b.txt',
        'l/a.txt',
        'l/C.txt',
        'l/sub/x.txt',
        'l/sub/deep/y.txt',
        'l/100_.txt',
        'lx/z.txt',
      ]) {
        await put(name, 'x', 'text/plain')
      }
    })
    const names = async (...args: Parameters<ReturnType<typeof bucket>['list']>) =>
      (await bucket().list(...args)).data?.map(({ name }) => name)

    it('lists one level, folders first, by name, a hundred at a time [API-STO-14, API-STO-18]', async () => {
      expect(await names('l')).toEqual(['sub', '100_.txt', 'C.txt', 'a.txt', 'b.txt'])
      expect(await names('l/')).toEqual(await names('l'))
      expect(await names('l/sub')).toEqual(['deep', 'x.txt'])
      expect((await bucket().list('l')).data?.[0]).toMatchObject({ name: 'sub', id: null, metadata: null })
      expect((await bucket().list('l')).data?.[1]).toMatchObject({ id: expect.any(String), metadata: { size: 1 } })
      await Promise.all(Array.from({ length: 101 }, (_, index) => put(`many/${index}`, 'x', 'text/plain')))
      expect(await names('many')).toHaveLength(100)
      expect(await names('many', { offset: 100 })).toHaveLength(1)
    })

    it('pages, sorts and searches [API-STO-14]', async () => {
      expect(await names('l', { limit: 2, offset: 1 })).toEqual(['100_.txt', 'C.txt'])
      expect(await names('l', { sortBy: { column: 'name', order: 'desc' } })).toEqual([
        'sub',
        'b.txt',
        'a.txt',
        'C.txt',
        '100_.txt',
      ])
      expect((await names('l', { sortBy: { column: 'created_at', order: 'asc' } }))?.[1]).toBe('b.txt')
      expect(await names('l', { search: 'c' })).toEqual(['C.txt'])
      expect(await names('l', { search: '100_' })).toEqual(['100_.txt'])
      expect(await names('l', { search: '_' })).toEqual([])
    })

    it('rejects invalid options [API-STO-20]', async () => {
      for (const options of [{ limit: 0 }, { offset: -1 }, { sortBy: { column: 'owner; drop table x' } }]) {
        expect((await bucket().list('l', options)).error).toMatchObject({ statusCode: '400', code: 'InvalidRequest' })
      }
    })
  })

  describe('moving, copying, removing', () => {
    it('moves an object with its content [API-STO-12]', async () => {
      await put('m/from.bin')
      expect((await bucket().move('m/from.bin', 'm/to.bin')).data).toMatchObject({ message: 'Successfully moved' })
      expect((await bucket().download('m/from.bin')).error).toMatchObject({ statusCode: '404' })
      expect((await (await bucket().download('m/to.bin')).data?.arrayBuffer())?.byteLength).toBe(1000)
      await put('m/taken.bin')
      expect((await bucket().move('m/to.bin', 'm/taken.bin')).error).toMatchObject({ statusCode: '409' })
      expect((await bucket().move('m/none.bin', 'm/x.bin')).error).toMatchObject({ code: 'NoSuchKey' })
      expect((await bucket().move('m/to.bin', '../x.bin')).error).toMatchObject({ code: 'InvalidKey' })
    })

    it('copies an object, also to another bucket, and the copy is independent [API-STO-13]', async () => {
      await put('c/from.bin')
      expect((await bucket().copy('c/from.bin', 'c/to.bin')).data).toEqual({ path: 'files/c/to.bin' })
      await bucket().copy('c/from.bin', 'to.bin', { destinationBucket: 'open' })
      await bucket().remove(['c/from.bin'])
      expect((await (await bucket().download('c/to.bin')).data?.arrayBuffer())?.byteLength).toBe(1000)
      expect((await get('object/public/open/to.bin')).status).toBe(200)
      expect((await bucket().copy('c/to.bin', 'x.bin', { destinationBucket: 'avatars' })).error).toMatchObject({
        statusCode: '415', // the rules of a bucket also apply to copies from another one
      })
      expect((await bucket().copy('c/to.bin', 'x.bin', { destinationBucket: 'nowhere' })).error).toMatchObject({
        code: 'NoSuchBucket',
      })
    })

    it('removes existing paths and returns what it removed [API-STO-09]', async () => {
      await put('r/1.bin')
      await put('r/2.bin')
      const { data } = await bucket().remove(['r/1.bin', 'r/2.bin', 'r/none.bin'])
      expect(data?.map(({ name }) => name).sort()).toEqual(['r/1.bin', 'r/2.bin'])
      expect((await bucket().exists('r/1.bin')).data).toBe(false)
      await put('r/3.bin')
      expect(await (await get('object/files/r/3.bin', {}, 'DELETE')).json()).toEqual({
        message: 'Successfully deleted',
      })
      expect(await (await get('object/files/r/3.bin', {}, 'DELETE')).json()).toMatchObject({ code: 'NoSuchKey' })
    })
  })

  describe('buckets, as the service', () => {
    it('are created, read, changed, emptied, and deleted [API-STO-06, API-STO-07, API-STO-08]', async () => {
      const { storage } = gateway.service
      const made = await storage.createBucket('b1', {
        public: true,
        fileSizeLimit: '20MB',
        allowedMimeTypes: ['image/*'],
      })
      expect(made.data).toEqual({ name: 'b1' })
      expect((await storage.getBucket('b1')).data).toMatchObject({
        id: 'b1',
        name: 'b1',
        public: true,
        file_size_limit: 20_000_000,
        allowed_mime_types: ['image/*'],
      })
      expect((await storage.listBuckets()).data?.map(({ id }) => id)).toContain('b1')
      await storage.updateBucket('b1', { public: false, fileSizeLimit: null, allowedMimeTypes: null })
      expect((await storage.getBucket('b1')).data).toMatchObject({
        public: false,
        file_size_limit: null,
        allowed_mime_types: null,
      })
      await storage.from('b1').upload('a/b.txt', 'x')
      expect((await storage.deleteBucket('b1')).error).toMatchObject({ statusCode: '409', code: 'ResourceNotEmpty' })
      expect((await storage.emptyBucket('b1')).data).toEqual({ message: 'Successfully emptied' })
      expect((await storage.deleteBucket('b1')).data).toEqual({ message: 'Successfully deleted' })
      expect((await storage.getBucket('b1')).error).toMatchObject({ statusCode: '404', message: 'Bucket not found' })
    })

    it('reject invalid names and limits [API-STO-06, API-STO-20]', async () => {
      const { storage } = gateway.service
      expect((await storage.createBucket('files', { public: false })).error).toMatchObject({ statusCode: '409' })
      expect((await storage.createBucket('a/b', { public: false })).error).toMatchObject({ code: 'InvalidBucketName' })
      for (const options of [{ fileSizeLimit: 'huge' }, { fileSizeLimit: -1 }, { allowedMimeTypes: ['picture'] }]) {
        expect((await storage.createBucket('b2', { public: false, ...options })).error).toMatchObject({
          statusCode: '400',
        })
      }
      expect((await storage.emptyBucket('none')).error).toMatchObject({ code: 'NoSuchBucket' })
      const lost = await get('nothing/here')
      expect(lost.status).toBe(400)
      expect(await lost.json()).toMatchObject({
        statusCode: '404',
        message: expect.stringContaining('/storage/v1/nothing/here'),
      })
    })
  })
})
