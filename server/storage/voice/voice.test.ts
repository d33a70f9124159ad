import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFfmpeg } from '../../testing/find-program.ts'
import { type Person, startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildCreator } from '../../testing/people.ts'
import { filesBelow } from '../testing/files-below.ts'
import { sendResumably } from '../testing/tus-client.ts'
import { waveformOf } from './waveform.ts'

const program = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'ovation-voice-'))
let gateway: TestGateway
let creator: Person
let fan: Person
beforeAll(async () => {
  gateway = await startGateway({ env: { FFMPEG_PATH: program } })
  creator = await buildCreator(gateway)
  fan = await gateway.signUp()
})
afterAll(async () => {
  await gateway?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Silence for a second, then a tone, with metadata. */
function record(name: string, seconds: number, ...args: string[]): Buffer {
  const file = join(folder, name)
  const sound = ['-f', 'lavfi', '-i', `sine=duration=${seconds}`, '-af', 'adelay=1000|1000', '-ac', '1']
  const secret = ['-metadata', 'title=SECRET', '-metadata', 'location=+52.5200+013.4050/']
  execFileSync(program, ['-v', 'error', ...sound, ...args, ...secret, file])
  return readFileSync(file)
}
const messages = (person: Person) => person.client.storage.from('messages')
let count = 0
async function upload(person: Person, content: Buffer, contentType: string) {
  const path = `${person.userId}/${++count}.m4a`
  const { error } = await messages(person).upload(path, content, { contentType })
  return { path, error }
}
async function download(person: Person, path: string) {
  const { data, error } = await messages(person).createSignedUrl(path, 60)
  if (error) throw error
  const answer = await fetch(data.signedUrl)
  return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) }
}
const metadataOf = async (path: string) => {
  const [row] = await gateway.query<{ metadata: Record<string, unknown> }>(
    `select metadata from storage.objects where bucket_id = 'messages' and name = $1`,
    [path],
  )
  return row?.metadata
}
const scratch = () => filesBelow(gateway.dataDir, 'storage', 'scratch')
/** Codec, channels, and what else is in a file. */
const probe = (bytes: Buffer) => {
  const file = join(folder, 'probe')
  writeFileSync(file, bytes)
  try {
    execFileSync(program, ['-hide_banner', '-i', file], { stdio: 'pipe' })
  } catch (error) {
    return String((error as { stderr: Buffer }).stderr)
  }
  return ''
}

