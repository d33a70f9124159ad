import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { messageTexts } from '@ovation/contract/texts/messages'
import { payingTexts } from '@ovation/contract/texts/paying'
import { IconGift } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import type { Person } from '../../domain/messages/queries.ts'
import { GiveTip } from '../../domain/payments/give-tip.tsx'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { BackToConversations } from './back-to-conversations.tsx'
import classes from './messages-screen.module.css'
import { useOnlineStatus } from './use-online-status.ts'

const NoticeLine = lazy(() =>
  import('../../domain/messages/message-notice.tsx').then((module) => ({ default: module.NoticeLine })),
)

/** The other user, their online status, and on a phone the back button (D28: tips from the thread). */
export function ThreadHead({ person, typing = false, menu }: { person: Person; typing?: boolean; menu?: ReactNode }) {
  const name = nameOf(person)
  const onlineStatus = useOnlineStatus(person)
  const presence = typing ? messageTexts.typing : onlineStatus
  // How soon an absent creator replies says more than when they left (PAGE-03).
  const isAbsent = person.is_verified && !typing && onlineStatus !== messageTexts.online
  return (
    <header className={classes.head}>
      <BackToConversations />
      <ProfileAvatar name={name} src={publicImage(person.avatar_url, person.updated_at)} size={42} />
      <div className={classes.person}>
        <h2 className={classes.name}>
          <Link to={paths.profile(addressOf(person))} dir="auto">
            {name}
          </Link>
          {person.is_verified && <VerifiedBadge size={17} />}
        </h2>
        {/* Announced, because the viewer may be waiting. */}
        <p className={classes.presence} aria-live="polite" data-typing={typing}>
          {isAbsent ? (
            <Suspense fallback={presence}>
              <NoticeLine creatorId={person.id} otherwise={presence} />
            </Suspense>
          ) : (
            presence
          )}
        </p>
      </div>
      {person.is_verified && (
        <GiveTip target={{ creatorId: person.id, name }}>
          {(open) => (
            <Button
              variant="default"
              radius="xl"
              className="compact"
              leftSection={<IconGift size={18} stroke={1.6} />}
              onClick={open}
            >
              {payingTexts.tip.open}
            </Button>
          )}
        </GiveTip>
      )}
      {menu}
    </header>
  )
}
