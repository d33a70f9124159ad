/** The result of an email link or a sign-in at another service that didn't simply sign the user in. */
export type LinkOutcome =
  /** `error_code` of auth/v1: `otp_expired`, `access_denied`, `bad_oauth_state`, … */
  | { kind: 'refused'; code: string; message: string }
  /** The first of the two confirmations of a new email address: the other one is still missing. */
  | { kind: 'half' }

let noted: LinkOutcome | null = null

/**
 * Moves the result that auth/v1 put into the URL (behind `#`, or in the query) to a variable for the screen that shows it.
 * It has to run before the router and the client read the URL: a redirect to the sign-in screen would lose it.
 */
export function noteLinkOutcome(location: Location = window.location): void {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const url = new URL(location.href)
  const said = fragment.has('error') || fragment.has('message') ? fragment : url.searchParams
  if (said.has('error_description') || said.has('error_code')) {
    noted = {
      kind: 'refused',
      code: said.get('error_code') ?? said.get('error') ?? '',
      message: said.get('error_description') ?? '',
    }
  } else if (fragment.has('message')) noted = { kind: 'half' }
  else return
  for (const name of ['error', 'error_code', 'error_description']) url.searchParams.delete(name)
  window.history.replaceState(null, '', `${url.pathname}${url.search}`)
}

/** The result, for the screen that shows it. It stays until {@link forgetLinkOutcome}: React may render a screen twice. */
export const linkOutcome = (): LinkOutcome | null => noted

export function forgetLinkOutcome(): void {
  noted = null
}
