import { AsyncLocalStorage } from 'node:async_hooks'
import type { MessagePort } from 'node:worker_threads'
import { giveBackMemoryWhenQuiet } from '../../give-back-memory.ts'

/*
 * Renders pages in a thread of its own: rendering takes milliseconds without a pause, and the app's code, which was written for browsers, has
 * a global scope to itself. What it reads, it reads through the main thread (visitor-pages.ts).
 */

export type Order = {
  /** The server's build of the web app (web/app/server-page.tsx). */
  readonly build: string
  readonly page: unknown
  readonly port: MessagePort
}
export type Question = {
  readonly id: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}
export type Answer = {
  readonly id: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Waiting = { readonly port: MessagePort; readonly answers: Map<number, (answer: Answer) => void> }
const renders = new AsyncLocalStorage<Waiting>()
let questions = 0

/** The app's requests. */
globalThis.fetch = async (input, init = {}) => {
  const render = renders.getStore()
  if (!render) throw new TypeError('A request outside of a page.')
  questions += 1
  const question: Question = {
    id: questions,
    method: init.method ?? 'GET',
    url: String(input),
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === 'string' ? init.body : undefined,
  }
  const { status, headers, body } = await new Promise<Answer>((resolve) => {
    render.answers.set(question.id, resolve)
    render.port.postMessage(question)
  })
  return new Response(hasNoBody(status) ? null : body, { status, headers })
}

/** Statuses for which `Response` accepts no body. */
const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304

giveBackMemoryWhenQuiet() // a thread has its own heap

export default async function render({ build, page, port }: Order): Promise<unknown> {
  const { renderPage } = (await import(build)) as { renderPage(page: unknown): Promise<unknown> }
  const render: Waiting = { port, answers: new Map() }
  port.on('message', (answer: Answer) => {
    render.answers.get(answer.id)?.(answer)
    render.answers.delete(answer.id)
  })
  try {
    return await renders.run(render, () => renderPage(page))
  } finally {
    port.close()
  }
}
