import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Product } from '@ovation/server/testing/product'
import { creatorName } from './data.ts'

const turns = 5
const msEach = 2_000
const connections = 16

/** How fast the server is with the pages that it renders for visitors: what rendering costs, and how many come from its cache. */
export async function measurePages(product: Product) {
  const cached = `/profile/${creatorName}`
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    await ask(product.url, cached, agent)
    const perCoreSecond: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      const before = processorSeconds(product.pid)
      const end = Date.now() + msEach
      let pages = 0
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (Date.now() < end) {
            await ask(product.url, cached, agent)
            pages += 1
          }
        }),
      )
      perCoreSecond.push(pages / (processorSeconds(product.pid) - before))
    }
    const before = processorSeconds(product.pid)
    const renders = 40
    // Each is another page, so that none comes from the cache.
    for (let number = 0; number < renders; number++)
      await ask(product.url, `${cached}?tab=${number}`, agent, `198.18.7.${number}`)
    const renderMs = ((processorSeconds(product.pid) - before) / renders) * 1000
    return [
      {
        name: "cached visitor's pages per second of a core",
        value: perCoreSecond.toSorted((a, b) => a - b)[2] ?? 0,
        unit: '',
      },
      { name: "rendering a visitor's page, with all it reads, in time of a core", value: renderMs, unit: 'ms' },
    ]
  } finally {
    agent.destroy()
  }
}

function ask(url: string, path: string, agent: Agent, from = '198.18.6.1'): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'br', 'x-forwarded-for': from }
    const sent = request(`${url}${path}`, { agent, headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${path} was answered with ${response.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Of the process, all threads, not its database. */
function processorSeconds(pid: number): number {
  const ticksPerSecond = 100
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
