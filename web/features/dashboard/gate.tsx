import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { IconSparkles } from '@tabler/icons-react'
import { Link } from 'react-router'
import { appConfig } from '../../lib/api/config.ts'
import { MessageState } from '../../ui/message-state.tsx'

const { title, message, action } = dashboardTexts.becomeCreator

/** DASH-07. The gate of DASH-08 is the first step of the checklist. */
export function Gate() {
  return (
    <MessageState
      icon={<IconSparkles size={26} stroke={1.5} />}
      title={title}
      message={message(appConfig().feePercent)}
      action={
        <Button component={Link} to={paths.creatorVerification}>
          {action}
        </Button>
      }
    />
  )
}
