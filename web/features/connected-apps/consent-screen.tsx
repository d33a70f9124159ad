import { authorizationParameter } from '@ovation/contract/paths'
import { connectedAppsTexts } from '@ovation/contract/texts/connected-apps'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { hostOf } from '../../domain/connected-apps/app-name.tsx'
import { authorizationQuery } from '../../domain/connected-apps/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { ConsentForm } from './consent-form.tsx'
import { Leaving } from './leaving.tsx'
import { NothingToDecide, refusalOf } from './nothing-to-decide.tsx'

const texts = connectedAppsTexts.consent

/** Where an app sends users to ask for access to their account (`AUTH_OAUTH_SERVER_AUTHORIZATION_PATH`). */
export function ConsentScreen() {
  const [parameters] = useSearchParams()
  const id = parameters.get(authorizationParameter)
  return (
    <Page title={texts.tab} heading={null} width="narrow">
      {id ? <AuthorizationRequest id={id} /> : <NothingToDecide why={refusalOf({ code: parameters.get('error') })} />}
    </Page>
  )
}

function AuthorizationRequest({ id }: { id: string }) {
  const request = useQuery(authorizationQuery(id))
  if (request.isPending) return <ListSkeleton rows={4} />
  if (request.isError) {
    const why = refusalOf(request.error)
    if (why !== 'failed') return <NothingToDecide why={why} />
    return <LoadFailed order={1} title={texts.loadFailed} message={errorMessageOf(request.error)} of={request} />
  }
  return 'redirect_url' in request.data ? (
    <RedirectToApp to={request.data.redirect_url} />
  ) : (
    <ConsentForm request={request.data} />
  )
}

/** Already allowed: redirects at once. */
function RedirectToApp({ to }: { to: string }) {
  useEffect(() => window.location.replace(to), [to])
  return <Leaving host={hostOf(to)} />
}
