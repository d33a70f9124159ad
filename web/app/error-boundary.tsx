import { Anchor, Button } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { commonTexts, notFoundTexts } from '@ovation/contract/texts/common'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'
import { MessageState } from '../ui/message-state.tsx'
import { Page } from '../ui/page.tsx'

/** In place of a screen that failed. The shell around it still works. */
export function ErrorBoundary() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundScreen />

  const forbidden = isRouteErrorResponse(error) && error.status === 403
  const words = forbidden ? commonTexts.noAccess : commonTexts.somethingWrong
  return (
    <Page title={words.title} heading={null}>
      <MessageState
        order={1}
        icon={forbidden ? <IconLock size={26} stroke={1.5} /> : <IconAlertTriangle size={26} stroke={1.5} />}
        title={words.title}
        message={words.message}
        action={
          <>
            {!forbidden && (
              // A reload, not another render: after a new release the old page asks for files that are gone.
              <Button variant="default" onClick={() => window.location.reload()}>
                {commonTexts.retry}
              </Button>
            )}
            <Anchor component={Link} to={paths.home} inherit>
              {notFoundTexts.home}
            </Anchor>
          </>
        }
      />
    </Page>
  )
}
