import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../scripts/find-program.ts'

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>

export type Phone = { readonly page: Page; readonly devtools: CDPSession; close(): Promise<void> }

/** What DevTools calls "Fast 4G": bits per second in bytes, at the nine tenths that are left of them, and its delay of each answer. */
const fast4g = {
  offline: false,
  downloadThroughput: (9e6 / 8) * 0.9,
  uploadThroughput: (1.5e6 / 8) * 0.9,
  latency: 165,
}
/** How much slower than this machine a mid-range phone's processor is taken to be (Lighthouse's figure). */
const slowdown = 4

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] })

type Profile = { readonly slowProcessor: boolean; readonly slowNetwork: boolean }

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
  if (profile.slowProcessor) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { page, devtools, close: () => context.close() }
}

/** What the page holds after a collection of garbage. */
export async function memoryOf({ devtools }: Phone): Promise<{ heapBytes: number; nodes: number }> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return { heapBytes: of('JSHeapUsedSize'), nodes: of('Nodes') }
}
