import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findBrowser } from '../server/testing/find-program.ts'
import { freePort } from '../server/testing/free-port.ts'
import { startProduct } from '../server/testing/product.ts'
import { root } from './run.ts'

/** `npm run pictures`: takes the README's pictures again, from the demo as `npm start` shows it. */
const folder = join(root, 'docs/pictures')
const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 800 }
type Look = {
  readonly name: string
  readonly as: string
  readonly path: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}
const looks: readonly Look[] = [
  { name: 'home-light', as: 'lena', path: '/', viewport: desk, colorScheme: 'light' },
  { name: 'profile-dark', as: 'lena', path: '/profile/tomas', viewport: desk, colorScheme: 'dark' },
  { name: 'earnings-light', as: 'mara', path: '/dashboard?tab=earnings', viewport: desk, colorScheme: 'light' },
  { name: 'phone-home-dark', as: 'sam', path: '/', viewport: phone, colorScheme: 'dark' },
  { name: 'phone-plans-light', as: 'sam', path: '/profile/tomas?tab=subscribe', viewport: phone, colorScheme: 'light' },
  { name: 'phone-messages-dark', as: 'sam', path: '/messages?with=mara', viewport: phone, colorScheme: 'dark' },
]

const dataDir = mkdtempSync(join(tmpdir(), 'ovation-pictures-'))
const product = await startProduct(dataDir, await freePort(), { DEMO: '1' })
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  mkdirSync(folder, { recursive: true })
  for (const look of looks) await take(browser, product.url, look)
} finally {
  await browser.close()
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function take(browser: Browser, url: string, { name, as, path, viewport, colorScheme }: Look): Promise<void> {
  const isMobile = viewport === phone
  const options: BrowserContextOptions = { baseURL: url, viewport, colorScheme, isMobile, deviceScaleFactor: 1.5 }
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await signIn(page, as)
  await page.goto(path)
  await page.locator('main h1').first().waitFor()
  // A live screen is never without a connection: pictures are waited for as long as they may be on their way, and then what moves.
  await page.evaluate(`Promise.race([
    new Promise((given) => setTimeout(given, 5_000)),
    Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))),
  ])`)
  await sleep(1_500)
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(join(folder, `${name}.webp`))
  await context.close()
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(`${name}@ovation.example`)
  await page.getByLabel('Password', { exact: true }).fill('ovation-demo')
  await page.keyboard.press('Enter')
  await page.waitForURL((address) => !address.pathname.startsWith('/auth'))
}
