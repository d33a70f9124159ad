import { Agent, request } from 'node:http'

/** What the benchmark asks of this process. */
export type LoadOrder = {
  readonly url: string
  readonly apikey: string
  readonly what: 'sign-in' | 'refresh'
  readonly password: string
  readonly atOnce: number
  readonly seconds: number
}

export type LoadResult = { readonly count: number; readonly perSecond: number; readonly medianMs: number }

const agent = new Agent({ keepAlive: true })
/** Sessions of earlier orders: each goes on with the refresh token that it got last. */
const people: { readonly email: string; refreshToken: string }[] = []

process.on('message', (order: LoadOrder) => {
  run(order).then(
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
  times.sort((a, b) => a - b)
  const medianMs = times[Math.floor(times.length / 2)] ?? Number.NaN
  return { count: times.length, perSecond: times.length / seconds, medianMs }
}

async function signUp(order: LoadOrder) {
  const email = `person${people.length}@example.com`
  const session = await post(order, '/signup', { email, password: order.password })
  return { email, refreshToken: session.refresh_token }
}

function post({ url, apikey }: LoadOrder, path: string, body: object): Promise<{ refresh_token: string }> {
  const text = JSON.stringify(body)
  const headers = { apikey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/auth/v1${path}`, { method: 'POST', agent, headers }, (response) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(JSON.parse(answer))
          : reject(new Error(`${path}: ${response.statusCode} ${answer}`)),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(text)
  })
}
