import { Button } from '@mantine/core'
import { connectedAppsTexts } from '@ovation/contract/texts/connected-apps'
import type { OAuthGrant } from '@supabase/auth-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { iconOf, SiteOf } from '../../domain/connected-apps/app-name.tsx'
import { grantsQuery, revokeGrant } from '../../domain/connected-apps/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const { settings: texts, scopes: scopeTexts } = connectedAppsTexts

/**
 * The apps with access to the account, and a way to revoke it. Renders nothing if the server allows no apps (AUTH_OAUTH_SERVER_ENABLED).
 */
export function ConnectedApps() {
  const ways = useQuery(signInWaysQuery())
  return ways.data?.connectedApps ? <Apps /> : null
}

function Apps() {
  const grants = useQuery(grantsQuery())
  return (
    <Section title={texts.title} message={texts.message}>
      {grants.data ? (
        <List grants={grants.data} />
      ) : grants.isError ? (
        <LoadFailed title={texts.loadFailed} of={grants} />
      ) : (
        <ListSkeleton rows={1} />
      )}
    </Section>
  )
}

function List({ grants }: { grants: OAuthGrant[] }) {
  const queryClient = useQueryClient()
  const [removing, setRemoving] = useState<OAuthGrant>()
  const remove = useMutation({
    mutationFn: ({ client }: OAuthGrant) => revokeGrant(client.id),
    onSuccess: (_nothing, { client }) => announce(texts.done(client.name)),
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled: () => {
      setRemoving(undefined)
      void queryClient.invalidateQueries({ queryKey: grantsQuery().queryKey })
    },
  })
  if (grants.length === 0) return <p className={classes.sectionMessage}>{texts.empty}</p>
  return (
    <>
      <ul className={classes.rows}>
        {grants.map((grant) => (
          <App key={grant.client.id} grant={grant} onRemove={() => setRemoving(grant)} />
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          title={texts.dialog.title(removing.client.name)}
          message={texts.dialog.message}
          confirmLabel={texts.dialog.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

function App({ grant: { client, scopes, granted_at: date }, onRemove }: { grant: OAuthGrant; onRemove: () => void }) {
  return (
    <li className={classes.row}>
      <ProfileAvatar name={client.name} src={iconOf(client)} size={40} />
      <div className={classes.rowWords}>
        <div className={classes.rowTitle}>
          <span dir="auto">{client.name}</span>
          <SiteOf client={client} />
        </div>
        <p className={classes.rowDetail}>
          {[texts.allowed(formatDate(date)), ...scopes.flatMap((scope) => scopeTexts[scope] ?? [])].join(' · ')}
        </p>
      </div>
      <Button variant="subtle" color="gray" onClick={onRemove} aria-label={texts.remove(client.name)}>
        {texts.removeShort}
      </Button>
    </li>
  )
}
