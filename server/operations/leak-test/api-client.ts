import { setTimeout as sleep } from 'node:timers/promises'

/** The sender of the requests: with their own session, or with the key that every browser has. */
export type ApiClient = {
  readonly name: string
  readonly url: string
  readonly anonKey: string
  /** Absent for visitors who aren't signed in. */
  readonly token?: string
  readonly userId?: string
  readonly profileId?: string
}

/** The whole answer, with bytes as Latin-1 so that none is lost. */
export type Answer = { readonly ok: boolean; readonly type: string; readonly headers: Headers; readonly text: string }

export type Question = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const patienceMs = 20_000
/** How often a request is retried. */
const mostTurns = 20

/**
 * Requests one address of the installation as the visitor. Any status is an answer except "too busy, try again" (429, 503), which reveals
 * nothing about what is behind it, so it is retried.
 * @throws Error when the connection breaks, or when the last retry fails too: an attempt that never ran doesn't count as rejected.
 */
export async function ask(visitor: ApiClient, path: string, question: Question = {}): Promise<Answer> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const response = await send(visitor, path, question)
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    const { ok, headers, status } = response
    if (status !== 429 && status !== 503) return { ok, type: headers.get('content-type') ?? '', headers, text }
    await sleep(1000 * Math.min(10, Number(headers.get('retry-after')) || 1))
  }
  throw new Error(`${path} was too busy to be tried`)
}

/** Sends each request once: its answer is searched for one secret after another. */
export function askOnce(visitor: ApiClient): (path: string, question?: Question) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>()
  return (path, question) => {
    const asked = JSON.stringify([path, question])
    const answer = answers.get(asked) ?? ask(visitor, path, question)
    answers.set(asked, answer)
    return answer
  }
}

function send(visitor: ApiClient, path: string, { method, headers, body }: Question): Promise<Response> {
  return fetch(new URL(path, visitor.url), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
    headers: {
      apikey: visitor.anonKey,
      authorization: `Bearer ${visitor.token ?? visitor.anonKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
