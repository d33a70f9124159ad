import { Alert, Anchor, Button, Title } from '@mantine/core'
import { connectedAppsTexts } from '@ovation/contract/texts/connected-apps'
import type { OAuthAuthorizationDetails } from '@supabase/auth-js'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { hostOf, iconOf, SiteOf } from '../../domain/connected-apps/app-name.tsx'
import { answerAuthorization } from '../../domain/connected-apps/queries.ts'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { signOut } from '../../lib/auth/sign-out.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './connected-apps.module.css'
import { Leaving } from './leaving.tsx'
import { NothingToDecide, refusalOf } from './nothing-to-decide.tsx'

const texts = connectedAppsTexts.consent

/** The app, the permissions that it requests, the account, and the redirect's host; Allow and Cancel. */
export function ConsentForm({ request }: { request: OAuthAuthorizationDetails }) {
  const { client, authorization_id: id } = request
  const host = hostOf(request.redirect_uri)
  const decision = useMutation({
    mutationFn: (choice: 'allow' | 'cancel') => answerAuthorization(id, choice),
    // `replace`, because the request is answered.
    onSuccess: (address) => window.location.replace(address),
  })
  if (decision.isSuccess) return <Leaving host={host} />
  const why = decision.error && refusalOf(decision.error)
  if (why && why !== 'failed' && why !== 'busy') return <NothingToDecide why={why} />
  return (
    <section className={`surface ${classes.card}`} aria-labelledby="consent-title">
      <div className={classes.app}>
        <ProfileAvatar name={client.name} src={iconOf(client)} size={64} />
        <Title order={1} id="consent-title" className={classes.title} dir="auto">
          {texts.title(client.name)}
        </Title>
        <SiteOf client={client} />
      </div>
      <SignedInAs email={request.user.email} />
      <p className={classes.can} id="consent-scopes" dir="auto">
        {texts.can(client.name)}
      </p>
      <ul className={classes.scopes} aria-labelledby="consent-scopes">
        {[texts.act(appConfig().name), ...request.scope.split(' ').flatMap(descriptionsOf)].map((description) => (
          <li key={description}>
            <IconCheck size={18} stroke={2} aria-hidden="true" />
            {description}
          </li>
        ))}
      </ul>
      <p className={classes.note}>{texts.cannot}</p>
      <p className={classes.note}>{texts.leadsTo(host)}</p>
      {decision.error && (
        <Alert role="alert" color="crimson" variant="light" title={texts.failed} mt="md">
          {errorMessageOf(decision.error)}
        </Alert>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="md"
          onClick={() => decision.mutate('cancel')}
          loading={decision.isPending && decision.variables === 'cancel'}
          disabled={decision.isPending}
        >
          {texts.cancel}
        </Button>
        <Button
          size="md"
          onClick={() => decision.mutate('allow')}
          loading={decision.isPending && decision.variables === 'allow'}
          disabled={decision.isPending}
        >
          {texts.allow}
        </Button>
      </div>
      <p className={classes.note}>{texts.undo}</p>
    </section>
  )
}

/** A scope without a description grants nothing. */
const descriptionsOf = (scope: string): string[] => {
  const description = Object.hasOwn(connectedAppsTexts.scopes, scope) ? connectedAppsTexts.scopes[scope] : undefined
  return description ? [description] : []
}

/** Switching accounts signs out, goes to the sign-in screen, and returns: the request is then open to the other account. */
function SignedInAs({ email }: { email: string }) {
  const viewer = useViewer()
  const leave = useMutation({
    mutationFn: signOut,
    onError: (error) => toast.error(errorMessageOf(error), texts.switchFailed),
  })
  return (
    <p className={classes.who}>
      <span>{texts.signedInAs(email || (viewer?.username ? `@${viewer.username}` : ''))}</span>
      <Anchor component="button" type="button" size="sm" onClick={() => leave.mutate()} disabled={leave.isPending}>
        {texts.switch}
      </Anchor>
    </p>
  )
}
