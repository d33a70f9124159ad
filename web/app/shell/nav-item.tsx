import { badgeCap } from '@ovation/contract/limits'
import { shellTexts } from '@ovation/contract/texts/common'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { formatBadge } from '../../lib/format/format-number.ts'
import classes from './nav-item.module.css'

type Props = {
  to: string
  label: string
  icon: ReactNode
  unread?: number
  /** What a screen reader says with a count. */
  unreadLabel?: (label: string, count: string) => string
  /** Whether the label is visible beside the icon. */
  labeled?: boolean | undefined
}

/** An icon of the top or bottom bar, with its unread count (GEN-20..GEN-24). */
export function NavItem({ to, label, icon, unread = 0, unreadLabel = shellTexts.unread, labeled = false }: Props) {
  const count = formatBadge(unread, badgeCap)
  return (
    <NavLink
      to={to}
      end
      className={classes.item}
      data-unread={unread > 0 || undefined}
      aria-label={unread > 0 ? unreadLabel(label, count) : label}
      data-labeled={labeled || undefined}
      title={labeled ? undefined : label}
    >
      {icon}
      {labeled && <span className={classes.label}>{label}</span>}
      {unread > 0 && (
        <span className={classes.badge} data-wide={count.length > 2 || undefined} aria-hidden="true">
          {count}
        </span>
      )}
    </NavLink>
  )
}
