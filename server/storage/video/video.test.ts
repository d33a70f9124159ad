import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { findFfmpeg } from '../../testing/find-program.ts'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildCreator } from '../../testing/people.ts'
import { filesBelow } from '../testing/files-below.ts'
import { qualitiesFor } from './qualities.ts'

const program = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'ovation-video-'))
let gateway: TestGateway
let creator: Person
let fan: Person
let clip: Buffer

beforeAll(async () => {
  const file = join(folder, 'clip.mp4')
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=640x360:rate=12:duration=5',
    '-f',
    'lavfi',
    '-i',
    'sine=duration=5',
  ]
  const place = ['-metadata', 'location=+52.5200+013.4050/', '-metadata', 'comment=SECRET']
  execFileSync(program, [
    '-v',
    'error',
    ...source,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-c:a',
    'aac',
    ...place,
    file,
  ])
  clip = readFileSync(file)
  gateway = await startGateway({ env: { FFMPEG_PATH: program } })
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
})
afterAll(async () => {
  await gateway?.close()
  rmSync(folder, { recursive: true, force: true })
})

const posts = (person: Person) => person.client.storage.from('posts')
let count = 0
async function upload(content: Buffer, name = `${creator.userId}/${++count}.mp4`) {
  const { error } = await posts(creator).upload(name, content, { contentType: 'video/mp4' })
  if (error) throw error
  return name
}
async function publish(path: string, over: Record<string, unknown> = {}) {
  const row = { creator_id: creator.profileId, content: 'Watch', media_urls: [path], media_types: ['video'], ...over }
  const { data } = await creator.client.from('posts').insert(row).select('id').single().throwOnError()
  return data.id as string
}
const stateOf = async (path: string) => {
  const [video] = await gateway.query<{ state: string; failure: string | null }>(
    'select v.state, v.failure from private.videos v join storage.objects o on o.id = v.object_id where o.name = $1',
    [path],
  )
  return video
}
const attemptsAt = async (path: string) => {
  const [video] = await gateway.query<{ attempts: number }>(
    'select v.attempts from private.videos v join storage.objects o on o.id = v.object_id where o.name = $1',
    [path],
  )
  return video?.attempts
}
const settled = (path: string, state: string) =>
  expect.poll(async () => (await stateOf(path))?.state, { timeout: 60_000, interval: 200 }).toBe(state)
const linkTo = async (person: Person, path: string) =>
  (await posts(person).createSignedUrl(path, 60)).data?.signedUrl ?? ''
const asStream = (link: string) => link.replace('/object/sign/', '/render/video/sign/')
const linesOf = async (url: string) => (await (await fetch(url)).text()).split('\n')

