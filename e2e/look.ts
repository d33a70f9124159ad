import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const widths = [390, 768, 1440] as const
const schemes = ['light', 'dark'] as const
const folder = 'test-output/screenshots'
/** Screenshots are slow, so they need `LOOK=1`. */
const takesScreenshots = process.env.LOOK === '1'

type Options = {
  /** Opens the screen first. Without it, the current screen is checked. */
  readonly open?: () => Promise<unknown>
  /** True for overlays: the screenshot then covers the window. A full-page one resizes the window to the page's height. */
  readonly over?: boolean
}

/** Runs before the page's first script: records violations of the content security policy. */
export const recordCspViolations = `if (!globalThis.cspViolations) {
  globalThis.cspViolations = []
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    globalThis.cspViolations.push(effectiveDirective + ' refuses ' + blockedURI))
}`

/**
 * Checks a screen at three widths, light and dark: no overflow, one primary action at most (LOOP-28), no axe violations, and no violations of
 * the content security policy.
 */
export async function lookAt(page: Page, name: string, { open, over = false }: Options = {}): Promise<void> {
  if (takesScreenshots) mkdirSync(folder, { recursive: true })
  const before = page.viewportSize()
  await page.emulateMedia({ colorScheme: schemes[0], reducedMotion: 'reduce' })
  await open?.()
  // Not by its role, which it loses below a gallery.
  await expect(page.locator('main')).toBeVisible()
  await settle(page)
  expect(await page.evaluate('globalThis.cspViolations'), name).toEqual([])
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await page.evaluate(hasAdapted)
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth'))
        .toBeLessThanOrEqual(0)
      await expect.poll(() => excessPrimaryActions(page), `${name} at ${width} px, ${colorScheme}`).toEqual([])
      await takeScreenshot(page, `${name}-${width}-${colorScheme}`, !over)
      if (runsAxe(width, colorScheme))
        expect(await axeViolations(page), `${name} at ${width} px, ${colorScheme}`).toEqual([])
    }
  }
  if (before) await page.setViewportSize(before)
}

/** Takes a screenshot into test-output/screenshots if `LOOK=1`. */
export async function takeScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (takesScreenshots) await page.screenshot({ path: `${folder}/${name}.png`, fullPage })
}

/**
 * Resolves when loading has finished: no skeletons, and no response for a moment. Playwright's `networkidle` never resolves when tabs
 * share a socket: it considers the shared worker's script as still loading.
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

type PrimaryActions = { readonly frame: string[]; readonly screen: string[]; readonly dialogs: string[][] }

/** The names of the controls filled with crimson: in the bars and rails, on the screen between them, and in each dialog. */
export function primaryActions(page: Page): Promise<PrimaryActions> {
  return page.evaluate(findPrimaryActions)
}

/** Each place has one at most, in lists too (D54). The frame's only one is a creator's Create, which is on every screen (LOOP-07). */
async function excessPrimaryActions(page: Page): Promise<string[][]> {
  const { frame, screen, dialogs } = await primaryActions(page)
  const isFrame = frame.length === 0 || frame.join() === 'Create'
  return [...(isFrame ? [] : [frame]), ...[screen, ...dialogs].filter(({ length }) => length > 1)]
}

/** Runs in the page. Pages of the payment provider don't have the color, and so no primary action of ours. */
const findPrimaryActions = `(() => {
  const probe = document.body.appendChild(document.createElement('i'))
  const crimson = ['filled', 'filled-hover'].map((shade) => {
    probe.style.backgroundColor = 'var(--mantine-primary-color-' + shade + ', transparent)'
    return getComputedStyle(probe).backgroundColor
  }).filter((color) => color !== 'rgba(0, 0, 0, 0)')
  probe.remove()
  const visible = { opacityProperty: true, visibilityProperty: true }
  const filled = [...document.querySelectorAll('a, button, [role="button"], input[type="submit"]')].filter(
    (control) => crimson.includes(getComputedStyle(control).backgroundColor) && control.checkVisibility(visible),
  )
  const namesOf = (controls) => controls.map((control) => control.getAttribute('aria-label') ?? control.textContent.trim())
  const dialogs = [...document.querySelectorAll('[role="dialog"]')]
  const onPage = filled.filter((control) => !control.closest('[role="dialog"]'))
  return {
    frame: namesOf(onPage.filter((control) => !control.closest('main'))),
    screen: namesOf(onPage.filter((control) => control.closest('main'))),
    dialogs: dialogs.map((dialog) => namesOf(filled.filter((control) => control.closest('[role="dialog"]') === dialog))),
  }
})()`

/** Axe takes seconds. The narrow screen in light and the wide one in dark cover all elements and colors. */
function runsAxe(width: number, scheme: string): boolean {
  return (width === 390 && scheme === 'light') || (width === 1440 && scheme === 'dark')
}

/** Runs in the page: resolves once it has heard of its new size and scheme, which it hears of with its next frame, and drawn them. */
const hasAdapted = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

/** Runs in the page: whether an animation or transition is running. Ignores endless ones, such as loaders, and scroll-driven ones. */
const isAnimating = `() => document.getAnimations().some(
  ({ playState, effect, timeline }) =>
    playState === 'running' && timeline instanceof DocumentTimeline && effect?.getComputedTiming().endTime !== Infinity,
)`

/** Minified: half as much for the browser to parse. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const axeOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  // We print the element's HTML instead: finding the shortest selector of each takes longer.
  selectors: false,
  elementRef: true,
}

/** Injects axe only once into each document. */
async function axeViolations(page: Page): Promise<string[]> {
  await expect.poll(() => page.evaluate(`(${isAnimating})()`)).toBe(false)
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(axeOptions)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => {
      const nodesToReport = id === 'target-size' ? nodes.filter(({ element }) => !(${isCovered})(element)) : nodes
      return nodesToReport.length === 0 ? [] : [id + ': ' + nodesToReport.map(({ html }) => html).join(' | ')]
    }))`)
}

/**
 * Runs in the page: whether a layer that doesn't contain the element (the top bar, a dialog, a toast) covers it or touches it. The
 * visible rest of the element, or of its neighbor, then has no meaningful size.
 */
const isCovered = `(element) => {
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
