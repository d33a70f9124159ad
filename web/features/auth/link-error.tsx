import { Alert } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { IconLinkOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { forgetLinkOutcome, linkOutcome } from '../../lib/auth/link-outcome.ts'

const texts = accessTexts.link

/** Why an email link or another service didn't sign the user in. Shown once. */
export function LinkRefused() {
  const [outcome] = useState(linkOutcome)
  useEffect(forgetLinkOutcome, [])
  if (outcome?.kind !== 'refused') return null
  const isExpired = outcome.code === 'otp_expired' || outcome.code === 'flow_state_expired'
  return (
    <Alert
      role="alert"
      color="crimson"
      variant="light"
      mb="lg"
      title={isExpired ? texts.expired.title : texts.refused.title}
      icon={<IconLinkOff size={20} stroke={1.75} />}
    >
      {isExpired ? texts.expired.message : outcome.message}
    </Alert>
  )
}
