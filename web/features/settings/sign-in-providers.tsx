import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { settingsTexts } from '@ovation/contract/texts/settings'
import type { Provider, UserIdentity } from '@supabase/auth-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { announce, toast } from '../../ui/toast.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.services

const identitiesQuery = {
  queryKey: ['own-identities'],
  queryFn: async () => {
    const { data, error } = await (await authClient()).getUserIdentities()
    if (error) throw error
    return data.identities
  },
}

/** External providers that are enabled or connected (API-AUTH-17, API-AUTH-18). Renders nothing if there are none. */
export function Services() {
  const ways = useQuery(signInWaysQuery())
  const identities = useQuery(identitiesQuery)
  const providers = ways.data?.providers ?? []
  if (providers.length === 0 || !identities.data) return null
  return (
    <Section title={texts.title} message={texts.message}>
      <ul className={classes.rows}>
        {providers.map((provider) => (
          <Service
            key={provider.id}
            {...provider}
            identity={identities.data.find((identity) => identity.provider === provider.id)}
          />
        ))}
      </ul>
    </Section>
  )
}

type Props = { id: string; name: string; identity: UserIdentity | undefined }

function Service({ id, name, identity }: Props) {
  const queryClient = useQueryClient()
  const connect = useMutation({
    mutationFn: async () => {
      const redirectTo = window.location.origin + paths.settings
      const { error } = await (await authClient()).linkIdentity({ provider: id as Provider, options: { redirectTo } })
      if (error) throw error
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
  })
  const disconnect = useMutation({
    mutationFn: async (known: UserIdentity) => {
      const { error } = await (await authClient()).unlinkIdentity(known)
      if (error) throw error
    },
    onSuccess: () => {
      announce(texts.disconnected(name))
      void queryClient.invalidateQueries({ queryKey: identitiesQuery.queryKey })
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
  })
  return (
    <li className={classes.row}>
      <div className={`${classes.rowWords} ${classes.shortText}`}>
        <div className={classes.rowTitle}>{name}</div>
        {identity && <p className={classes.rowDetail}>{identity.identity_data?.email ?? texts.connected}</p>}
      </div>
      {identity ? (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => disconnect.mutate(identity)}
          loading={disconnect.isPending}
        >
          {texts.disconnect(name)}
        </Button>
      ) : (
        <Button variant="default" onClick={() => connect.mutate()} loading={connect.isPending}>
          {texts.connect(name)}
        </Button>
      )}
    </li>
  )
}
