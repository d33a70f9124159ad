import type { Live } from './live.ts'
import { canShare, SharedLive } from './shared-live.ts'

let opened: Promise<Live> | undefined

/** This page's live updates: through the worker that tabs share, or else through its own socket. */
export function openLive(): Promise<Live> {
  opened ??= canShare() ? Promise.resolve(new SharedLive()) : openOwn()
  return opened
}

async function openOwn(): Promise<Live> {
  const [{ LiveHub }, { realtime }] = await Promise.all([import('./live-hub.ts'), import('./realtime.ts')])
  return new LiveHub(realtime())
}