describe('an uploaded video', () => {
  it('gets a poster, its length, and streams that only its viewers can play [POST-16, POST-46, POST-47]', async () => {
    const path = await upload(clip)
    const id = await publish(path, { post_type: 'ppv', ppv_price: 500 })
    await settled(path, 'ready')

    // Public facts: the card has a preview and shows the length.
    const { data: locked } = await fan.client.from('posts').select().eq('id', id).single().throwOnError()
    expect(locked).toMatchObject({ is_locked: true, media_urls: [] })
    expect(locked.media_previews).toEqual([
      { width: 640, height: 360, duration: 5, stream: true, preview: expect.stringMatching(/^[\w+/]{20,48}=*$/) },
    ])
    expect((await posts(fan).createSignedUrl(path, 60)).error).toMatchObject({ statusCode: '404' })

    const link = await linkTo(creator, path)
    const poster = await fetch(`${link.replace('/object/sign/', '/render/image/sign/')}&width=320`)
    expect(await sharp(Buffer.from(await poster.arrayBuffer())).metadata()).toMatchObject({
      format: 'jpeg',
      width: 320,
      height: 180,
    })

    const answer = await fetch(asStream(link))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
    const master = (await answer.text()).split('\n')
    expect(
      master.filter((line) => line.startsWith('#EXT-X-STREAM-INF')).map((line) => /RESOLUTION=([^,]*)/.exec(line)?.[1]),
    ).toEqual(['426x240'])
    const quality = new URL(master.find((line) => line.startsWith('?')) ?? '', asStream(link)).href
    const lines = await linesOf(quality)
    expect(lines).toContain('#EXT-X-ENDLIST')
    const part = new URL(lines.find((line) => line.startsWith('?')) ?? '', quality).href
    const [, length, start] = /BYTERANGE:(\d+)@(\d+)/.exec(lines.join('\n')) ?? []
    const range = `bytes=${start}-${Number(start) + Number(length) - 1}`
    const bytes = await fetch(part, { headers: { range } })
    expect([bytes.status, bytes.headers.get('content-length')]).toEqual([206, length])
    await bytes.arrayBuffer()

    // Nothing works without the token, and neither the original nor the streams have the camera's metadata.
    for (const url of [asStream(link), quality, part]) {
      const forged = new URL(url)
      forged.searchParams.set('token', `${forged.searchParams.get('token')}x`)
      expect(await (await fetch(forged)).json()).toMatchObject({ statusCode: '400', error: 'InvalidJWT' })
    }
    const whole = Buffer.from(await (await fetch(part)).arrayBuffer())
    const original = Buffer.from(await (await fetch(link)).arrayBuffer())
    expect([clip.includes('SECRET'), original.length]).toEqual([true, clip.length])
    for (const bytes of [whole, original])
      expect([bytes.includes('+52.5'), bytes.includes('SECRET')]).toEqual([false, false])
  })

  it('streams with a link that has its token in the path, in addresses that have nothing else to keep apart [SCALE-06, POST-16]', async () => {
    const path = await upload(clip)
    await settled(path, 'ready')
    const { data } = await posts(creator).setHeader('Prefer', 'stable-links').createSignedUrls([path], 3600)
    const link = data?.[0]?.signedUrl ?? ''
    const stream = link.replace('/object/', '/render/video/')
    const lines = await linesOf(stream)
    const quality = new URL(lines.find((line) => line.startsWith('?')) ?? '', stream)
    const part = new URL((await linesOf(quality.href)).find((line) => line.startsWith('?')) ?? '', quality)
    expect([quality.search, part.search]).toEqual(['?quality=240p', '?quality=240p&content=1'])
    for (const url of [stream, quality, part]) {
      const answer = await fetch(url, { headers: { range: 'bytes=0-9' } })
      expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+, immutable$/)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*') // a player on another origin reads it
      await answer.arrayBuffer()
    }
    const poster = await fetch(`${link.replace('/object/', '/render/image/')}?width=320`)
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    await poster.arrayBuffer()
  })

  it('has captions with the permissions of the video, for the file and for the stream [POST-16, POST-46, POST-47]', async () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:04.000\nThe tide is out.\n'
    const path = await upload(clip)
    const give = (person: Person, content: string) =>
      person.client.rpc('set_video_captions', { video: path, language: 'pt-BR', content })
    await give(creator, vtt).throwOnError()
    const id = await publish(path, { post_type: 'ppv', ppv_price: 500 })
    expect((await give(fan, vtt)).error).toMatchObject({ code: 'PT404', message: "This isn't one of your videos" })
    expect((await give(creator, '1\n00:01,000 --> 00:04,000\nNo.')).error).toMatchObject({
      code: 'PT422',
      message: "This isn't a WebVTT file with captions",
    })

    const captions = (link: string, language = 'pt-BR') =>
      fetch(`${link.replace('/object/sign/', '/render/captions/sign/')}&language=${language}`)
    const link = await linkTo(creator, path)
    const read = await captions(link)
    expect([read.status, read.headers.get('content-type'), await read.text()]).toEqual([
      200,
      'text/vtt; charset=utf-8',
      vtt,
    ])
    const tag = read.headers.get('etag') ?? ''
    const known = await fetch(read.url, { headers: { 'if-none-match': tag } })
    expect([read.headers.get('cache-control'), known.status]).toEqual(['private, no-cache', 304])
    expect(await (await captions(link, 'de')).json()).toMatchObject({ statusCode: '404' })
    expect(await (await captions(`${link}x`)).json()).toMatchObject({ statusCode: '400', error: 'InvalidJWT' })
    const others = await linkTo(creator, await upload(clip))
    const borrowed = new URL(link)
    borrowed.searchParams.set('token', new URL(others).searchParams.get('token') ?? '')
    expect((await captions(borrowed.href)).status).toBe(400)
    // A viewer without access sees that there are captions, and gets no link to the video.
    const { data: locked } = await fan.client.from('posts').select().eq('id', id).single().throwOnError()
    expect(locked).toMatchObject({ is_locked: true, media_previews: [{ captions: ['pt-BR'] }] })
    expect((await posts(fan).createSignedUrl(path, 60)).error).toMatchObject({ statusCode: '404' })
    // Streams that are made later keep the captions.
    await settled(path, 'ready')
    const { data: ready } = await creator.client.from('posts').select('media_previews').eq('id', id).single()
    expect(ready?.media_previews).toMatchObject([{ stream: true, captions: ['pt-BR'] }])
  })

  it('streams as a copy once the copy has streams of its own, and not earlier', async () => {
    const [path, copy] = [await upload(clip), `${creator.userId}/copy.mp4`]
    await settled(path, 'ready')
    const facts = async (name: string) =>
      (await gateway.query<{ metadata: object }>('select metadata from storage.objects where name = $1', [name]))[0]
        ?.metadata
    expect(await facts(path)).toMatchObject({ duration: 5, stream: true })
    expect((await posts(creator).copy(path, copy)).error).toBeNull()
    expect(await facts(copy)).not.toHaveProperty('stream')
    await settled(copy, 'ready')
    expect(await facts(copy)).toMatchObject({ duration: 5, stream: true })
  })

  it('keeps its poster and streams while it is in the vault, and loses them with its last row', async () => {
    const path = await upload(clip)
    const id = await publish(path)
    await settled(path, 'ready')
    const [made] = await gateway.query<{ files: string[] }>(
      `select array_agg(f.version) as files from private.video_files f join storage.objects o on o.version = f.source where o.name = $1`,
      [path],
    )
    expect(made?.files).toHaveLength(2)
    expect(filesBelow(gateway.dataDir, 'storage', 'objects')).toEqual(expect.arrayContaining(made?.files ?? []))
    const removals = async () => {
      const [left] = await gateway.query<{ count: number }>(
        'select count(*)::int from private.storage_removals where version = any($1)',
        [made?.files],
      )
      return left?.count
    }
    const [kept] = await gateway.query<{ id: string }>(
      `select v.id from public.vault_files v join storage.objects o on o.version = v.version where o.name = $1`,
      [path],
    )
    await creator.client.from('posts').delete().eq('id', id).throwOnError()
    expect(await removals()).toBe(0)
    await gateway.query('delete from storage.objects where id = $1', [kept?.id])
    expect(await removals()).toBe(2)
  })

  it('is tried only once when it has no frames, and the log has one line without a stack', async () => {
    const warn = vi.spyOn(gateway.services.log, 'warn')
    onTestFinished(() => warn.mockRestore())
    const sound = join(folder, 'sound.mp4')
    execFileSync(program, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac', sound])
    const path = await upload(readFileSync(sound))
    await settled(path, 'failed')
    const { failure } = (await stateOf(path)) ?? {}
    expect(failure).toContain('FFmpeg could not read the video')
    expect(await attemptsAt(path)).toBe(1)
    const line = [{ failure, objectId: expect.any(String) }, 'a video could not be prepared']
    await expect.poll(() => warn.mock.calls).toEqual([line])
  })

  it('plays as uploaded when FFmpeg fails, and the operator sees why', async () => {
    const path = await upload(Buffer.concat([clip.subarray(0, 40), Buffer.alloc(5000, 7)]))
    await publish(path)
    await settled(path, 'failed')
    expect((await stateOf(path))?.failure).toContain('FFmpeg could not read the video')
    expect(await attemptsAt(path)).toBe(1) // the same would happen again
    const link = await linkTo(creator, path)
    expect((await fetch(link)).status).toBe(200)
    expect(await (await fetch(asStream(link))).json()).toMatchObject({ statusCode: '404' })
  })

  it('is taken at once even if its post is just being published', async () => {
    const path = await upload(clip)
    await settled(path, 'ready')
    const owner = new pg.Client({ connectionString: gateway.database.ownerUrl })
    await owner.connect()
    try {
      // The lock of a foreign key. It's held before the video waits, so that the job of the minute can't take the video first.
      await owner.query('begin')
      await owner.query('select from private.videos for key share')
      const again = `update private.videos v set state = 'waiting', attempts = 0 from storage.objects o
        where o.id = v.object_id and o.name = $1`
      await gateway.query(again, [path])
      const made = gateway.services.videos.make()
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await eventually(async () => expect(await gateway.query(waiting)).not.toEqual([]))
      await owner.query('commit')
      await made
    } finally {
      await owner.end()
    }
    await settled(path, 'ready')
  })

  it("can't make the server read any other file", async () => {
    // A playlist disguised as a video: FFmpeg would follow it to the server's own files.
    const disguise = Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    const refused = await posts(creator).upload(`${creator.userId}/list.mp4`, disguise, { contentType: 'video/mp4' })
    expect(refused.error).toMatchObject({ statusCode: '415' })
  })
})

