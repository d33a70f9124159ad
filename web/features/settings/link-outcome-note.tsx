import { Alert } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { settingsTexts as texts } from '@ovation/contract/texts/settings'
import { IconLinkOff, IconMailCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { forgetLinkOutcome, linkOutcome } from '../../lib/auth/link-outcome.ts'

/** The result of an email link: the first of two confirmations of a new address, or a link that no longer works. */
export function LinkOutcomeNote() {
  const [outcome] = useState(linkOutcome)
  useEffect(forgetLinkOutcome, [])
  if (!outcome) return null
  if (outcome.kind === 'half')
    return (
      <Alert role="status" color="teal" variant="light" mb="lg" icon={<IconMailCheck size={20} stroke={1.75} />}>
        {texts.email.half}
      </Alert>
    )
  const { title } = accessTexts.link.expired
  return (
    <Alert
      role="alert"
      color="crimson"
      variant="light"
      mb="lg"
      title={title}
      icon={<IconLinkOff size={20} stroke={1.75} />}
    >
      {outcome.message}
    </Alert>
  )
}
