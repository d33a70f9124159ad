import { type ProfileTab, profileTabs } from '@ovation/contract/profile-layouts'
import type { Profile } from './queries.ts'

/**
 * The tabs of a profile in the creator's order (PAGE-01), and the open one: that of the URL, or the first. "Subscribe" is there for profiles
 * that may sell (PROF-14).
 */
export function tabsOf(
  { layout, is_verified }: Profile,
  requested: string | null,
): { names: ProfileTab[]; open: ProfileTab } {
  const names = (layout?.tab_order ?? profileTabs).filter((name) => is_verified || name !== 'subscribe')
  return { names, open: names.find((name) => name === requested) ?? names[0] ?? 'posts' }
}
