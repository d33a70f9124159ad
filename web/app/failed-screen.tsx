import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commonTexts, notFoundTexts } from '@ovation/contract/texts/common'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { MessageState } from '../ui/message-state.tsx'
import { Page } from '../ui/page.tsx'
import { useStaleBuildReload } from './stale-build-reload.ts'

/** Replaces a screen that failed; the shell around it still works. Renders nothing while the page reloads. */
export function FailedScreen() {
  if (useStaleBuildReload()) return null
  return (
    <Page title={commonTexts.somethingWrong.title} heading={null}>
      <MessageState
        order={1}
        icon={<IconAlertTriangle size={26} stroke={1.5} />}
        {...commonTexts.somethingWrong}
        action={
          <>
            {/* Reloads, because after a new release the old page requests files that no longer exist. */}
            <Button variant="default" onClick={() => window.location.reload()}>
              {commonTexts.retry}
            </Button>
            <Button component={Link} to={paths.home} variant="subtle" color="gray">
              {notFoundTexts.home}
            </Button>
          </>
        }
      />
    </Page>
  )
}
