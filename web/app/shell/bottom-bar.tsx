import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconUser } from '@tabler/icons-react'
import { memo } from 'react'
import classes from './bottom-bar.module.css'
import { NavItem } from './nav-item.tsx'
import { NavItems } from './nav-items.tsx'

/** The top bar's icons on a phone, within reach of the thumb. */
export const BottomBar = memo(function BottomBar() {
  return (
    <nav className={classes.bar} aria-label={shellTexts.mainNavigation}>
      <NavItems size={24} />
      <NavItem to={paths.ownProfile} label={shellTexts.profile} icon={<IconUser size={24} stroke={1.6} />} />
    </nav>
  )
})
