import { Badge } from '@mantine/core'
import { adminTexts } from '@ovation/contract/texts/admin'
import classes from './admin-screen.module.css'
import type { SupportRequest } from './support-queries.ts'

const texts = adminTexts.support
const colors = { open: 'crimson', in_progress: 'yellow', resolved: 'teal' }

export function SupportStatus({ status }: { status: SupportRequest['status'] }) {
  return (
    <Badge variant="light" color={colors[status]} className={classes.badge} data-status={status}>
      {texts.states[status]}
    </Badge>
  )
}
