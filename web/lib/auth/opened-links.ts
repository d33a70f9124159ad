import { openedLinksCookie } from '@ovation/contract/opened-links'

/** The links of creators that this browser has opened in the last 30 days, as the server keeps them in a cookie (LINK-02). */
export const openedLinks = (): string =>
  import.meta.env.SSR ? '' : (new RegExp(`(?:^|; )${openedLinksCookie}=([^;]*)`).exec(document.cookie)?.[1] ?? '')

export function forgetOpenedLinks(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs TLS
  document.cookie = `${openedLinksCookie}=; max-age=0; path=/; samesite=lax`
}
