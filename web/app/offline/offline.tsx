import { offlineTexts } from '@ovation/contract/texts/offline'
import { IconCloudOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionInStorage } from '../../lib/auth/auth-client.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { openOfflineData } from '../../lib/browser/offline-data.ts'
import { registerServiceWorker } from '../../lib/browser/service-worker.ts'
import { useNow } from '../../lib/browser/use-now.ts'
import { Ago } from '../../ui/ago.tsx'
import { ownScripts } from '../own-scripts.ts'
import { keepQueries } from './keep-queries.ts'
import classes from './offline.module.css'
import { type Connection, useConnection } from './use-connection.ts'

/** Keeps what a signed-in user reads for reading it offline, and says above the screen when there is no connection (LOOP-22). */
export default function Offline() {
  useKeptQueries(useSession().user?.id)
  const connection = useConnection()
  return (
    // Always mounted, so that screen readers announce its content.
    <div role="status" className={classes.status} data-offline={connection.state !== 'online'}>
      {connection.state !== 'online' && <Line {...connection} />}
    </div>
  )
}

function useKeptQueries(userId: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!userId) return
    // Browsers refuse it in private windows, and the app works without.
    registerServiceWorker().catch(() => undefined)
    const isSignedIn = () => sessionInStorage()?.user.id === userId
    return keepQueries(queryClient, openOfflineData({ userId, isSignedIn, release: ownScripts().join(' ') }))
  }, [queryClient, userId])
}

function Line({ state, updatedAt }: Connection) {
  useNow() // the time passes
  return (
    <div className={classes.line}>
      <IconCloudOff size={17} stroke={1.8} aria-hidden="true" />
      <span className={classes.words}>
        {state === 'offline' ? offlineTexts.offline : offlineTexts.unreachable}{' '}
        {updatedAt === null ? (
          offlineTexts.waiting
        ) : (
          <>
            {offlineTexts.lastUpdated} <Ago at={new Date(updatedAt).toISOString()} inSentence />.
          </>
        )}
      </span>
    </div>
  )
}
