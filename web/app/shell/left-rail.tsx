import { paths } from '@ovation/contract/paths'
import { menuTexts } from '@ovation/contract/texts/account-menu'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconBookmark, IconBooks, IconLayoutDashboard, IconRepeat, IconShieldLock, IconUser } from '@tabler/icons-react'
import { memo } from 'react'
import { useWaitingForAdmin } from '../../features/admin/queues.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { LazyCreate } from './lazy-create.tsx'
import classes from './left-rail.module.css'
import { NavItem } from './nav-item.tsx'
import { NavItems } from './nav-items.tsx'

/** The navigation on wide screens: every link with its label, and Create for creators (LOOP-19). */
export const LeftRail = memo(function LeftRail() {
  const viewer = useViewer()
  return (
    <nav className={classes.rail} aria-label={shellTexts.mainNavigation}>
      <NavItems size={icon.size} labeled />
      <NavItem to={paths.subscriptions} label={menuTexts.subscriptions} icon={<IconRepeat {...icon} />} labeled />
      <NavItem to={paths.library} label={menuTexts.library} icon={<IconBooks {...icon} />} labeled />
      <NavItem to={paths.saved} label={menuTexts.savedPosts} icon={<IconBookmark {...icon} />} labeled />
      {viewer?.isCreator && (
        <NavItem to={paths.dashboard} label={menuTexts.dashboard} icon={<IconLayoutDashboard {...icon} />} labeled />
      )}
      <NavItem to={paths.ownProfile} label={shellTexts.profile} icon={<IconUser {...icon} />} labeled />
      {viewer?.isAdmin && <AdminItem />}
      <div className={classes.create}>
        <LazyCreate />
      </div>
    </nav>
  )
})

function AdminItem() {
  return (
    <NavItem
      to={paths.adminOverview}
      label={menuTexts.adminPanel}
      icon={<IconShieldLock {...icon} />}
      labeled
      unread={useWaitingForAdmin()}
      unreadLabel={menuTexts.adminPanelWaiting}
    />
  )
}

const icon = { size: 22, stroke: 1.6 } as const
