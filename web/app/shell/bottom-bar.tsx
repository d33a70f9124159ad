import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconCompass, IconHome, IconSearch } from '@tabler/icons-react'
import { memo } from 'react'
import classes from './bottom-bar.module.css'
import { LazyAvatarMenu } from './lazy-avatar-menu.tsx'
import { LazyCreate } from './lazy-create.tsx'
import { NavItem } from './nav-item.tsx'
import { NavItems } from './nav-items.tsx'

/**
 * The top bar's icons and the account menu on a phone, within reach of the thumb. Creators have Create in the middle (LOOP-07);
 * visitors get the front page, Explore, and search (LOOP-03).
 */
export const BottomBar = memo(function BottomBar({ signedIn }: { signedIn: boolean }) {
  return (
    <nav className={classes.bar} data-keep-clear aria-label={shellTexts.mainNavigation}>
      {signedIn ? (
        <>
          <NavItems size={icon.size} middle={<LazyCreate part="round" />} />
          <LazyAvatarMenu />
        </>
      ) : (
        <>
          <NavItem to={paths.auth} label={shellTexts.home} icon={<IconHome {...icon} />} />
          <NavItem to={paths.explore} label={shellTexts.explore} icon={<IconCompass {...icon} />} />
          <NavItem to={paths.searchScreen} label={shellTexts.search.label} icon={<IconSearch {...icon} />} />
        </>
      )}
    </nav>
  )
})

const icon = { size: 24, stroke: 1.6 } as const
