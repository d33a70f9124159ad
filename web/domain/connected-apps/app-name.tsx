import { Anchor } from '@mantine/core'
import type { OAuthAuthorizationClient } from '@supabase/auth-js'

/** `app.example` of an address; the address itself where it is none. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

/** An app's picture, where this site has it: another site would learn who opens the screen, and the content security policy refuses it. */
export function iconOf({ logo_uri: icon }: OAuthAuthorizationClient): string | null {
  return URL.canParse(icon) && new URL(icon).origin === window.location.origin ? icon : null
}

/** The app's own site, by its name. */
export function SiteOf({ client: { uri } }: { client: OAuthAuthorizationClient }) {
  if (!uri) return null
  return (
    <Anchor href={uri} target="_blank" rel="noopener noreferrer" size="sm">
      {hostOf(uri)}
    </Anchor>
  )
}
