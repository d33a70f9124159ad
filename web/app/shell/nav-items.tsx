import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconBell, IconCompass, IconHome, IconMessageCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavItem } from './nav-item.tsx'
import { useUnreadMessages, useUnreadNotifications } from './use-badges.ts'

/** The links of both bars (GEN-20..GEN-24). Each icon subscribes to its own count, so that the others don't re-render with it. */
/** @param middle stands between the places to look and the viewer's own news. */
export function NavItems({ size, middle }: { size: number; middle?: ReactNode }) {
  return (
    <>
      <NavItem to={paths.home} label={shellTexts.home} icon={<IconHome size={size} stroke={1.6} />} />
      <NavItem to={paths.explore} label={shellTexts.explore} icon={<IconCompass size={size} stroke={1.6} />} />
      {middle}
      <NotificationsItem size={size} />
      <MessagesItem size={size} />
    </>
  )
}

function NotificationsItem({ size }: { size: number }) {
  return (
    <NavItem
      to={paths.notifications}
      label={shellTexts.notifications}
      icon={<IconBell size={size} stroke={1.6} />}
      unread={useUnreadNotifications()}
    />
  )
}

function MessagesItem({ size }: { size: number }) {
  return (
    <NavItem
      to={paths.messages}
      label={shellTexts.messages}
      icon={<IconMessageCircle size={size} stroke={1.6} />}
      unread={useUnreadMessages()}
    />
  )
}
