import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconIdBadge2, IconSparkles } from '@tabler/icons-react'
import { Link } from 'react-router'
import { appConfig } from '../../lib/api/config.ts'
import { MessageState } from '../../ui/message-state.tsx'

const icons = {
  becomeCreator: <IconSparkles size={26} stroke={1.5} />,
  verificationRequired: <IconIdBadge2 size={26} stroke={1.5} />,
}

/** DASH-07, DASH-08. Both link to the application. */
export function Gate({ gate }: { gate: keyof typeof icons }) {
  const { title, message, action } = dashboardTexts[gate]
  return (
    <MessageState
      icon={icons[gate]}
      title={title}
      message={typeof message === 'string' ? message : message(appConfig().feePercent)}
      action={
        <Button component={Link} to={paths.creatorVerification}>
          {action}
        </Button>
      }
    />
  )
}
