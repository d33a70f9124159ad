import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../server/testing/find-program.ts'
import { median } from '../quantile.ts'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

export type Phone = { readonly page: Page; readonly devtools: CDPSession; close(): Promise<void> }

/** What DevTools calls "Fast 4G": bits per second in bytes, at the nine tenths that are left of them, and its delay of each answer. */
const fast4g = {
  offline: false,
  downloadThroughput: (9e6 / 8) * 0.9,
  uploadThroughput: (1.5e6 / 8) * 0.9,
  latency: 165,
}
/**
 * How much slower than this machine a mid-range phone is: four times for a machine of index 1533, as which a fast desktop counts. A slower
 * one is nearer to the phone already (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md and its calculator).
 */
export function slowdownFor(index: number): number {
  if (index >= 1300) return 3 + (index - 1300) / 233
  if (index >= 800) return 2 + (index - 800) / 500
  return Math.max(1, 1 + (index - 150) / 650)
}

/** How fast this machine is, by the measure of Lighthouse's BenchmarkIndex: short texts made long, and arrays copied. The middle of five. */
export async function indexOf(browser: Browser): Promise<number> {
  const page = await browser.newPage()
  const runs: number[] = []
  for (let run = 0; run < 5; run++) runs.push(await page.evaluate(measureIndex))
  await page.close()
  return median(runs)
}

/** Runs in the page. Both halves count tens of rounds a second, in half a second. */
function measureIndex(): number {
  const perSecond = (round: (turn: number) => void) => {
    const startedAt = Date.now()
    let rounds = 0
    while (Date.now() - startedAt < 500 || rounds % 10 !== 0) round(rounds++)
    return (rounds * 100) / (Date.now() - startedAt)
  }
  const growText = () => {
    let text = ''
    for (let length = 0; length < 10_000; length++) text += 'a'
    if (text.length < 10_000) throw new Error('so that it is made at all')
  }
  const both = [0, 1].map(() => Array.from({ length: 100_000 }, (_, index) => index)) as [number[], number[]]
  const copyArray = (turn: number) => {
    const [from, to] = turn % 2 === 0 ? both : [both[1], both[0]]
    for (let index = 0; index < from.length; index++) to[index] = from[index] as number
  }
  return (perSecond(growText) + perSecond(copyArray)) / 2
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] })

type Profile = {
  /** How many times slower than this machine the processor is; 1 for as fast. */
  readonly slowdown: number
  readonly slowNetwork: boolean
}

/** A window of a phone's size whose cache is empty. */
export async function openPhone(
  browser: Browser,
  url: string,
  session: StorageState,
  profile: Profile,
): Promise<Phone> {
  const context = await browser.newContext({
    baseURL: url,
    storageState: session,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.addInitScript({ path: fileURLToPath(new URL('in-page.js', import.meta.url)) })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Performance.enable')
  if (profile.slowNetwork) await devtools.send('Network.emulateNetworkConditions', fast4g)
  if (profile.slowdown > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: profile.slowdown })
  return { page, devtools, close: () => context.close() }
}

/** What the page holds after a collection of garbage. */
export async function memoryOf({ devtools }: Phone): Promise<{ heapBytes: number; nodes: number }> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes') }
}
