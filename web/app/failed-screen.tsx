import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { IconAlertTriangle } from '@tabler/icons-react'
import { onlineManager } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { MessageState } from '../ui/message-state.tsx'
import { Page } from '../ui/page.tsx'
import { useStaleBuildReload } from './stale-build-reload.ts'

/** Replaces a screen that failed; the shell around it still works. Renders nothing while the page reloads. */
export function FailedScreen() {
  const isReloading = useStaleBuildReload()
  const isOffline = useOpenOnReturn()
  if (isReloading) return null
  const texts = isOffline
    ? { title: commonTexts.offlineTitle, message: commonTexts.offline }
    : commonTexts.somethingWrong
  return (
    <Page title={texts.title} heading={null}>
      <MessageState
        order={1}
        icon={<IconAlertTriangle size={26} stroke={1.5} />}
        {...texts}
        action={
          <>
            {/* Reloads, because after a new release the old page requests files that no longer exist. */}
            <Button variant="default" onClick={() => window.location.reload()}>
              {commonTexts.retry}
            </Button>
            <Button component={Link} to={paths.home} variant="subtle" color="gray">
              {commonTexts.returnHome}
            </Button>
          </>
        }
      />
    </Page>
  )
}

/** Without a connection, its code couldn't load (LOOP-22). It opens again by itself, without a reload, which would lose unsent messages. */
function useOpenOnReturn(): boolean {
  const navigate = useNavigate()
  const location = useLocation()
  const isOffline = !onlineManager.isOnline()
  useEffect(() => {
    if (!isOffline) return
    return onlineManager.subscribe((isOnline) => isOnline && void navigate(location, { replace: true }))
  }, [isOffline, navigate, location])
  return isOffline
}
