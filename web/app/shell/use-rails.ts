import { useMediaQuery } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { useContext } from 'react'
import { matchPath, useLocation } from 'react-router'
import { AssumedPhone } from '../../lib/browser/assumed-phone.ts'

/** Areas with a rail of their own, or without any navigation beside them: the admin area, a call, and forms to sign in with. */
const withoutRail = [paths.admin, paths.stripeTest, paths.call(''), paths.auth, paths.oauthConsent]
const beginsWith = (pathname: string, path: string) =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)

/** Whether the window has room for rails, as in the style sheets (LOOP-19). */
const useIsWide: () => boolean = import.meta.env.SSR
  ? () => !useContext(AssumedPhone)
  : () => useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false })

/** Whether the navigation is in a rail at the left, instead of in the top bar. */
export function useHasLeftRail(signedIn: boolean): boolean {
  const { pathname } = useLocation()
  return useIsWide() && signedIn && !withoutRail.some((path) => beginsWith(pathname, path))
}

/** The screens of one column, which leave room for a rail at the right. A profile's rail is about its creator. */
export function useRightRail(userId: string | undefined): { show: false } | { show: true; profile: string | null } {
  const { pathname } = useLocation()
  const isWide = useIsWide()
  const profile = pathname === paths.ownProfile ? userId : matchPath('/profile/:username', pathname)?.params.username
  if (!isWide) return { show: false }
  if (profile !== undefined) return { show: true, profile }
  const isColumn =
    pathname === paths.home ||
    [paths.notifications, paths.saved, paths.post('')].some((path) => beginsWith(pathname, path))
  return isColumn && userId !== undefined ? { show: true, profile: null } : { show: false }
}
