import { providerNames } from '@ovation/contract/texts/account-access'
import { queryOptions } from '@tanstack/react-query'
import { apiUrl } from '../../lib/api/api-url.ts'
import { fetchAsCaller } from '../../lib/api/supabase.ts'

/** The sign-in methods of this installation: `GET /auth/v1/settings`. */
export type SignInWays = {
  /** External providers, for example `google`. */
  providers: { id: string; name: string }[]
  sso: boolean
  passkeys: boolean
  /** Whether codes can be sent by SMS. */
  textMessages: boolean
  /** Whether admins without a second factor have only a user's permissions (AUTH_MFA_REQUIRED_FOR_ADMINS). */
  adminsNeedSecondFactor: boolean
  signUpOpen: boolean
  /** Whether other apps can act for users (AUTH_OAUTH_SERVER_ENABLED). */
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

/** The entries of `external` that aren't OAuth providers. */
const others = /^(email|phone|anonymous_users|web3_.*)$/

/** Cached for the whole visit, because it changes only when an operator restarts the server. If it fails, only the password form shows. */
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
