import type { Listened, Present } from './live.ts'

/** Messages from a tab to the worker. `id` is a listener or a channel of that tab. */
export type FromTab =
  /** The first message: the server, the viewer, and the lock that becomes free when the tab closes. */
  | {
      readonly type: 'start'
      readonly address: string
      readonly key: string
      readonly token: string
      readonly lock: string
    }
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'listen'; readonly id: number; readonly what: Listened }
  | { readonly type: 'join'; readonly id: number; readonly topic: string; readonly key: string }
  | { readonly type: 'broadcast'; readonly id: number; readonly event: string; readonly payload: object }
  | { readonly type: 'track'; readonly id: number; readonly state: object | null }
  | { readonly type: 'leave'; readonly id: number }

/** Messages from the worker to a tab. */
export type FromWorker =
  | { readonly type: 'change'; readonly id: number }
  | { readonly type: 'broadcast'; readonly id: number; readonly event: string; readonly payload: unknown }
  | { readonly type: 'present'; readonly id: number; readonly present: Present }
