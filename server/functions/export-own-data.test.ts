import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { strFromU8, Unzip, UnzipInflate, unzipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refusalOf } from '../payments/testing/shop.ts'
import { anonymous } from '../postgres/caller.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { readLink, signLink } from './signed-link.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const picture = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()

describe('export-own-data', () => {
  it("links to a copy of your own data, and nobody else's [STAT-03, API-FN-15]", async () => {
    const person = await gateway.signUp()
    const other = await gateway.signUp()
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const response = await fetch(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="my-data.zip"')
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    expect(Object.keys(files)).toEqual(['my-data.json', 'message-authors.jsonl'])
    const text = strFromU8(files['my-data.json'] ?? new Uint8Array())
    expect(JSON.parse(text)).toMatchObject({
      account: { id: person.userId, email: person.email },
      profile: { id: person.profileId, username: person.username },
    })
    expect(text).not.toContain(other.email)
  })

  it('contains every file that the user uploaded, unchanged [STAT-03]', async () => {
    const [person, other] = [await gateway.signUp(), await gateway.signUp()]
    const avatar = await picture('#a33')
    for (const { client, userId } of [person, other])
      await client.storage.from('avatars').upload(`${userId}/avatar.png`, avatar, { contentType: 'image/png' })
    const name = `${person.userId}/avatar.png`
    const { data: stored } = await person.client.storage.from('avatars').download(name)
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const files = unzipSync(new Uint8Array(await (await fetch(url)).arrayBuffer()))
    expect(Object.keys(files).toSorted()).toEqual([`files/avatars/${name}`, 'message-authors.jsonl', 'my-data.json'])
    expect(files[`files/avatars/${name}`]).toEqual(new Uint8Array((await stored?.arrayBuffer()) ?? []))
  })

  it('keeps scripts, formulas, and file names harmless: text, and entries below `files/` [STAT-03, GEN-35]', async () => {
    const hostile = `=1+1"}],\n</script><script>alert(1)</script>\u2028\u202E${'\\'}`
    const person = await gateway.signUp({ data: { display_name: '=HYPERLINK("x")' } })
    const other = await gateway.signUp({ data: { display_name: '<img src=x onerror=alert(1)>' } })
    const { client, userId, profileId } = person
    await client.from('profiles').update({ bio: hostile }).eq('id', profileId).throwOnError()
    await client.from('follows').insert({ follower_id: profileId, following_id: other.profileId }).throwOnError()
    await client
      .from('support_requests')
      .insert({ user_id: userId, name: '<b>', email: person.email, subject: hostile, message: hostile })
      .throwOnError()
    await client
      .from('reports')
      .insert({
        reporter_id: profileId,
        target_type: 'profile',
        target_id: other.profileId,
        reason: 'spam',
        details: hostile,
      })
      .throwOnError()
    await other.client
      .from('messages')
      .insert({ sender_id: other.profileId, recipient_id: profileId, content: hostile })
      .throwOnError()
    // Names that a row can have, whether or not an upload would be allowed to use them.
    await client.storage.from('avatars').upload(`${userId}/a.png`, await picture('#33a'), { contentType: 'image/png' })
    const names = ['../../.bashrc', '..\\..\\evil.bat', '/etc/passwd', './x', '__proto__', 'constructor']
    for (const name of names)
      await gateway.query(
        `insert into storage.objects (bucket_id, name, owner_id, version, metadata)
         select bucket_id, $1, owner_id, version, metadata from storage.objects where name = $2`,
        [`${userId}/${name}`, `${userId}/a.png`],
      )
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const files = unzipSync(new Uint8Array(await (await fetch(url)).arrayBuffer()))
    const text = strFromU8(files['my-data.json'] ?? new Uint8Array())
    const data = JSON.parse(text) as {
      profile: unknown
      messages: unknown[]
      support_requests: unknown[]
      reports: unknown[]
    }
    expect(data.profile).toMatchObject({ bio: hostile, display_name: '=HYPERLINK("x")' })
    expect(data.messages).toMatchObject([{ content: hostile }])
    expect(data.support_requests).toMatchObject([{ name: '<b>', subject: hostile, message: hostile }])
    expect(data.reports).toMatchObject([{ details: hostile }])
    const folder = `files/avatars/${userId}`
    expect(Object.keys(files).toSorted()).toEqual(
      [
        'my-data.json',
        'message-authors.jsonl',
        `${folder}/a.png`,
        `${folder}/_/_/.bashrc`,
        `${folder}/.._.._evil.bat`,
        `${folder}/_/etc/passwd`,
        `${folder}/_/x`,
        `${folder}/__proto__`,
        `${folder}/constructor`,
      ].toSorted(),
    )
  })

  it('is complete even if it takes many pages, and contains every section [STAT-03]', async () => {
    const person = await gateway.signUp()
    await gateway.query(
      `insert into public.notifications (user_id, type, title) select $1, 'message', 'Title ' || n from generate_series(1, 1234) n`,
      [person.profileId],
    )
    await gateway.query(
      `insert into private.promotion_codes (creator_id, code, percent_off, duration, stripe_coupon_id, stripe_promotion_id)
       values ($1, 'SUMMER', 20, 'once', 'co_copy', 'promo_copy')`,
      [person.profileId],
    )
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const files = unzipSync(new Uint8Array(await (await fetch(url)).arrayBuffer()))
    const data = JSON.parse(strFromU8(files['my-data.json'] ?? new Uint8Array())) as Record<string, unknown[]>
    const titles = (data.notifications as { title: string }[]).map(({ title }) => title)
    expect(titles.toSorted()).toEqual(Array.from({ length: 1234 }, (_, n) => `Title ${n + 1}`).toSorted())
    expect(data).toMatchObject({ files: [], posts: [], promotion_codes: [{ code: 'SUMMER' }], statement: [] })
    expect(data).not.toHaveProperty('sections')
  })

  it('closes the database cursor if the client of a long copy disconnects', async () => {
    const person = await gateway.signUp()
    // About 12 MB compressed: more than a socket buffers.
    await gateway.query('alter table public.notifications alter column message set storage external')
    await gateway.query(
      `insert into public.notifications (user_id, type, title, message)
       select $1, 'message', 'Long', (select string_agg(encode(sha512((n || '-' || m)::bytea), 'base64'), '') from generate_series(1, 200) m)
       from generate_series(1, 1500) n`,
      [person.profileId],
    )
    const readings = async () => {
      const [row] = await gateway.query<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity where application_name = 'ovation reading' and datname = current_database()`,
      )
      return row?.open
    }
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const copy = await fetch(url)
    expect(await readings()).toBe(1)
    await copy.body?.cancel()
    await expect.poll(readings, { timeout: 10_000 }).toBe(0)
  })

  it('is limited to four at a time: a fifth request gets "try again later"', async () => {
    const person = await gateway.signUp()
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const { database } = gateway.services
    const readings = await Promise.all(Array.from({ length: 4 }, () => database.read(anonymous)))
    const refused = await fetch(url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    // PostgreSQL does this to a client that reads nothing for a minute: it frees the connection, though the client hasn't closed anything.
    await gateway.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'ovation reading' and datname = current_database()`,
    )
    await expect.poll(async () => (await fetch(url)).status, { timeout: 10_000 }).toBe(200)
    await Promise.all(readings.map((reading) => reading.close()))
    expect((await fetch(url)).status).toBe(200)
  })

  it("aborts if a file can't be read: an incomplete copy must not look complete", async () => {
    const person = await gateway.signUp()
    const path = `${person.userId}/avatar.png`
    await person.client.storage.from('avatars').upload(path, await picture('#3a3'), { contentType: 'image/png' })
    await gateway.query('update storage.objects set version = gen_random_uuid() where name = $1', [path])
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    await expect(fetch(url).then((response) => response.arrayBuffer())).rejects.toThrow()
  })

  it("doesn't open with a forged, changed, or missing link, or for a visitor", async () => {
    const [person, other] = [await gateway.signUp(), await gateway.signUp()]
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    for (const wrong of [url.replace(person.userId, other.userId), `${url}x`, url.split('?')[0] ?? '']) {
      const response = await fetch(wrong)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 'export_link_expired' })
    }
    expect(await refusalOf({ client: gateway.anon }, 'export-own-data')).toMatchObject({ status: 401 })
  })

  it('opens for ten minutes', () => {
    const userId = crypto.randomUUID()
    const link = signLink('secret', 'data export link', userId, 0)
    expect(readLink('secret', 'data export link', link, 599_000)).toBe(userId)
    expect(readLink('secret', 'data export link', link, 600_000)).toBeUndefined()
    expect(readLink('another', 'data export link', link, 0)).toBeUndefined()
  })

  it('links to this site, whatever host a caller names [GEN-35]', async () => {
    const person = await gateway.signUp()
    const { data } = await person.client.auth.getSession()
    const { port } = new URL(gateway.url)
    const originFor = async (host: string) => {
      const sent = request(`${gateway.url}/functions/v1/export-own-data`, {
        method: 'POST',
        headers: { host, authorization: `Bearer ${data.session?.access_token}` },
      }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      return new URL((JSON.parse(await text(answer)) as { url: string }).url).origin
    }
    expect(await originFor('evil.example.com')).toBe(gateway.url)
    expect(await originFor('localhost.evil.example.com')).toBe(gateway.url)
    expect(await originFor(`localhost:${port}`)).toBe(`http://localhost:${port}`)
  })
})

