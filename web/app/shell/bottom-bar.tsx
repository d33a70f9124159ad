import { paths } from '@ovation/contract/routes'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconBell, IconCompass, IconHome, IconMessageCircle, IconUser } from '@tabler/icons-react'
import classes from './bottom-bar.module.css'
import { NavItem } from './nav-item.tsx'
import { useBadges } from './use-badges.ts'

/** The top bar's icons on a phone. */
export function BottomBar() {
  const badges = useBadges()
  return (
    <nav className={classes.bar} aria-label={shellTexts.mainNavigation}>
      <NavItem to={paths.home} label={shellTexts.home} icon={<IconHome size={24} stroke={1.6} />} />
      <NavItem to={paths.explore} label={shellTexts.explore} icon={<IconCompass size={24} stroke={1.6} />} />
      <NavItem
        to={paths.notifications}
        label={shellTexts.notifications}
        icon={<IconBell size={24} stroke={1.6} />}
        unread={badges.notifications}
      />
      <NavItem
        to={paths.messages}
        label={shellTexts.messages}
        icon={<IconMessageCircle size={24} stroke={1.6} />}
        unread={badges.messages}
      />
      <NavItem to={paths.ownProfile} label={shellTexts.profile} icon={<IconUser size={24} stroke={1.6} />} />
    </nav>
  )
}
