import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { sessionTexts } from '@ovation/contract/texts/private-sessions'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'

type ClosedProps = { icon: ReactNode; title: string; message?: string; action?: ReactNode }

/** Replaces the call when it isn't open, with the reason and an alternative. */
export function Closed({ action, ...props }: ClosedProps) {
  return (
    <div className="surface" role="status">
      <EmptyState
        {...props}
        order={2}
        action={
          action ?? (
            <Button component={Link} to={paths.privateSessions} variant="default">
              {sessionTexts.call.back}
            </Button>
          )
        }
      />
    </div>
  )
}
