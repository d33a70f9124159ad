import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { retryAfterSeconds } from './retry-after.ts'

/**
 * The network between the provider and us: it loses, delays, duplicates, and reorders webhooks.
 */
export type FlakyNetwork = {
  /** Where the provider sends to. */
  readonly url: string
  readonly counts: { taken: number; lost: number; doubled: number }
  /** Resolves when this many more webhooks have come from the provider. */
  after(count: number): Promise<void>
  /** Resolves when nothing is in flight. @throws if the server rejected a webhook. */
  quiet(): Promise<void>
  close(): Promise<void>
}

const lostShare = 0.15
const doubledShare = 0.15
const longestDelayMs = 2_000
/** A webhook that meets this many crashes has found something else. */
const patience = 50

export async function openFlakyNetwork(
  webhookUrl: string,
  { standing }: { standing(): Promise<void> },
  random: () => number,
): Promise<FlakyNetwork> {
  const counts = { taken: 0, lost: 0, doubled: 0 }
  const onTheWay = new Set<Promise<void>>()
  const waiting = new Set<{ until: number; resolve: () => void }>()
  let arrived = 0
  let refusal: Error | undefined

  async function carry(body: string, signature: string, delayMs: number): Promise<void> {
    await sleep(delayMs)
    for (let attempt = 0; attempt < patience; attempt += 1) {
      await standing()
      const answer = await post(webhookUrl, body, signature)
      if (answer?.status === 200) return
      if (!answer) continue
      // Stripe sends again after any response, but a running server may only answer 200, or that it is busy.
      const pauseSeconds = retryAfterSeconds(answer)
      if (pauseSeconds === undefined) refusal ??= new Error(`the server rejected a webhook with ${answer.status}`)
      else await sleep(pauseSeconds * 1000)
    }
    refusal ??= new Error('the server did not come back')
  }

  function send(body: string, signature: string): void {
    const travel = carry(body, signature, random() ** 2 * longestDelayMs).finally(() => onTheWay.delete(travel))
    onTheWay.add(travel)
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += piece
    response.writeHead(200).end()
    arrived += 1
    for (const waiter of waiting) if (arrived >= waiter.until) waiter.resolve()
    const signature = String(request.headers['stripe-signature'])
    const fate = random()
    if (fate < lostShare) {
      counts.lost += 1
      return
    }
    counts.taken += 1
    send(body, signature)
    if (fate > 1 - doubledShare) {
      counts.doubled += 1
      send(body, signature)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/`,
    counts,
    async after(count) {
      await new Promise<void>((resolve) => {
        const waiter = { until: arrived + count, resolve: () => waiting.delete(waiter) && resolve() }
        waiting.add(waiter)
        if (count === 0) waiter.resolve()
      })
    },
    async quiet() {
      while (onTheWay.size > 0) await Promise.all(onTheWay)
      if (refusal) throw refusal
    },
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** @returns undefined if no server was there, or it died before responding. */
async function post(url: string, body: string, signature: string): Promise<Response | undefined> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
  try {
    const response = await fetch(url, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response
  } catch {
    return undefined
  }
}
