import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconBell, IconCompass, IconHome, IconMessageCircle } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../lib/session.tsx'
import { signInPath } from '../../lib/sign-in-path.ts'
import { AvatarPlace } from './avatar-place.tsx'
import { NavItem } from './nav-item.tsx'
import { SearchBox } from './search-box.tsx'
import classes from './top-bar.module.css'
import { useBadges } from './use-badges.ts'
import { Wordmark } from './wordmark.tsx'

export function TopBar() {
  const { user, loading } = useSession()
  return (
    <header className={classes.bar}>
      <div className={classes.inner} data-signed-in={user !== null}>
        <Wordmark />
        <SearchBox className={classes.search} />
        {user ? <SignedIn /> : <SignedOut hidden={loading} />}
      </div>
    </header>
  )
}

function SignedIn() {
  const badges = useBadges()
  return (
    <div className={classes.actions}>
      <nav className={classes.nav} aria-label={shellTexts.mainNavigation}>
        <NavItem to={paths.home} label={shellTexts.home} icon={<IconHome size={22} stroke={1.6} />} />
        <NavItem to={paths.explore} label={shellTexts.explore} icon={<IconCompass size={22} stroke={1.6} />} />
        <NavItem
          to={paths.notifications}
          label={shellTexts.notifications}
          icon={<IconBell size={22} stroke={1.6} />}
          unread={badges.notifications}
        />
        <NavItem
          to={paths.messages}
          label={shellTexts.messages}
          icon={<IconMessageCircle size={22} stroke={1.6} />}
          unread={badges.messages}
        />
      </nav>
      <AvatarPlace />
    </div>
  )
}

/** GEN-31: two buttons, one screen; both bring the visitor back here afterwards. Hidden, not absent, while the session is read, so that nothing jumps. */
function SignedOut({ hidden }: { hidden: boolean }) {
  const here = signInPath(useLocation())
  return (
    <div className={classes.actions} style={hidden ? { visibility: 'hidden' } : undefined}>
      <Button component={Link} to={here} variant="subtle" color="gray" className={classes.signIn}>
        {shellTexts.signIn}
      </Button>
      <Button component={Link} to={withTab(here)}>
        {shellTexts.joinNow}
      </Button>
    </div>
  )
}

const withTab = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}tab=sign-up`
