import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until this has the focus: keyboard users can't use what Tab doesn't reach. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Not necessarily seen: the radio of a segment is drawn by its label.
  await expect(target).toBeAttached()
  for (let presses = 0; presses < 150; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target}`)
}

/** Goes there by Tab, and presses a key. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Goes there by Tab, and types. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

/** Opens a menu and chooses: its first entry has the focus, the arrow keys lead on. */
export async function choose(page: Page, menu: Locator, item: string | RegExp): Promise<void> {
  await press(page, menu)
  const entry = page.getByRole('menuitem', { name: item })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  for (let presses = 0; presses < 12; presses++) {
    if ((await entry.and(page.locator(':focus')).count()) > 0) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the arrow keys do not lead to ${item}`)
}

/** What has the focus can be seen to have it. Of buttons, links and tabs: a field shows it by its border. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const focused = page.locator(':focus')
  await expect(focused).toBeVisible()
  await expect.poll(() => page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
}
