import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../quantile.ts'

type Target = { readonly url: string; readonly apikey: string }

/** What the benchmark asks of this process. */
export type LoadOrder = Target & {
  readonly what: 'sign-in' | 'refresh'
  readonly password: string
  readonly atOnce: number
  readonly seconds: number
}

export type LoadResult = { readonly count: number; readonly perSecond: number; readonly medianMs: number }

/** Asks about people who have an account and people who have none, in turns, as somebody does who wants to tell them apart by time. */
export type CompareOrder = Target & {
  readonly what: 'compare'
  readonly password: string
  readonly path: string
  readonly body: Readonly<Record<string, string>>
  readonly pairs: number
}

/** Times in milliseconds. */
export type Comparison = { readonly known: number[]; readonly unknown: number[] }

const agent = new Agent({ keepAlive: true })
/** Sessions of earlier orders: each goes on with the refresh token that it got last. */
const people: { readonly email: string; refreshToken: string }[] = []
/** Addresses without an account that have been asked about. */
let strangers = 0

process.on('message', (order: LoadOrder | CompareOrder) => {
  const done: Promise<LoadResult | Comparison> = order.what === 'compare' ? compare(order) : run(order)
  done.then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})

async function run(order: LoadOrder): Promise<LoadResult> {
  while (people.length < order.atOnce) people.push(await signUp(order))
  const times: number[] = []
  const end = performance.now() + order.seconds * 1000
  const startedAt = performance.now()
  await Promise.all(
    people.slice(0, order.atOnce).map(async (person) => {
      while (performance.now() < end) {
        const sentAt = performance.now()
        if (order.what === 'sign-in') {
          await post(order, '/token?grant_type=password', { email: person.email, password: order.password })
        } else {
          const session = await post(order, '/token?grant_type=refresh_token', { refresh_token: person.refreshToken })
          person.refreshToken = session.refresh_token
        }
        times.push(performance.now() - sentAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  return { count: times.length, perSecond: times.length / seconds, medianMs: median(times) }
}

async function compare(order: CompareOrder): Promise<Comparison> {
  while (people.length < order.pairs) people.push(await signUp(order))
  const times: Comparison = { known: [], unknown: [] }
  for (let pair = 0; pair < order.pairs; pair++) {
    // By lot who comes first, so that what one leaves behind falls on both alike.
    const kinds = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of kinds) {
      // Each of them asked about once: what the second question about somebody finds ready would be another difference.
      const email = kind === 'known' ? people[pair]?.email : `nobody${++strangers}@example.com`
      const sentAt = performance.now()
      await ask(order, order.path, { ...order.body, email })
      times[kind].push(performance.now() - sentAt)
      await sleep(5) // what goes on behind the answer is over before the next question
    }
  }
  return times
}

async function signUp(order: Target & { readonly password: string }) {
  const email = `person${people.length}@example.com`
  const session = await post(order, '/signup', { email, password: order.password })
  return { email, refreshToken: session.refresh_token }
}

async function post(target: Target, path: string, body: object): Promise<{ refresh_token: string }> {
  const { status, answer } = await ask(target, path, body)
  if (status !== 200) throw new Error(`${path}: ${status} ${answer}`)
  return JSON.parse(answer)
}

function ask(
  { url, apikey }: Target,
  path: string,
  body: object,
): Promise<{ status: number | undefined; answer: string }> {
  const text = JSON.stringify(body)
  const headers = { apikey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/auth/v1${path}`, { method: 'POST', agent, headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, answer }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(text)
  })
}
