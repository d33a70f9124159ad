import { Button, Divider, Stack } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import type { Provider } from '@supabase/auth-js'
import {
  IconBrandApple,
  IconBrandGithub,
  IconBrandGoogle,
  IconBuilding,
  IconFingerprint,
  IconLogin2,
  IconMail,
} from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { isBrowsersRefusal, whyNoPasskeys } from '../../lib/auth/passkey-support.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { authAddress } from './mail-sent.ts'
import { signInErrorMessage } from './sign-in-error-message.ts'

const icons: Readonly<Record<string, typeof IconLogin2>> = {
  apple: IconBrandApple,
  github: IconBrandGithub,
  google: IconBrandGoogle,
}
const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const

type Props = {
  next: string | null
  /** When signing up: hides methods that need an account. */
  joining?: boolean
  onEmailLink: () => void
  onSso: () => void
}

/** The sign-in methods of this installation besides the password. */
export function OtherWays({ next, joining = false, onEmailLink, onSso }: Props) {
  const ways = useQuery(signInWaysQuery())
  const passkey = useMutation({ mutationFn: signInWithPasskey })
  const provider = useMutation({ mutationFn: (id: string) => signInWith(id, next) })
  const failure = passkey.error ?? provider.error
  const { providers = [], sso = false, passkeys = false } = ways.data ?? {}
  const hasPasskeys = passkeys && whyNoPasskeys() === undefined
  if (joining && providers.length === 0 && !sso) return null

  return (
    <Stack gap="xs" mt="md">
      <Divider label={accessTexts.or} />
      <FormFailure title={accessTexts.provider.failed} message={failure ? errorMessage(failure) : undefined} />
      {!joining && hasPasskeys && (
        <Button
          variant="default"
          leftSection={<IconFingerprint {...icon} />}
          onClick={() => passkey.mutate()}
          loading={passkey.isPending}
        >
          {accessTexts.passkey.signIn}
        </Button>
      )}
      {providers.map(({ id, name }) => {
        const Icon = icons[id] ?? IconLogin2
        return (
          <Button
            key={id}
            variant="default"
            leftSection={<Icon {...icon} />}
            onClick={() => provider.mutate(id)}
            loading={provider.isPending && provider.variables === id}
          >
            {accessTexts.provider.signIn(name)}
          </Button>
        )
      })}
      {sso && (
        <Button variant="default" leftSection={<IconBuilding {...icon} />} onClick={onSso}>
          {accessTexts.sso.link}
        </Button>
      )}
      {!joining && (
        <Button variant="default" leftSection={<IconMail {...icon} />} onClick={onEmailLink}>
          {accessTexts.emailLink.link}
        </Button>
      )}
    </Stack>
  )
}

async function signInWithPasskey(): Promise<void> {
  const { error } = await (await authClient()).signInWithPasskey()
  if (error) throw error
}

/** Leaves for the service, which returns to the sign-in screen. */
async function signInWith(id: string, next: string | null): Promise<void> {
  const { error } = await (await authClient()).signInWithOAuth({
    provider: id as Provider,
    options: { redirectTo: authAddress({ next, tab: 'welcome' }) },
  })
  if (error) throw error
}

/** Browsers report a canceled dialog, a missing passkey, and a timeout as the same technical error. */
function errorMessage(error: Error): string {
  return isBrowsersRefusal(error) ? accessTexts.passkey.canceled : signInErrorMessage(error)
}
