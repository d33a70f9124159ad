import { apiUrl } from './api-url.ts'
import { fetchAsCaller } from './supabase.ts'

const counted = new Set<string>()

/**
 * Counts that the viewer, or a visitor, sees a creator's profile or plans (profiles.id), or a product (products.id), for the creator's funnel
 * (STATX-02). The server counts each viewer once a day; a failure is ignored.
 */
export function countPageView(page: 'profile' | 'plans' | 'product', id: string): void {
  const view = JSON.stringify({ page, id })
  if (counted.has(view)) return
  counted.add(view)
  void fetchAsCaller(`${apiUrl('functions')}/count-page-view`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: view,
  }).catch(() => undefined)
}