describe('a voice message', () => {
  it.each([
    ['Chrome', 'audio/webm;codecs=opus', 'chrome.webm', ['-c:a', 'libopus']],
    ['Firefox', 'audio/ogg; codecs=opus', 'firefox.ogg', ['-c:a', 'libopus']],
    ['Safari', 'audio/mp4', 'safari.mp4', ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov']],
  ])(
    'that %s records becomes a file that plays everywhere, with its length and waveform [INBOX-05]',
    async (_browser, type, name, codec) => {
      const recording = record(name, 3, ...codec)
      const { path, error } = await upload(fan, recording, type)
      expect(error).toBeNull()
      const facts = await metadataOf(path)
      expect(facts).toMatchObject({ mimetype: 'audio/mp4', size: expect.any(Number), waveform: expect.any(String) })
      expect(facts?.duration).toBeCloseTo(4, 0)
      const levels = [...Buffer.from(String(facts?.waveform), 'base64')]
      expect(levels).toHaveLength(80)
      expect(Math.max(...levels.slice(0, 18))).toBeLessThan(10)
      expect(Math.min(...levels.slice(24, 76))).toBeGreaterThan(200)
      const { type: served, bytes } = await download(fan, path)
      expect([served, bytes.length]).toEqual(['audio/mp4', facts?.size])
      expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
      expect(probe(bytes)).toMatch(/Audio: aac .*44100 Hz, mono/)
      expect([recording.includes('SECRET'), bytes.includes('SECRET'), bytes.includes('+52.5')]).toEqual([
        true,
        false,
        false,
      ])
      expect(scratch()).toEqual([])
    },
  )

  it('is sent, and its length is known before the purchase, its waveform and file only after [INBOX-05, INBOX-08]', async () => {
    const { path } = await upload(creator, record('paid.webm', 2, '-c:a', 'libopus'), 'audio/webm')
    const row = {
      sender_id: creator.profileId,
      recipient_id: fan.profileId,
      media_urls: [path],
      media_types: ['audio'],
    }
    const { data: sent } = await creator.client
      .from('messages')
      .insert({ ...row, content: '', is_paid: true, price: 500 })
      .select('id, media_previews')
      .single()
      .throwOnError()
    expect(sent.media_previews).toEqual([{ duration: 3, waveform: expect.any(String) }])
    const shown = async () => {
      const { data } = await fan.client.from('messages').select('*').eq('id', sent.id).single().throwOnError()
      return data
    }
    expect(await shown()).toMatchObject({
      is_locked: true,
      media_urls: [],
      media_types: ['audio'],
      media_previews: [{ duration: 3 }],
    })
    expect((await messages(fan).createSignedUrl(path, 60)).error).toMatchObject({ statusCode: '404' })
    await gateway.query('insert into public.message_unlocks (message_id, buyer_id) values ($1, $2)', [
      sent.id,
      fan.profileId,
    ])
    expect(await shown()).toMatchObject({ media_urls: [path], media_previews: sent.media_previews })
    expect((await download(fan, path)).type).toBe('audio/mp4')
  })

  it('keeps only the sound of a video', async () => {
    const film = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5:duration=2', '-c:v', 'libx264', '-c:a', 'aac']
    const file = join(folder, 'film.mp4')
    execFileSync(program, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=2', ...film, file])
    const { path, error } = await upload(fan, readFileSync(file), 'audio/mp4')
    expect(error).toBeNull()
    expect(probe((await download(fan, path)).bytes)).not.toContain('Video:')
  })

  it('arrives by a resumable upload, too', async () => {
    const path = `${fan.userId}/resumed.m4a`
    const { session } = (await fan.client.auth.getSession()).data
    const { error } = await sendResumably(record('resumed.webm', 2, '-c:a', 'libopus'), {
      endpoint: `${gateway.url}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${session?.access_token}`, apikey: gateway.secrets.anonKey },
      chunkSize: 4000,
      metadata: { bucketName: 'messages', objectName: path, contentType: 'audio/webm' },
    })
    expect(error).toBeUndefined()
    expect(await metadataOf(path)).toMatchObject({ mimetype: 'audio/mp4', duration: 3 })
  })

  it('may last five minutes, and no longer [INBOX-05]', async () => {
    const silent = ['-c:a', 'libopus', '-b:a', '8k', '-compression_level', '0']
    const whole = await upload(fan, record('whole.webm', 299, ...silent), 'audio/webm')
    expect(whole.error).toBeNull()
    expect(await metadataOf(whole.path)).toMatchObject({ duration: 300 })
    const long = await upload(fan, record('long.webm', 310, ...silent), 'audio/webm')
    expect(long.error).toMatchObject({ statusCode: '413', message: 'A voice message can be up to 5 minutes long' })
    expect([await metadataOf(long.path), scratch()]).toEqual([undefined, []])
  })

  it('must have a sound', async () => {
    const webm = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581', 'hex')
    const mute = join(folder, 'mute.mp4')
    execFileSync(program, ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5:duration=1', mute])
    const list = Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    for (const [content, type] of [
      [Buffer.concat([webm, Buffer.alloc(500, 7)]), 'audio/webm'],
      [readFileSync(mute), 'audio/mp4'],
      [list, 'audio/mp4'],
      [Buffer.from('not a sound'), 'audio/webm'],
    ] as const) {
      const { error } = await upload(fan, content, type)
      expect(error).toMatchObject({ statusCode: '415' })
    }
    expect(scratch()).toEqual([])
  })

  it('belongs in messages only', async () => {
    const recording = record('post.webm', 1, '-c:a', 'libopus')
    for (const bucket of ['posts', 'vault', 'avatars']) {
      const { error } = await creator.client.storage
        .from(bucket)
        .upload(`${creator.userId}/voice.m4a`, recording, { contentType: 'audio/webm' })
      expect(error).toMatchObject({ statusCode: '415' })
    }
  })
})

it('rejects voice messages without FFmpeg, which could not be cleaned', async () => {
  const without = await startGateway()
  try {
    const person = await without.signUp()
    const recording = record('unwanted.webm', 1, '-c:a', 'libopus')
    const { error } = await upload(person, recording, 'audio/webm')
    expect(error).toMatchObject({
      statusCode: '409',
      message: "This site can't process voice messages: FFmpeg isn't installed",
    })
  } finally {
    await without.close()
  }
})

it('draws silence flat, a quiet recording in full height, and one of fewer samples than bars', () => {
  const levels = (samples: number[]) => [...Buffer.from(waveformOf(Int16Array.from(samples)), 'base64')]
  expect(new Set(levels(Array(800).fill(3)))).toEqual(new Set([2]))
  expect(new Set(levels(Array(800).fill(500)))).toEqual(new Set([255]))
  expect(levels([1000])).toHaveLength(80)
})
