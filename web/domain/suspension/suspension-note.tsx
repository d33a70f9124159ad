import { Alert } from '@mantine/core'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { IconUserOff } from '@tabler/icons-react'
import { formatDate } from '../../lib/format/format-date.ts'

const texts = operationsTexts.suspension

/** Shown to admins on a suspended user's profile. Others see a private profile. */
export default function SuspensionNote({ since, reason }: { since: string; reason: string }) {
  return (
    <Alert
      role="status"
      variant="light"
      color="crimson"
      mt="md"
      title={texts.since(formatDate(since))}
      icon={<IconUserOff size={20} stroke={1.75} />}
    >
      {texts.means(reason)}
    </Alert>
  )
}
