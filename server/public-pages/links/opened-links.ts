import { openedLinksCookie, ownLinksCookie } from '@ovation/contract/opened-links'

const keptSeconds = 30 * 86_400
const maxKept = 20

type Opened = { readonly code: string; readonly at: number }

/** The value of a cookie in the header `Cookie`, or an empty text. */
function readCookie(header: string | undefined, name: string): string {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name) return value ?? ''
  }
  return ''
}

/** Whether the creator has opened their own links in this browser's dashboard. */
export const isOwnBrowser = (header: string | undefined, creatorId: string): boolean =>
  readCookie(header, ownLinksCookie) === creatorId

/**
 * The links that a browser has opened, with one more (LINK-02): each once a day, for 30 days, so that the first one counts. The cookie names
 * links, and nobody: what it is worth, the database checks once it is handed over to an account. The app reads it, so scripts can.
 * @param header of the request.
 * @param at seconds since 1970.
 * @returns the value of `Set-Cookie`.
 */
export function rememberOpened(header: string | undefined, code: string, at: number, isSecure: boolean): string {
  const known = parse(readCookie(header, openedLinksCookie)).filter((one) => one.at > at - keptSeconds && one.at <= at)
  const isKnown = known.some((one) => one.code === code && dayOf(one.at) === dayOf(at))
  const kept = (isKnown ? known : [...known, { code, at }]).slice(-maxKept)
  const value = kept.map((one) => `${one.code}.${one.at}`).join('~')
  return `${openedLinksCookie}=${value}; Max-Age=${keptSeconds}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

const dayOf = (seconds: number): number => Math.floor(seconds / 86_400)

const parse = (value: string): Opened[] =>
  value.split('~').flatMap((part) => {
    const [, code, at] = /^([a-z0-9]{8})\.(\d{1,10})$/.exec(part) ?? []
    return code && at ? [{ code, at: Number(at) }] : []
  })
