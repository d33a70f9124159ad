/** Somebody who asks: with a session of their own, or with the key that every browser has. */
export type Visitor = {
  readonly name: string
  readonly url: string
  readonly anonKey: string
  /** Absent for who is not signed in. */
  readonly token?: string
  readonly userId?: string
  readonly profileId?: string
}

/** All that came back, bytes as Latin-1 so that none is lost. */
export type Answer = { readonly ok: boolean; readonly type: string; readonly headers: Headers; readonly text: string }

export type Question = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const patienceMs = 20_000

/** Asks one address of the installation as the visitor. Whatever status comes is an answer; only a broken connection throws. */
export async function ask(visitor: Visitor, path: string, { method, headers, body }: Question = {}): Promise<Answer> {
  const response = await fetch(new URL(path, visitor.url), {
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
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { ok: response.ok, type: response.headers.get('content-type') ?? '', headers: response.headers, text }
}
