import type { OAuthGrant } from '@supabase/auth-js'
import { queryOptions } from '@tanstack/react-query'
import { authClient } from '../../lib/auth/auth-client.ts'

/**
 * What an app asks for, or the address to go on to where the person allowed as much before. Read once: reading answers in the second case,
 * and an answered request is no longer found.
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

/** Sends the person's answer. @returns where the browser goes. */
export async function answerAuthorization(id: string, answer: 'allow' | 'cancel'): Promise<string> {
  const { oauth } = await authClient()
  const { data, error } =
    answer === 'allow'
      ? await oauth.approveAuthorization(id, { skipBrowserRedirect: true })
      : await oauth.denyAuthorization(id, { skipBrowserRedirect: true })
  if (error) throw error
  return data.redirect_url
}

/** The apps that the viewer lets use their account, the newest first. */
export const grantsQuery = () =>
  queryOptions({
    queryKey: ['oauth-grants'],
    queryFn: async (): Promise<OAuthGrant[]> => {
      const { data, error } = await (await authClient()).oauth.listGrants()
      if (error) throw error
      return data
    },
  })

/** Its tokens end at once. */
export async function revokeGrant(clientId: string): Promise<void> {
  const { error } = await (await authClient()).oauth.revokeGrant({ clientId })
  if (error) throw error
}
