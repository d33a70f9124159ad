import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { ViewProps } from './period.ts'

/** The tabs of the analytics, in order. Their names are in the address, and their words in the texts. */
export const views = {
  revenue: lazy(() => import('./revenue-view.tsx')),
  subscribers: lazy(() => import('./subscribers-view.tsx')),
  retention: lazy(() => import('./retention-view.tsx')),
  value: lazy(() => import('./value-view.tsx')),
  funnel: lazy(() => import('./funnel-view.tsx')),
  content: lazy(() => import('./content-view.tsx')),
} as const satisfies Record<string, LazyExoticComponent<ComponentType<ViewProps>>>

export type ViewName = keyof typeof views

/** Tabs that always show the same time, and have no choice of it. */
export const withoutPeriod: readonly ViewName[] = ['retention', 'value']
