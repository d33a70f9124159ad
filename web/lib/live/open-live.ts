import type { Live } from './live.ts'
import { canShare, SharedLive } from './shared-live.ts'

let opened: Promise<Live> | undefined

/** The one way to live updates in this page: through the worker that tabs share, or, without one, a socket of its own. */
export function openLive(): Promise<Live> {
  opened ??= canShare() ? Promise.resolve(new SharedLive()) : openOwn()
  return opened
}

async function openOwn(): Promise<Live> {
  const [{ LiveHub }, { realtime }] = await Promise.all([import('./live-hub.ts'), import('./realtime.ts')])
  return new LiveHub(realtime())
}
