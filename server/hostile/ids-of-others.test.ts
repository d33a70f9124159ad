import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functions } from '../functions/all-functions.ts'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { onePixel } from '../testing/one-pixel.ts'

/**
 * An attacker with an ordinary account, and without one, tries every table, function, and file with the ids of other users.
 * Whatever the answers: afterwards each row that names the victims, and not the attacker, is unchanged.
 */
let shop: Shop
let creator: Person
let fan: Person
let attacker: Person
let stolen: Stolen

type Row = Record<string, unknown>
type Stolen = {
  /** Rows of each relation that rest/v1 serves, as the database has them. */
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Every id in one of these rows. */
  readonly ids: readonly string[]
}

beforeAll(async () => {
  // A rate limit would answer before the permission is checked.
  shop = await buildShop({ env: { API_LIMIT_PROMOTION_CODES: '1000000' } })
  const { gateway } = shop
  creator = await shop.buildCreator()
  fan = await gateway.signUp()
  attacker = await gateway.signUp()
  const plan = await shop.buildPlan(creator)
  await subscribe(fan, plan)
  const paid = await buildPaidPost(creator)
  await buildPaidPost(creator, { post_type: 'subscription', ppv_price: null, required_tier_id: plan.id })
  const open = await buildPaidPost(creator, { post_type: 'free', ppv_price: null })
  await shop.settled()
  const write = (table: string, row: Row, who = fan) => who.client.from(table).insert(row).throwOnError()
  await write('post_likes', { user_id: fan.profileId, post_id: open })
  await write('comments', { user_id: fan.profileId, post_id: open, content: 'Lovely' })
  await write('messages', { sender_id: fan.profileId, recipient_id: creator.profileId, content: 'Between us' })
  const paidWords = { content: 'For a price', is_paid: true, price: 300 }
  await write('messages', { sender_id: creator.profileId, recipient_id: fan.profileId, ...paidWords }, creator)
  await write('reports', { reporter_id: fan.profileId, target_type: 'post', target_id: paid, reason: 'spam' })
  await write('bookmarks', { user_id: fan.profileId, post_id: open })
  await write('blocks', { blocker_id: fan.profileId, blocked_id: (await gateway.signUp()).profileId })
  const request = { name: 'Fan', email: fan.email, subject: 'Help', message: "I can't find my receipt." }
  await write('support_requests', { user_id: fan.userId, ...request })
  await write(
    'session_offers',
    { creator_id: creator.profileId, title: 'A talk', duration_minutes: 30, price_cents: 2000 },
    creator,
  )
  const later = new Date(Date.now() + 86_400_000).toISOString()
  await write('scheduled_posts', { creator_id: creator.profileId, content: 'Tomorrow', publish_at: later }, creator)
  await creator.client.storage
    .from('avatars')
    .upload(`${creator.userId}/me.png`, onePixel, { contentType: 'image/png' })
  for (const name of ['a.png', 'b.png'])
    await creator.client.storage
      .from('posts')
      .upload(`${creator.userId}/${name}`, onePixel, { contentType: 'image/png' })
  stolen = await steal()
}, 120_000)
afterAll(() => shop?.close())

const named = (people: readonly Person[]) => people.flatMap(({ userId, profileId }) => [userId, profileId]).join('|')

/** The relations of rest/v1, and their rows about the two. */
async function steal(): Promise<Stolen> {
  const { gateway } = shop
  const relations = await gateway.query<{ name: string; columns: Record<string, string> }>(`
    select c.relname as name, jsonb_object_agg(a.attname, format_type(a.atttypid, null)) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'p') group by c.relname order by c.relname`)
  const rows = new Map<string, Row[]>()
  for (const { name } of relations) {
    // Behind a view with each user's own rows is the table of the same name.
    const [kept] = await gateway.query(
      `select from pg_class where oid = to_regclass('private."${name}"') and relkind = 'r'`,
    )
    const found = await gateway.query<{ row: Row }>(
      `select to_jsonb(t) as row from ${kept ? 'private' : 'public'}."${name}" t where t::text ~ $1 order by t::text limit 2`,
      [named([creator, fan])],
    )
    rows.set(
      name,
      found.map(({ row }) => row),
    )
  }
  const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f]{8}-[\da-f-]{27}$/.test(value)
  const ids = [...new Set([...rows.values()].flat().flatMap((row) => Object.values(row).filter(isId)))]
  const columns = new Map(relations.map((relation) => [relation.name, new Map(Object.entries(relation.columns))]))
  return { rows, columns, ids: ids.filter((id) => id !== attacker.profileId && id !== attacker.userId) }
}

