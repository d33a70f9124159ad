import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconBell, IconCompass, IconHome, IconMessageCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NavItem } from './nav-item.tsx'
import { useUnreadMessages, useUnreadNotifications } from './use-badges.ts'

type Look = {
  size: number
  labeled?: boolean | undefined
  /** Stands between the places to look and the viewer's own news. */
  middle?: ReactNode
}

/** The links of both bars and of the rail (GEN-20..GEN-24). Each icon subscribes to its own count, so that the others don't re-render with it. */
export function NavItems({ size, labeled, middle }: Look) {
  return (
    <>
      <NavItem to={paths.home} label={shellTexts.home} icon={<IconHome size={size} stroke={1.6} />} labeled={labeled} />
      <NavItem
        to={paths.explore}
        label={shellTexts.explore}
        icon={<IconCompass size={size} stroke={1.6} />}
        labeled={labeled}
      />
      {middle}
      <NotificationsItem size={size} labeled={labeled} />
      <MessagesItem size={size} labeled={labeled} />
    </>
  )
}

function NotificationsItem({ size, labeled }: Look) {
  return (
    <NavItem
      to={paths.notifications}
      label={shellTexts.notifications}
      icon={<IconBell size={size} stroke={1.6} />}
      labeled={labeled}
      unread={useUnreadNotifications()}
    />
  )
}

function MessagesItem({ size, labeled }: Look) {
  return (
    <NavItem
      to={paths.messages}
      label={shellTexts.messages}
      icon={<IconMessageCircle size={size} stroke={1.6} />}
      labeled={labeled}
      unread={useUnreadMessages()}
    />
  )
}
