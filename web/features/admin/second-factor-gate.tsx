import { Anchor, Stack, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { adminAccessTexts as texts } from '@ovation/contract/texts/admin-access'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { claimsOf } from '../../lib/auth/second-factor.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { MessageState } from '../../ui/message-state.tsx'
import { Page } from '../../ui/page.tsx'

const TurnOn = lazy(async () => ({
  default: (await import('../../domain/accounts/turn-on-two-factor.tsx')).TurnOnTwoFactor,
}))

/**
 * If admins need a second factor (AUTH_MFA_REQUIRED_FOR_ADMINS), an admin without one sets it up here and continues. Admins who have one
 * entered it at sign-in. The database decides what an admin may see: without this, the screens would be empty without an explanation.
 */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { session } = useSession()
  const queryClient = useQueryClient()
  const needed = useQuery(signInWaysQuery()).data?.adminsNeedSecondFactor ?? false
  const isProved = session !== null && claimsOf(session.access_token).aal === 'aal2'
  // The token has the second factor right after the first code, but the recovery codes still have to be shown.
  const [isHeld, setHeld] = useState(false)
  const proceed = () => {
    setHeld(false)
    // Earlier responses were those for an ordinary user.
    void queryClient.invalidateQueries()
  }
  if (!needed || session === null || (isProved && !isHeld)) return children
  return (
    <Page title={texts.title} heading={null} width="narrow">
      <MessageState
        order={1}
        icon={<IconShieldLock size={26} stroke={1.5} />}
        title={texts.title}
        message={texts.message}
        action={
          <Stack align="center" gap="md">
            <Suspense>
              <TurnOn onBegin={() => setHeld(true)} onDone={proceed} />
            </Suspense>
            <Text size="sm">
              <Anchor component={Link} to={paths.settingsTab('account')}>
                {texts.otherWays}
              </Anchor>
            </Text>
          </Stack>
        }
      />
    </Page>
  )
}
