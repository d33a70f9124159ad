import { Anchor, Stack, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { adminAccessTexts as texts } from '@ovation/contract/texts/admin-access'
import { IconShieldLock } from '@tabler/icons-react'
import { Link } from 'react-router'
import { TurnOnTwoFactor } from '../../domain/accounts/turn-on-two-factor.tsx'
import { MessageState } from '../../ui/message-state.tsx'
import { Page } from '../../ui/page.tsx'

/** Sets up the second factor that an admin needs here. */
export default function TurnOnPage({ onBegin, onDone }: { onBegin: () => void; onDone: () => void }) {
  return (
    <Page title={texts.title} heading={null} width="narrow">
      <MessageState
        order={1}
        icon={<IconShieldLock size={26} stroke={1.5} />}
        title={texts.title}
        message={texts.message}
        action={
          <Stack align="center" gap="md">
            <TurnOnTwoFactor primary onBegin={onBegin} onDone={onDone} />
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
