import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { memo, useLayoutEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../lib/auth/session.tsx'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { LazyAvatarMenu } from './lazy-avatar-menu.tsx'
import { LazyCreate } from './lazy-create.tsx'
import { NavItems } from './nav-items.tsx'
import { SearchBox } from './search-box.tsx'
import classes from './top-bar.module.css'
import { useHasLeftRail } from './use-rails.ts'
import { Wordmark } from './wordmark.tsx'

export const TopBar = memo(function TopBar() {
  const { user, loading } = useSession()
  useSignedOutMark(user === null)
  return (
    <header className={classes.bar} data-keep-clear>
      <div className={classes.inner} data-signed-in={user !== null}>
        <Wordmark />
        <SearchBox className={classes.search} />
        {user ? <SignedIn /> : <SignedOut hidden={loading} />}
      </div>
    </header>
  )
})

/** Marks the root element, whose scroll padding depends on the bar's height. A `:has()` selector would search the whole page. */
function useSignedOutMark(signedOut: boolean): void {
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-signed-out', signedOut)
  }, [signedOut])
}

function SignedIn() {
  const isPhone = useIsPhone()
  const hasLeftRail = useHasLeftRail(true)
  if (isPhone) return null // all of it is in the bottom bar
  return (
    <div className={classes.actions}>
      {!hasLeftRail && (
        <>
          <LazyCreate />
          <nav className={classes.nav} aria-label={shellTexts.mainNavigation}>
            <NavItems size={22} />
          </nav>
        </>
      )}
      <LazyAvatarMenu />
    </div>
  )
}

/** GEN-31, LOOP-03: Explore, and two buttons for one screen, which returns the visitor here afterwards. Hidden, not absent, while the session loads, so that nothing moves. */
function SignedOut({ hidden }: { hidden: boolean }) {
  const here = useLocation()
  const isPhone = useIsPhone()
  return (
    <div className={classes.actions} style={hidden ? { visibility: 'hidden' } : undefined}>
      {/* On a phone, it is in the bottom bar. */}
      {!isPhone && (
        <nav className={classes.nav} aria-label={shellTexts.mainNavigation}>
          <Button component={Link} to={paths.explore} variant="subtle" color="gray" className={classes.signIn}>
            {shellTexts.explore}
          </Button>
        </nav>
      )}
      <Button
        component={Link}
        to={signInPath(here, { tab: 'sign-in' })}
        variant="subtle"
        color="gray"
        className={classes.signIn}
      >
        {shellTexts.signIn}
      </Button>
      <Button component={Link} to={signInPath(here, { tab: 'sign-up' })} variant="default">
        {shellTexts.joinNow}
      </Button>
    </div>
  )
}
