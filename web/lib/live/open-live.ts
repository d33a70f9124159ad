import { realtime } from '../realtime.ts'
import type { Live } from './live.ts'
import { LiveHub } from './live-hub.ts'

let opened: Live | undefined

/** The one way to live updates in this page. Loads the websocket's code: import it when it is needed. */
export function openLive(): Live {
  opened ??= new LiveHub(realtime())
  return opened
}