it('has its poster and length before its streams, and keeps them when the streams fail [POST-10, POST-16]', async () => {
  // FFmpeg without the encoder.
  const half = join(folder, 'half-ffmpeg')
  writeFileSync(half, `#!/bin/sh\ncase "$*" in *libx264*) exit 1;; esac\nexec '${program}' "$@"\n`, { mode: 0o755 })
  const node = await startGateway({ env: { FFMPEG_PATH: half } })
  try {
    const { client, userId, profileId } = await buildCreator(node)
    const path = `${userId}/1.mp4`
    const bucket = client.storage.from('posts')
    await bucket.upload(path, clip, { contentType: 'video/mp4' })
    const row = { creator_id: profileId, content: 'Watch', media_urls: [path], media_types: ['video'] }
    const { data: post } = await client.from('posts').insert(row).select('id').single().throwOnError()
    const states = () => node.query('select distinct state, failure from private.videos') // of the upload and of its file in the vault
    await expect
      .poll(states, { timeout: 60_000, interval: 200 })
      .toEqual([{ state: 'failed', failure: expect.stringContaining('FFmpeg') }])

    const { data: shown } = await client.from('posts').select('media_previews').eq('id', post.id).single()
    expect(shown?.media_previews).toEqual([{ width: 640, height: 360, duration: 5, preview: expect.any(String) }])
    expect(await node.query('select kind from private.video_files')).toEqual([{ kind: 'poster' }])
    const { data: link } = await bucket.createSignedUrl(path, 60)
    const poster = await fetch(`${link?.signedUrl.replace('/object/sign/', '/render/image/sign/')}&width=320`)
    expect(poster.headers.get('content-type')).toMatch(/^image\//)
  } finally {
    await node.close()
  }
})

it('has qualities up to 1080p and never above its own [POST-16]', () => {
  const names = (width: number, height: number) =>
    qualitiesFor(width, height).map((quality) => `${quality.name} ${quality.width}x${quality.height}`)
  expect(names(3840, 2160)).toEqual(['1080p 1920x1080', '720p 1280x720', '480p 854x480', '240p 426x240'])
  expect(names(720, 1280)).toEqual(['720p 720x1280', '480p 480x854', '240p 240x426'])
  expect(names(160, 121)).toEqual(['122p 160x122'])
})