describe('the record of authors in the copy', () => {
  const script = fileURLToPath(new URL('../../scripts/verify-statement.ts', import.meta.url))
  const verify = (record: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'record-'))
    const file = join(folder, 'message-authors.jsonl')
    writeFileSync(file, record)
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    return { status, text: stdout + stderr }
  }
  const recordOf = async (person: Person) => {
    const { url } = await call<{ url: string }>(person, 'export-own-data')
    const files = unzipSync(new Uint8Array(await (await fetch(url)).arrayBuffer()))
    return strFromU8(files['message-authors.jsonl'] ?? new Uint8Array())
  }
  const send = ({ client, profileId }: Person, recipient: Person, content: string) =>
    client
      .from('messages')
      .insert({ sender_id: profileId, recipient_id: recipient.profileId, content })
      .select('id')
      .single()
      .throwOnError()

  let writer: Person
  let reader: Person
  beforeAll(async () => {
    ;[writer, reader] = [await gateway.signUp(), await gateway.signUp()]
    const third = await gateway.signUp()
    await send(writer, reader, 'A first\nmessage | with “words” 🎭')
    await send(reader, writer, 'An answer')
    await gateway.query(
      `insert into private.messages (sender_id, recipient_id, body, author_kind, author_name, author_id)
       values ($1, $2, 'Welcome', 'automation', 'Welcome flow', gen_random_uuid()), ($1, $2, 'Hi there', 'team', 'Ada', gen_random_uuid())`,
      [writer.profileId, reader.profileId],
    )
    const { data: slip } = await send(writer, reader, 'A slip')
    await writer.client.rpc('unsend_message', { message_id: slip?.id ?? '' }).throwOnError()
    await send(third, writer, 'Hello')
  })

  it("is verified offline, from either user's file alone [INBOX-09]", async () => {
    expect(verify(await recordOf(writer))).toEqual({
      status: 0,
      text: [
        '6 messages in 2 conversations, each follows the one before. Sound.',
        'By the users          4',
        'By team members       1',
        'By automations        1',
        'With the text as sent 5',
        'Without it            1 (locked, unsent, or of a deleted account)\n',
      ].join('\n'),
    })
    const ofReader = await recordOf(reader)
    expect(verify(ofReader)).toMatchObject({
      status: 0,
      text: expect.stringContaining('5 messages in 1 conversations'),
    })
    expect(ofReader).not.toContain('Welcome flow')
  })

  it.each<[string, (lines: string[]) => string[]]>([
    ['a text is changed', (lines) => lines.map((line) => line.replace('An answer', 'No answer'))],
    ['a price is changed', (lines) => lines.map((line) => line.replace('"price": 0', '"price": 500'))],
    ['a file is added', (lines) => lines.map((line) => line.replace('"files": []', '"files": ["a.png"]'))],
    ['an author becomes another', (lines) => lines.map((line) => line.replace('"automation"', '"user"'))],
    ['a name is changed', (lines) => lines.map((line) => line.replace('"Ada"', '"Bea"'))],
    ['a time is changed', (lines) => lines.map((line) => line.replace(/"sent_at": "20/, '"sent_at": "19'))],
    ['a line is left out', (lines) => lines.toSpliced(3, 1)],
    ['the first line is left out', (lines) => lines.toSpliced(1, 1)],
    ['a line is there twice', (lines) => lines.toSpliced(3, 0, lines[3] ?? '')],
    ['lines are swapped', (lines) => lines.with(2, lines[3] ?? '').with(3, lines[2] ?? '')],
    ['the end is cut off', (lines) => lines.slice(0, -2)],
    ['the last line is cut', (lines) => lines.map((line, n) => (n === lines.length - 2 ? line.slice(0, 80) : line))],
    ['it has another user’s name', (lines) => lines.map((line) => line.replaceAll(writer.profileId, reader.userId))],
  ])('is invalid when %s [INBOX-09]', async (_what, change) => {
    const lines = (await recordOf(writer)).split('\n')
    const changed = change(lines)
    expect(changed).not.toEqual(lines)
    expect(verify(changed.join('\n'))).toMatchObject({ status: 1, text: expect.stringContaining('not sound') })
  })

  it('is complete even if it takes many pages and is read while it is sent [INBOX-09, STAT-03]', async () => {
    const [busy, other] = [await gateway.signUp(), await gateway.signUp()]
    await gateway.query(
      `insert into private.messages (sender_id, recipient_id, body) select $1, $2, repeat('Words ', 500) from generate_series(1, 1200)`,
      [busy.profileId, other.profileId],
    )
    const { url } = await call<{ url: string }>(busy, 'export-own-data')
    const files = await unzipStream(await (await fetch(url)).bytes())
    expect([...files.keys()]).toEqual(['my-data.json', 'message-authors.jsonl'])
    const data = JSON.parse(files.get('my-data.json') ?? '') as { messages: unknown[] }
    expect(data.messages).toHaveLength(1200)
    expect(verify(files.get('message-authors.jsonl') ?? '')).toMatchObject({
      status: 0,
      text: expect.stringContaining('1200 messages in 1'),
    })
  })
})

/** unzipSync can't read entries that are ZIP64 in a ZIP that isn't. */
async function unzipStream(zip: Uint8Array): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const unzip = new Unzip((file) => {
    const decoder = new TextDecoder()
    files.set(file.name, '')
    file.ondata = (error, part, isLast) => {
      if (error) throw error
      files.set(file.name, files.get(file.name) + decoder.decode(part, { stream: !isLast }))
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  unzip.push(zip, true)
  return files
}
