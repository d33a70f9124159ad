import { expect, type Locator, type Page } from '@playwright/test'

/** Presses Tab until the target has the focus. Keyboard users can't use anything that Tab doesn't reach. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // It may be invisible: a segment's radio button is drawn by its label.
  await expect(target).toBeAttached()
  for (let presses = 0; presses < 300; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target}`)
}

/** Tabs to the target and presses a key. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Tabs to the target and types. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

/** Opens a menu, whose first item gets the focus, and chooses an item with the arrow keys. */
export async function choose(page: Page, menu: Locator, item: string | RegExp): Promise<void> {
  // A window that changed its size may have scrolled away from what has the focus, and a menu hides while its button is out of sight.
  await menu.scrollIntoViewIfNeeded()
  await press(page, menu)
  const entry = page.getByRole('menuitem', { name: item })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  for (let presses = 0; presses < 12; presses++) {
    if ((await entry.and(page.locator(':focus')).count()) > 0) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`the arrow keys do not lead to ${item}`)
}

/** Checks that the focus is visible. For buttons, links, and tabs: a field shows it with its border. */
export async function expectFocusVisible(page: Page): Promise<void> {
  const focused = page.locator(':focus')
  await expect(focused).toBeVisible()
  await expect.poll(() => page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none')
}
