import type { OAuthGrant } from '@supabase/auth-js'
import { queryOptions } from '@tanstack/react-query'
import { authClient } from '../../lib/auth/auth-client.ts'

/**
 * An app's request, or the URL to continue to if the user has already allowed it. Never refetched: in the second case, reading it answers
 * it, and an answered request is no longer found.
 */
export const authorizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['oauth-authorization', id],
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    queryFn: async () => {
      const { data, error } = await (await authClient()).oauth.getAuthorizationDetails(id)
      if (error) throw error
      return data
    },
  })

/** Sends the user's decision. @returns the URL to redirect to. */
export async function answerAuthorization(id: string, decision: 'allow' | 'cancel'): Promise<string> {
  const { oauth } = await authClient()
  const { data, error } =
    decision === 'allow'
      ? await oauth.approveAuthorization(id, { skipBrowserRedirect: true })
      : await oauth.denyAuthorization(id, { skipBrowserRedirect: true })
  if (error) throw error
  return data.redirect_url
}

/** The apps with access to the viewer's account, newest first. */
export const grantsQuery = () =>
  queryOptions({
    queryKey: ['oauth-grants'],
    queryFn: async (): Promise<OAuthGrant[]> => {
      const { data, error } = await (await authClient()).oauth.listGrants()
      if (error) throw error
      return data
    },
  })

/** Revokes an app's access. Its tokens become invalid at once. */
export async function revokeGrant(clientId: string): Promise<void> {
  const { error } = await (await authClient()).oauth.revokeGrant({ clientId })
  if (error) throw error
}
