import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { ViewProps } from './period.ts'

/** The tabs of the analytics, in order. Their names are in the address, and their words in the texts. */
export const views = {
  revenue: lazy(() => import('./revenue-view.tsx')),
} as const satisfies Record<string, LazyExoticComponent<ComponentType<ViewProps>>>

export type ViewName = keyof typeof views
