import { Alert, Anchor, Text } from '@mantine/core'
import { onboardingTexts } from '@ovation/contract/texts/onboarding'
import { IconAlertCircle } from '@tabler/icons-react'
import type { SetupFailure } from './use-setup.ts'

/** The error, with instructions from the server if there are any (ONB-13, ONB-14, ONB-16, ONB-18). */
export function SetupFailureAlert({ failure }: { failure: SetupFailure | undefined }) {
  if (!failure) return null
  const { title, message, instructions, learnMore } = failure
  return (
    <Alert
      role="alert"
      color="crimson"
      variant="light"
      title={title}
      icon={<IconAlertCircle size={20} stroke={1.75} />}
      mb="lg"
    >
      <Text inherit>{message}</Text>
      {instructions && <Text inherit>{instructions}</Text>}
      {learnMore && (
        <Anchor href={learnMore} target="_blank" rel="noreferrer" inherit fw={550} underline="always">
          {onboardingTexts.learnMore}
        </Anchor>
      )}
    </Alert>
  )
}
