import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestGateway } from '../testing/gateway.ts'
import { startOn, stores } from './testing/stores.ts'

let gateway: TestGateway
const off = { status: 400, statusCode: '409', code: 'FeatureNotEnabled' }

describe.each(stores)('files on %s', (store) => {
  beforeAll(async () => {
    gateway = await startOn(store)
    await gateway.service.storage.createBucket('files', { public: false })
    for (const name of ['a.txt', 'b/1.txt', 'b/2.txt', 'c d.txt', 'e/f/g.txt', 'z.txt']) await put(name, name)
  })
  afterAll(() => gateway?.close())

  const storage = () => gateway.service.storage
  const files = () => storage().from('files')
  const put = (name: string, body = 'x', more: object = {}) =>
    files().upload(name, body, { contentType: 'text/plain', upsert: true, ...more })
  const fresh = () => `calls/${randomBytes(4).toString('hex')}.txt`
  const without = async (call: PromiseLike<{ error: unknown }>) => expect((await call).error).toMatchObject(off)

  type Calls = Readonly<Record<string, () => Promise<unknown>>>

  /** One call for each method of the client. The test below lists the missing ones. */
  const calls: Readonly<Record<string, Calls>> = {
    'storage.from(bucket)': {
      upload: async () => expect((await put(fresh())).error).toBeNull(),
      update: async () =>
        expect((await files().update('z.txt', 'new', { contentType: 'text/plain' })).error).toBeNull(),
      uploadToSignedUrl: async () => {
        const name = fresh()
        const { data } = await files().createSignedUploadUrl(name)
        expect((await files().uploadToSignedUrl(name, data?.token ?? '', 'x')).error).toBeNull()
      },
      createSignedUploadUrl: async () =>
        expect((await files().createSignedUploadUrl(fresh(), { upsert: true })).data).toMatchObject({
          token: expect.any(String),
        }),
      move: async () => {
        const name = fresh()
        await put(name)
        const sourceVersionId = '00000000-0000-4000-8000-000000000000'
        expect((await files().move(name, fresh(), { sourceVersionId })).error).toMatchObject({ code: 'NoSuchKey' })
        expect((await files().move(name, fresh(), { destinationBucket: 'files' })).error).toBeNull()
      },
      copy: async () => {
        const [from, to] = [fresh(), fresh()]
        await put(from, 'x', { metadata: { a: 1 } })
        const metadata = { cacheControl: 'max-age=1', mimetype: 'text/csv' }
        expect((await files().copy(from, to, { copyMetadata: false, metadata })).error).toBeNull()
        expect((await files().info(to)).data).toMatchObject({
          contentType: 'text/csv',
          cacheControl: 'max-age=1',
          metadata: {},
        })
      },
      createSignedUrl: async () => {
        const { data } = await files().createSignedUrl('c d.txt', 60, { download: true, cacheNonce: '7' })
        expect(await (await fetch(data?.signedUrl ?? '')).text()).toBe('c d.txt')
        expect((await files().createSignedUrl('a.txt', 60, { versionId: 'old' })).error).toMatchObject({
          code: 'NoSuchKey',
        })
      },
      createSignedUrls: async () =>
        expect((await files().createSignedUrls(['a.txt', 'none'], 60)).data).toMatchObject([
          { error: null },
          { signedUrl: null },
        ]),
      download: async () => {
        expect(await (await files().download('a.txt')).data?.text()).toBe('a.txt')
        expect((await files().download('a.txt', { versionId: 'old' })).error).not.toBeNull()
      },
      info: async () => {
        const { data } = await files().info('a.txt')
        expect(data).toMatchObject({ name: 'a.txt', size: 5 })
        expect((await files().info('a.txt', { versionId: data?.version ?? '' })).error).toBeNull()
        expect((await files().info('a.txt', { versionId: 'old' })).error).toMatchObject({ code: 'NoSuchKey' })
      },
      exists: async () => {
        expect((await files().exists('a.txt')).data).toBe(true)
        expect((await files().exists('none')).data).toBe(false)
      },
      getPublicUrl: async () =>
        expect(files().getPublicUrl('a.txt').data.publicUrl).toMatch(/\/object\/public\/files\/a\.txt$/),
      remove: async () => {
        const [one, two] = [fresh(), fresh()]
        await put(one)
        await put(two)
        expect((await files().remove([{ path: one, versionId: 'old' }, two, 'none'])).data).toMatchObject([
          { name: two },
        ])
        const versionId = (await files().info(one)).data?.version ?? ''
        expect((await files().remove([{ path: one, versionId }])).data).toMatchObject([{ name: one }])
      },
      purgeCache: async () => {
        await without(files().purgeCache('a.txt'))
        expect((await gateway.anon.storage.from('files').purgeCache('a.txt')).error).toMatchObject({
          code: 'AccessDenied',
        })
      },
      list: async () => expect((await files().list('b')).data?.map(({ name }) => name)).toEqual(['1.txt', '2.txt']),
      listV2: async () => expect((await files().listV2({ prefix: 'b/' })).data?.objects).toHaveLength(2),
      throwOnError: async () =>
        expect(files().throwOnError().info('none')).rejects.toMatchObject({ code: 'NoSuchKey' }),
      setHeader: async () => expect((await files().setHeader('x-test', '1').exists('a.txt')).data).toBe(true),
    },
    storage: {
      listBuckets: async () => {
        const { data } = await storage().listBuckets({ limit: 2, sortColumn: 'name', sortOrder: 'desc', search: 'e' })
        expect(data?.map(({ name }) => name)).toEqual(['verification', 'stories'])
      },
      getBucket: async () => expect((await storage().getBucket('files')).data).toMatchObject({ id: 'files' }),
      createBucket: async () => {
        expect((await storage().createBucket('made')).data).toEqual({ name: 'made' })
        await without(storage().createBucket('lake', { public: false, type: 'ANALYTICS' }))
        await without(storage().createBucket('old', { public: false, versioningStatus: 'ENABLED' }))
      },
      updateBucket: async () => expect((await storage().updateBucket('made', { public: true })).error).toBeNull(),
      emptyBucket: async () => expect((await storage().emptyBucket('made')).error).toBeNull(),
      deleteBucket: async () => expect((await storage().deleteBucket('made')).error).toBeNull(),
      getBucketLifecycle: () => without(storage().getBucketLifecycle('files')),
      updateBucketLifecycle: () => without(storage().updateBucketLifecycle('files', {} as never)),
      deleteBucketLifecycle: () => without(storage().deleteBucketLifecycle('files')),
      purgeBucketCache: () => without(storage().purgeBucketCache('files')),
      from: async () => expect(files().getPublicUrl('a').data.publicUrl).toMatch(/\/object\/public\/files\/a$/),
      throwOnError: async () =>
        expect(
          gateway.client(gateway.secrets.serviceRoleKey).storage.throwOnError().getBucket('none'),
        ).rejects.toMatchObject({ code: 'NoSuchBucket' }),
      setHeader: async () =>
        expect(
          (await gateway.client(gateway.secrets.serviceRoleKey).storage.setHeader('x-test', '1').listBuckets()).error,
        ).toBeNull(),
    },
    'storage.analytics': {
      createBucket: () => without(storage().analytics.createBucket('lake')),
      listBuckets: () => without(storage().analytics.listBuckets()),
      deleteBucket: () => without(storage().analytics.deleteBucket('lake')),
      from: async () => {
        const { error } = await storage().analytics.from('lake').listNamespaces()
        expect(error).toMatchObject({ status: 400 })
      },
      throwOnError: async () => expect(storage().analytics.throwOnError().listBuckets()).rejects.toMatchObject(off),
      setHeader: () => without(storage().analytics.setHeader('x-test', '1').listBuckets()),
    },
    'storage.vectors': {
      createBucket: () => without(storage().vectors.createBucket('v')),
      getBucket: () => without(storage().vectors.getBucket('v')),
      listBuckets: () => without(storage().vectors.listBuckets()),
      deleteBucket: () => without(storage().vectors.deleteBucket('v')),
      from: () => without(storage().vectors.from('v').listIndexes()),
      throwOnError: async () => expect(storage().vectors.throwOnError().listBuckets()).rejects.toMatchObject(off),
      setHeader: () => without(storage().vectors.setHeader('x-test', '1').listBuckets()),
    },
  }

  /** All methods of the client's objects, inherited ones included. */
  function methodsOf(client: object): string[] {
    const names = new Set<string>()
    for (let one = client; one !== Object.prototype; one = Object.getPrototypeOf(one) as object) {
      for (const name of Object.getOwnPropertyNames(one)) {
        const { value } = Object.getOwnPropertyDescriptor(one, name) ?? {}
        // The client's own helpers, which are private in its types.
        const isHelper =
          name === 'constructor' ||
          /^_|^(uploadOrUpdate|handleOperation|encodeMetadata|toBase64|bucketLifecycleUrl)$|Query|FormData/.test(name)
        if (typeof value === 'function' && !isHelper && name !== 'fetch') names.add(name)
      }
    }
    return [...names].toSorted()
  }

  describe('the official client [API-STO-06, API-STO-07, API-STO-08, API-STO-09, API-STO-16]', () => {
    it('has no method that is missing here', () => {
      const clients = {
        'storage.from(bucket)': files(),
        storage: storage(),
        'storage.analytics': storage().analytics,
        'storage.vectors': storage().vectors,
      }
      for (const [name, client] of Object.entries(clients)) {
        expect(methodsOf(client), name).toEqual(Object.keys(calls[name] ?? {}).toSorted())
      }
    })

    for (const [name, methods] of Object.entries(calls)) {
      it.each(Object.entries(methods))(`gets an answer to ${name}.%s`, async (_, call) => {
        await call()
      })
    }
  })

  describe('a list by cursor [API-STO-15]', () => {
    async function pages(options: object) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const { data, error } = await files().listV2({ limit: 2, ...options, ...(cursor && { cursor }) })
        expect(error).toBeNull()
        // Folders and files come in separate lists; together they are in order.
        found.push(...[...(data?.folders ?? []), ...(data?.objects ?? [])].map(({ name }) => name))
        cursor = data?.nextCursor
        expect(data?.hasNext).toBe(cursor !== undefined)
      } while (cursor)
      return found.filter((name) => !name.startsWith('calls/'))
    }
    const flat = ['a.txt', 'b/1.txt', 'b/2.txt', 'c d.txt', 'e/f/g.txt', 'z.txt']

    it('lists each path once, flat and by folder, in each order [API-STO-15]', async () => {
      expect(await pages({})).toEqual(flat)
      expect(await pages({ sortBy: { column: 'name', order: 'desc' } })).toEqual(flat.toReversed())
      const level = ['a.txt', 'b/', 'c d.txt', 'e/', 'z.txt']
      expect((await pages({ with_delimiter: true })).toSorted()).toEqual(level)
      expect((await pages({ with_delimiter: true, sortBy: { column: 'name', order: 'desc' } })).toSorted()).toEqual(
        level,
      )
      expect(await pages({ prefix: 'e/', with_delimiter: true })).toEqual(['e/f/'])
      await gateway.query(`update storage.objects set created_at = now() - interval '1 day' where name = 'z.txt'`)
      const byTime = await pages({ sortBy: { column: 'created_at', order: 'asc' } })
      expect(byTime[0]).toBe('z.txt')
      expect(byTime.toSorted()).toEqual(flat)
      expect(
        (await pages({ with_delimiter: true, sortBy: { column: 'created_at', order: 'desc' } })).toSorted(),
      ).toEqual(level)
      expect(await pages({ prefix: 'b/1.txt', exactMatch: true })).toEqual(['b/1.txt'])
      expect(await pages({ prefix: 'b/', exactMatch: true })).toEqual([])
    })

    it('hides what the viewer may not read, and rejects an invalid cursor', async () => {
      const { data } = await gateway.anon.storage.from('files').listV2({ with_delimiter: true })
      expect(data).toEqual({ hasNext: false, folders: [], objects: [] })
      for (const cursor of ['nonsense', Buffer.from('{"name":1}').toString('base64url')]) {
        expect((await files().listV2({ cursor })).error).toMatchObject({ statusCode: '400' })
      }
      expect((await files().listV2({ limit: 1001 })).error).toMatchObject({ statusCode: '400' })
    })

    it('costs as little in a large folder as in a small one', async () => {
      await gateway.query(`insert into storage.objects (bucket_id, name, version)
      select 'files', 'many/' || lpad(n::text, 6, '0'), gen_random_uuid()::text from generate_series(1, 20000) n`)
      const plan = await gateway.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
        `explain (analyze, buffers, format json) select * from storage.list_by_name('files', '', true, null, false, 100)`,
      )
      expect(plan[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(2000)
      await gateway.query(`delete from storage.objects where name like 'many/%'`)
    })
  })
})
