import { Anchor } from '@mantine/core'
import type { OAuthAuthorizationClient } from '@supabase/auth-js'

/** The host of a URL; the text itself if it isn't a URL. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

/** An app's icon, if this site hosts it. The content security policy blocks other sites, which would learn who opens the screen. */
export function iconOf({ logo_uri: icon }: OAuthAuthorizationClient): string | null {
  return URL.canParse(icon) && new URL(icon).origin === window.location.origin ? icon : null
}

/** A link to the app's website, labeled with its host. */
export function SiteOf({ client: { uri } }: { client: OAuthAuthorizationClient }) {
  if (!uri) return null
  return (
    <Anchor href={uri} target="_blank" rel="noopener noreferrer" size="sm">
      {hostOf(uri)}
    </Anchor>
  )
}
