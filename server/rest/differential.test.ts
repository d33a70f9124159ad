import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, sections } from './testing/differential-requests.ts'
import { type Library, openLibrary } from './testing/library.ts'
import { type Lite, openLite } from './testing/lite.ts'

/** That document judges each difference by PostgREST's documentation. */
const document = readFileSync(new URL('../../docs/postgrest-differences.md', import.meta.url), 'utf8')
const judged = [...document.matchAll(/^\| `(.+?)` \|/gm)].map(([, request]) => request?.replaceAll('\\|', '|'))

let library: Library
let lite: Lite

beforeAll(async () => {
  library = await openLibrary()
  lite = await openLite()
})
afterAll(async () => {
  await lite.close()
  await library.close()
})

describe.each(Object.entries(sections))('%s', (_, requests) => {
  it.each(requests.map((asked) => [describeRequest(asked), asked] as const))('%s', async (name, asked) => {
    const [ours, theirs] = await Promise.all([askOurs(asked), askLite(asked)])
    if (judged.includes(name)) expect(isDeepStrictEqual(ours, theirs), `${name} no longer differs`).toBe(false)
    else expect(ours).toEqual(theirs)
  })
})

it('lists only requests that are tested', () => {
  const asked = new Set(Object.values(sections).flatMap((requests) => requests.map(describeRequest)))
  expect(judged.filter((request) => !asked.has(request ?? ''))).toEqual([])
})

/** As in the document: one line, with the differences from a plain GET by a visitor. */
function describeRequest({ method, path, role, prefer, accept, range, contentType, body }: Asked): string {
  const headers = [
    prefer && `Prefer: ${prefer}`,
    accept && `Accept: ${accept}`,
    range && `Range: ${range}`,
    contentType && `Content-Type: ${contentType}`,
    method === 'GET' && role !== 'anon' && role,
    method !== 'GET' && method !== 'HEAD' && role === 'anon' && role,
  ].filter(Boolean)
  const parts = [`${method} ${path}`, ...headers, ...(body === undefined ? [] : [body.replaceAll('\n', '\\n')])]
  return parts.join('; ')
}

type Answer = { status: number; body: unknown; headers: Record<string, string | null> }

async function askOurs(asked: Asked): Promise<Answer> {
  const authorization: Record<string, string> =
    asked.role === 'anon' ? {} : { Authorization: `Bearer ${library.readerToken}` }
  const prefer = [asked.prefer, 'tx=rollback'].filter(Boolean).join(', ')
  return readAnswer(await library.fetch(asked.path, buildInit(asked, { ...authorization, Prefer: prefer })))
}

async function askLite(asked: Asked): Promise<Answer> {
  const prefer: Record<string, string> = asked.prefer === undefined ? {} : { Prefer: asked.prefer }
  return readAnswer(
    await lite.fetch(
      asked.role,
      asked.path,
      buildInit(asked, { ...prefer, 'Accept-Profile': 'library', 'Content-Profile': 'library' }),
    ),
  )
}

function buildInit({ method, accept, range, contentType, body }: Asked, more: Record<string, string>): RequestInit {
  return {
    method,
    headers: {
      ...more,
      ...(accept !== undefined && { Accept: accept }),
      ...(range !== undefined && { Range: range, 'Range-Unit': 'items' }),
      ...(body !== undefined && { 'Content-Type': contentType ?? 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const headers = Object.fromEntries(
    ['content-range', 'content-type', 'location', 'preference-applied'].map((name) => [
      name,
      response.headers.get(name),
    ]),
  )
  const applied = headers['preference-applied']?.split(', ').filter((one) => one !== 'tx=rollback')
  return {
    status: response.status,
    body: withoutDates(text),
    headers: {
      ...headers,
      'content-type': text === '' ? null : (headers['content-type']?.split(';', 1)[0] ?? null),
      'preference-applied': applied?.length ? applied.join(', ') : null,
    },
  }
}

/** `@supabase/lite` writes a date with a blank where JSON has a T; only the date itself matters. */
function withoutDates(text: string): unknown {
  const plain = text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d)(?=")/g, '$1T$2:00')
  try {
    return JSON.parse(plain) as unknown
  } catch {
    return plain
  }
}
