import { Alert } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { IconLinkOff } from '@tabler/icons-react'

const texts = accessTexts.link

/** @param code of auth/v1, for example `otp_expired`. */
export default function RefusedLink({ code, message }: { code: string; message: string }) {
  const isExpired = code === 'otp_expired' || code === 'flow_state_expired'
  return (
    <Alert
      role="alert"
      color="crimson"
      variant="light"
      mb="lg"
      title={isExpired ? texts.expired.title : texts.refused.title}
      icon={<IconLinkOff size={20} stroke={1.75} />}
    >
      {isExpired ? texts.expired.message : message}
    </Alert>
  )
}
