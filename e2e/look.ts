import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const widths = [390, 768, 1440] as const
const schemes = ['light', 'dark'] as const
const pictures = 'test-output/screenshots'
/** Taking pictures is slow, so it needs `LOOK=1`. */
const takesPictures = process.env.LOOK === '1'

type Options = {
  /** Opens the screen first; without it the screen is looked at as it stands. */
  readonly open?: () => Promise<unknown>
  /** Of something that stands over the page: the picture is the window's. A whole page is taken in a window as high as the page. */
  readonly over?: boolean
}

/** Runs before a page's first script: keeps what the content security policy refuses. */
export const noteRefusals = `if (!globalThis.refusedByPolicy) {
  globalThis.refusedByPolicy = []
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    globalThis.refusedByPolicy.push(effectiveDirective + ' refuses ' + blockedURI))
}`

/**
 * Nothing wider than the window, nothing for axe to report and nothing against the content security policy, at three widths, light and
 * dark.
 */
export async function lookAt(page: Page, name: string, { open, over = false }: Options = {}): Promise<void> {
  if (takesPictures) mkdirSync(pictures, { recursive: true })
  const before = page.viewportSize()
  await page.emulateMedia({ colorScheme: schemes[0], reducedMotion: 'reduce' })
  await open?.()
  // Not by its role: what a gallery covers has none.
  await expect(page.locator('main')).toBeVisible()
  await settle(page)
  expect(await page.evaluate('globalThis.refusedByPolicy'), name).toEqual([])
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
        .toBeLessThanOrEqual(0)
      await picture(page, `${name}-${width}-${colorScheme}`, !over)
      if (looksClosely(width, colorScheme))
        expect(await complaintsOfAxe(page), `${name} at ${width} px, ${colorScheme}`).toEqual([])
    }
  }
  if (before) await page.setViewportSize(before)
}

/** A picture of the page in test-output/screenshots, when somebody asked for pictures. */
export async function picture(page: Page, name: string, fullPage = true): Promise<void> {
  if (takesPictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage })
}

/**
 * Resolves when nothing loads any more: no skeleton stands, and no answer has come for a moment. Playwright's own `networkidle` never
 * comes where tabs share a socket: it takes the script of a shared worker to be on its way for ever.
 */
export async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('status', { name: 'Loading…' })).toHaveCount(0)
  let before = -1
  await expect
    .poll(
      async () => {
        const answers = await page.evaluate<number>('performance.getEntriesByType("resource").length')
        const quiet = answers === before
        before = answers
        return quiet
      },
      { intervals: [500] },
    )
    .toBe(true)
}

/** Axe takes seconds: it reads the narrow screen in light and the wide one in dark, which between them have every part and color. */
function looksClosely(width: number, scheme: string): boolean {
  return (width === 390 && scheme === 'light') || (width === 1440 && scheme === 'dark')
}

/**
 * Runs in the page: whether a color or a place is on its way to another. What turns for ever, as a loader does, does not count, nor what
 * goes by how far one has scrolled and not by the clock.
 */
const movesStill = `() => document.getAnimations().some(
  ({ playState, effect, timeline }) =>
    playState === 'running' && timeline instanceof DocumentTimeline && effect?.getComputedTiming().endTime !== Infinity,
)`

/** The packed one: the browser has half as much to read. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const axeOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  // A complaint shows the element itself; the shortest selector of each takes longer to find.
  selectors: false,
  elementRef: true,
}

/** A document is given axe once, however often it is looked at. */
async function complaintsOfAxe(page: Page): Promise<string[]> {
  await expect.poll(() => page.evaluate(`(${movesStill})()`)).toBe(false)
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(axeOptions)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => {
      const told = id === 'target-size' ? nodes.filter(({ element }) => !(${isCut})(element)) : nodes
      return told.length === 0 ? [] : [id + ': ' + told.map(({ html }) => html).join(' | ')]
    }))`)
}

/**
 * Runs in the page: whether a layer that it is no part of, the bar or a dialog or a toast, lies over it or right beside it. What is left of
 * it, or of its neighbor, is no size that anybody gave it.
 */
const isCut = `(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const layerAt = (x, y) => {
    let one = document.elementFromPoint(x, y)
    while (one && !['fixed', 'sticky'].includes(getComputedStyle(one).position)) one = one.parentElement
    return one
  }
  const room = 24
  const [xs, ys] = [[left - room, left + 1, right - 1, right + room], [top - room, top + 1, bottom - 1, bottom + room]]
  return xs.some((x) => ys.some((y) => {
    const layer = layerAt(x, y)
    return layer && !layer.contains(element)
  }))
}`
