import { providerNames } from '@ovation/contract/texts/account-access'
import { queryOptions } from '@tanstack/react-query'
import { apiUrl } from '../../lib/api/api-url.ts'
import { fetchAsCaller } from '../../lib/api/supabase.ts'

/** What this installation offers to sign in with: `GET /auth/v1/settings`. */
export type SignInWays = {
  /** Other services, e.g. `google`. */
  providers: { id: string; name: string }[]
  sso: boolean
  passkeys: boolean
  /** Whether codes can be sent to phones. */
  textMessages: boolean
  /** An admin without a second factor has no more rights than anybody (AUTH_MFA_REQUIRED_FOR_ADMINS). */
  adminsNeedSecondFactor: boolean
  signUpOpen: boolean
  /** Whether other applications can act for people here (AUTH_OAUTH_SERVER_ENABLED). */
  connectedApps: boolean
}

type Settings = {
  external: Record<string, boolean>
  saml_enabled: boolean
  passkeys_enabled?: boolean
  mfa_required_for_admins?: boolean
  disable_signup: boolean
  oauth_server_enabled?: boolean
}

/** Of `external`, what is no service to be sent to. */
const others = /^(email|phone|anonymous_users|web3_.*)$/

/** It changes when an operator restarts the server: once a visit is enough. Where it can't be had, the password form stands alone. */
export const signInWaysQuery = () =>
  queryOptions({
    queryKey: ['sign-in-ways'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<SignInWays> => {
      const response = await fetchAsCaller(`${apiUrl('auth')}/settings`, { signal })
      if (!response.ok) throw new Error(`GET /settings answered ${response.status}`)
      const settings = (await response.json()) as Settings
      return {
        providers: Object.keys(settings.external)
          .filter((id) => settings.external[id] && !others.test(id))
          .sort()
          .map((id) => ({ id, name: providerNames[id] ?? sentenceCase(id) })),
        sso: settings.saml_enabled,
        passkeys: settings.passkeys_enabled ?? false,
        textMessages: settings.external.phone ?? false,
        adminsNeedSecondFactor: settings.mfa_required_for_admins ?? false,
        signUpOpen: !settings.disable_signup,
        connectedApps: settings.oauth_server_enabled ?? false,
      }
    },
  })

const sentenceCase = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ')