/** Each row, in any table, that names the two and not the attacker. */
async function theirs(): Promise<Record<string, string[]>> {
  const tables = await shop.gateway.query<{ name: string }>(`
    select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
    -- Profile views, checkouts, and follows are counted, a failed impersonation is logged, and emails are sent by the clock.
    where oid not in ('private.daily_views'::regclass, 'private.weekly_popularity'::regclass, 'auth.audit_log_entries'::regclass,
        'private.payment_emails'::regclass, 'private.funnel_events'::regclass, 'private.funnel_quarters'::regclass)
      and relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
      and relkind in ('r', 'p') and not relispartition order by 1`)
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await shop.gateway.query<{ row: string }>(
      `select t::text as row from ${name} t where t::text ~ $1 and t::text !~ $2 order by 1`,
      [named([creator, fan]), named([attacker])],
    )
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}

type Answer = { readonly what: string; readonly status: number; readonly body: string }

async function ask(
  who: Person | undefined,
  path: string,
  method: string,
  body?: unknown,
  headers = {},
): Promise<Answer> {
  const { gateway } = shop
  const { data } = who ? await who.client.auth.getSession() : { data: { session: null } }
  const answer = await fetch(`${gateway.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: gateway.secrets.anonKey,
      authorization: `Bearer ${data.session?.access_token ?? gateway.secrets.anonKey}`,
      ...(body !== undefined && !(body instanceof Buffer) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  return { what: `${method} ${path} as ${who ? 'a fan' : 'nobody'}`, status: answer.status, body: await answer.text() }
}

/** Runs the attack with and without an account. @returns the answers, after a check that nothing of the victims' has changed. */
async function attack(run: (who: Person | undefined) => Promise<readonly Answer[]>): Promise<readonly Answer[]> {
  const before = await theirs()
  const answers = [...(await run(attacker)), ...(await run(undefined))]
  // No answer is a server error, and none comes from a rate limit.
  expect(answers.filter(({ status }) => status >= 500 || status === 429)).toEqual([])
  await shop.settled()
  expect(await theirs()).toEqual(before)
  return answers
}

/** Another value than the current one. */
function other(type: string, value: unknown): unknown {
  if (type === 'uuid') return attacker.profileId
  if (type === 'boolean') return value !== true
  if (/^(numeric|integer|bigint|smallint|double)/.test(type)) return 7
  if (/^timestamp|^date/.test(type)) return '2099-01-01'
  if (type.endsWith('[]')) return []
  if (type.startsWith('json')) return {}
  return value === 'pwned' ? 'owned' : 'pwned'
}

describe('with the ids of others', () => {
  it('no column of their rows can be changed, and no row removed, replaced, or created in their name', async () => {
    expect([...stolen.rows.values()].flat().length).toBeGreaterThan(20)
    await attack(async (who) => {
      const answers: Answer[] = []
      for (const [name, rows] of stolen.rows)
        for (const row of rows) {
          const keys =
            'id' in row ? ['id'] : Object.keys(row).filter((key) => stolen.columns.get(name)?.get(key) === 'uuid')
          const filter = keys.map((key) => `${key}=eq.${row[key]}`).join('&')
          const path = `/rest/v1/${name}`
          for (const [column, type] of stolen.columns.get(name) ?? [])
            answers.push(await ask(who, `${path}?${filter}`, 'PATCH', { [column]: other(type, row[column]) }))
          answers.push(await ask(who, path, 'POST', { ...row, ...('id' in row && { id: randomUUID() }) }))
          answers.push(await ask(who, path, 'POST', row, { prefer: 'resolution=merge-duplicates' }))
          answers.push(await ask(who, `${path}?${filter}`, 'PUT', row))
          answers.push(await ask(who, `${path}?${filter}`, 'DELETE'))
        }
      return answers
    })
  }, 300_000)

  it('no function of the database acts for them', async () => {
    const listed = await ask(attacker, '/rest/v1/', 'GET')
    const paths = Object.entries((JSON.parse(listed.body) as { paths: Record<string, OpenApiPath> }).paths)
    const called = paths.filter(([path]) => path.startsWith('/rpc/'))
    expect(called.length).toBeGreaterThan(30)
    await attack(async (who) => {
      const answers: Answer[] = []
      for (const [path, { post }] of called) {
        const parameters = post?.parameters?.find((one) => one.in === 'body')?.schema?.properties ?? {}
        const takesId = Object.values(parameters).some(({ format }) => format === 'uuid')
        const callFor = (id: string) => {
          const body = Object.fromEntries(Object.entries(parameters).map(([name, about]) => [name, guess(about, id)]))
          return ask(who, `/rest/v1${path}`, 'POST', body)
        }
        answers.push(...(await Promise.all((takesId ? stolen.ids : [creator.profileId]).map(callFor))))
      }
      return answers
    })
  }, 300_000)

  it('no server function acts for them', async () => {
    await attack(async (who) => {
      const answers: Answer[] = []
      for (const { name } of functions) {
        const callFor = (id: string) =>
          ask(who, `/functions/v1/${name}`, 'POST', {
            ...Object.fromEntries(idFields.map((field) => [field, id])),
            kind: 'refund',
            reason: 'Because',
            email: 'attacker@example.com',
            newEmail: 'attacker@example.com',
            name: 'Pwned',
            code: 'PWNED',
          })
        answers.push(...(await Promise.all(stolen.ids.map(callFor))))
      }
      return answers
    })
    const { data: running } = await shop.stripe.subscriptions.list({ status: 'active' })
    expect(running).toHaveLength(1)
    expect(running[0]?.cancel_at_period_end).toBe(false)
  }, 300_000)

  it('no file of theirs can be changed, moved, removed, or put into their folder', async () => {
    const files = await shop.gateway.query<{ bucket: string; name: string }>(
      'select bucket_id as bucket, name from storage.objects order by name',
    )
    expect(files.length).toBeGreaterThan(1)
    await attack(async (who) => {
      const answers: Answer[] = []
      const type = { 'content-type': 'image/png' }
      for (const { bucket, name } of files) {
        const object = `/storage/v1/object/${bucket}/${name}`
        const mine = { bucketId: bucket, sourceKey: name, destinationKey: `${attacker.userId}/taken.png` }
        for (const [path, method, body, headers] of [
          [object, 'POST', onePixel, { ...type, 'x-upsert': 'true' }],
          [object, 'PUT', onePixel, type],
          [`/storage/v1/object/${bucket}/${name}.html`, 'POST', onePixel, type],
          [`/storage/v1/object/upload/sign/${bucket}/${name}`, 'POST', undefined, { 'x-upsert': 'true' }],
          ['/storage/v1/object/move', 'POST', mine, {}],
          ['/storage/v1/object/move', 'POST', { ...mine, sourceKey: `${attacker.userId}/../${name}` }, {}],
          [object, 'DELETE', undefined, {}],
          [`/storage/v1/object/${bucket}`, 'DELETE', { prefixes: [name] }, {}],
          [`/storage/v1/bucket/${bucket}`, 'PUT', { public: true }, {}],
          [`/storage/v1/bucket/${bucket}/empty`, 'POST', undefined, {}],
          [`/storage/v1/bucket/${bucket}`, 'DELETE', undefined, {}],
        ] as const)
          answers.push(await ask(who, path, method, body, headers))
      }
      // The answer to a list of files to remove is the removed ones.
      expect(answers.filter(({ status, body }) => status < 300 && body !== '[]')).toEqual([])
      return answers
    })
  })

  it('no account of theirs can be read, changed, linked, or deleted', async () => {
    const answers = await attack(async (who) => {
      const id = creator.userId
      const admin = `/auth/v1/admin/users/${id}`
      return Promise.all([
        ask(who, '/auth/v1/admin/users', 'GET'),
        ask(who, '/auth/v1/admin/users', 'POST', { email: 'new@example.com', email_confirm: true }),
        ask(who, admin, 'GET'),
        ask(who, admin, 'PUT', { password: 'a new password of mine' }),
        ask(who, admin, 'DELETE'),
        ask(who, `${admin}/factors`, 'GET'),
        ask(who, '/auth/v1/admin/generate_link', 'POST', { type: 'magiclink', email: creator.email }),
        ask(who, '/auth/v1/invite', 'POST', { email: 'new@example.com' }),
        ask(who, `/auth/v1/factors/${randomUUID()}`, 'DELETE'),
        ask(who, `/auth/v1/user/identities/${id}`, 'DELETE'),
        ask(who, '/auth/v1/verify', 'POST', { type: 'recovery', email: creator.email, token: '000000' }),
      ])
    })
    expect(answers.filter(({ status }) => status < 400)).toEqual([])
  })
})

type OpenApiParameter = { readonly type?: string; readonly format?: string }
type OpenApiPath = {
  readonly post?: {
    readonly parameters?: readonly { in?: string; schema?: { properties?: Record<string, OpenApiParameter> } }[]
  }
}

/** A value of the parameter's type, an id where one is needed. */
function guess({ type, format = '' }: OpenApiParameter, id: string): unknown {
  if (format === 'uuid') return id
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (type === 'array') return format.startsWith('uuid') ? [id] : []
  if (format.startsWith('timestamp') || format === 'date') return '2026-01-01'
  if (format.startsWith('json')) return {}
  return 'free'
}

/** Every parameter of a server function that names a user, or something of theirs. */
const idFields = [
  'userId',
  'user_id',
  'profileId',
  'creatorId',
  'postId',
  'productId',
  'product_id',
  'targetId',
  'id',
  'transactionId',
  'subscriptionId',
  'sessionId',
  'session_id',
  'bookingId',
  'attemptId',
  'jobId',
  'sellerAccountId',
  'accountId',
  'paymentMethodId',
  'cardId',
  'state',
]

describe('with an account of its own', () => {
  it('nobody becomes another user by claiming to be one', async () => {
    const claims = { role: 'service_role', is_admin: true, is_verified: true, is_creator: true, email_verified: true }
    const { gateway } = shop
    const answer = await ask(undefined, '/auth/v1/signup', 'POST', {
      email: 'mass@example.com',
      password: 'correct horse battery',
      data: { username: 'mass', display_name: 'Mass', terms_accepted: true, ...claims },
      app_metadata: { role: 'admin' },
      ...claims,
    })
    expect(answer.status).toBe(200)
    await ask(attacker, '/auth/v1/user', 'PUT', {
      data: claims,
      app_metadata: { role: 'admin', provider: 'x' },
      aud: 'admin',
      is_super_admin: true,
      email_confirmed_at: '2020-01-01',
      banned_until: null,
      ...claims,
    })
    const people = await gateway.query(
      `select u.role, u.aud, u.is_super_admin, u.raw_app_meta_data - 'provider' - 'providers' as app, p.is_verified,
         exists (select from public.user_roles r where r.user_id = u.id and r.role::text = 'admin') as is_admin
       from auth.users u join private.profiles p on p.user_id = u.id where u.email = any($1)`,
      [['mass@example.com', attacker.email]],
    )
    const plain = { role: 'authenticated', aud: 'authenticated', app: {}, is_verified: false, is_admin: false }
    expect(people).toEqual([plain, plain].map((one) => expect.objectContaining(one)))
  })

  it('a repeated parameter opens nothing', async () => {
    const { data } = await creator.client.storage.from('posts').createSignedUrl(`${creator.userId}/a.png`, 60)
    const token = new URL(data?.signedUrl ?? '').searchParams.get('token')
    const other = `/storage/v1/object/sign/posts/${creator.userId}/b.png`
    expect((await fetch(data?.signedUrl ?? '')).status).toBe(200) // it opens the file that it is for
    const answers = await attack(async (who) =>
      Promise.all([
        ask(who, `${other}?token=${token}`, 'GET'),
        ask(who, `${other}?token=${token}&token=${token}`, 'GET'),
        ask(who, `${other}?token=x&token=${token}`, 'GET'),
        ask(who, `/auth/v1/verify?type=signup&type=recovery&token=a&token=b&email=${creator.email}`, 'GET'),
      ]),
    )
    const files = answers.filter(({ what }) => what.includes('/storage/'))
    expect(files.filter(({ status }) => status < 400)).toEqual([])
    const messages = `/rest/v1/messages?select=id,content&sender_id=eq.${fan.profileId}&sender_id=eq.${attacker.profileId}`
    expect((await ask(attacker, messages, 'GET')).body).toBe('[]')
  })

  it('a polyglot file is rejected, or shown as its declared type and never run', async () => {
    const { client, userId } = attacker
    const page = '<html><script>alert(1)</script></html>'
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    const gif = Buffer.concat([
      Buffer.from('GIF89a/*\x01\x00\x01\x00', 'latin1'),
      Buffer.from(`*/=1;alert(1)//${page}`),
    ])
    const files: [string, Buffer | string, string][] = [
      ['page.jpg', page, 'image/jpeg'],
      ['page.html', page, 'text/html'],
      ['drawing.svg', svg, 'image/svg+xml'],
      ['drawing.png', svg, 'image/png'],
      ['script.gif', gif, 'image/gif'],
      ['picture.html', onePixel, 'text/html'],
      ['picture.png.js', Buffer.concat([onePixel, Buffer.from(page)]), 'text/javascript'],
      ['picture.png', Buffer.concat([onePixel, Buffer.from(page)]), 'image/png'],
    ]
    const taken: string[] = []
    for (const [name, body, contentType] of files)
      for (const bucket of ['avatars', 'banners', 'covers']) {
        const { data } = await client.storage.from(bucket).upload(`${userId}/${name}`, body, { contentType })
        if (!data) continue
        taken.push(`${bucket}/${name}`)
        const answer = await fetch(client.storage.from(bucket).getPublicUrl(data.path).data.publicUrl)
        expect(answer.headers.get('content-type'), name).toMatch(/^image\/(png|jpeg|gif|webp|avif)$/)
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
        expect(Buffer.from(await answer.arrayBuffer()).includes('<script')).toBe(false)
      }
    expect(taken).toEqual(['avatars/picture.png', 'banners/picture.png', 'covers/picture.png'])
  })

  it('no answer redirects to an address that the attacker chose', async () => {
    const evil = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      'https://127.0.0.1@evil.example',
    ]
    for (const address of evil) {
      const to = encodeURIComponent(address)
      const answers = [
        await ask(undefined, `/auth/v1/verify?type=signup&token=nothing&redirect_to=${to}`, 'GET'),
        await ask(undefined, `/auth/v1/authorize?provider=google&redirect_to=${to}`, 'GET'),
        await ask(undefined, '/auth/v1/sso', 'POST', { domain: 'evil.example', redirect_to: address }),
        await ask(attacker, '/functions/v1/create-portal-session', 'POST', { origin: address, returnUrl: address }),
        await ask(attacker, '/functions/v1/create-onboarding-link', 'POST', { origin: address, return_url: address }),
        await ask(attacker, '/functions/v1/create-stripe-connect-url', 'POST', {
          origin: address,
          redirect_uri: address,
        }),
      ]
      for (const { what, status, body } of answers) {
        expect(status, what).toBeLessThan(500)
        expect(body, what).not.toMatch(/"url":"[^"]*evil\.example/)
      }
      const verified = await fetch(`${shop.gateway.url}/auth/v1/verify?type=signup&token=no&redirect_to=${to}`, {
        redirect: 'manual',
      })
      expect(verified.headers.get('location') ?? '', address).not.toContain('evil.example')
      expect(verified.headers.get('location') ?? '', address).not.toMatch(/^javascript/)
    }
  })
})
