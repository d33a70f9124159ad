import { Alert, Badge, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { IconClock, IconLockOpen, IconRefresh } from '@tabler/icons-react'
import { Link } from 'react-router'
import { stateColor } from '../../domain/subscriptions/state-color.ts'
import type { Byline } from '../../lib/api/byline.ts'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { timeLeft, useCountdown, warningMs } from './countdown.ts'
import classes from './gate.module.css'
import type { Status } from './queries.ts'

type Props = {
  creator: Byline
  /** The subscription that gives access; `null` without one. */
  status: Status | null
  role: 'owner' | 'admin' | null
  onEnd: () => void
  onRefresh: () => void
  refreshing: boolean
}

/** The creator, the kind of access, the time left, and a warning before it ends (SUB-19, SUB-20, SUB-22). */
export function GateHead({ creator, status, role, onEnd, onRefresh, refreshing }: Props) {
  const left = useCountdown(status ? (status.access_until ?? status.current_period_end) : null, onEnd)
  const time = left === null ? null : timeLeft(left)
  const name = nameOf(creator)
  const state = role ?? status?.status
  const warning = warningFor(status?.status)
  return (
    <header className={classes.head}>
      <div className={classes.person}>
        <ProfileAvatar name={name} src={publicImage(creator.avatar_url, creator.updated_at)} size={64} />
        <div className={classes.text}>
          <p className={classes.over}>{premiumTexts.title}</p>
          <h1 className={classes.name}>
            <Link to={paths.profile(addressOf(creator))} dir="auto">
              {name}
            </Link>
            {creator.is_verified && <VerifiedBadge size={22} />}
          </h1>
          {time && (
            <p className={classes.left}>
              <IconClock size={17} stroke={1.6} aria-hidden="true" />
              {premiumTexts.left(time)}
            </p>
          )}
        </div>
      </div>
      <div className={classes.standing}>
        {state && (
          <Badge size="lg" variant="light" color={stateColor(state)} leftSection={<IconLockOpen size={15} />}>
            {labelOf(state)}
          </Badge>
        )}
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} stroke={1.6} />}
          loading={refreshing}
          onClick={onRefresh}
        >
          {premiumTexts.refresh}
        </Button>
      </div>
      {left !== null && left <= warningMs && time && (
        <Alert
          className={classes.warning}
          color="yellow"
          variant="light"
          icon={<IconClock size={20} stroke={1.6} />}
          title={warning.title}
        >
          {warning.message(time)}
          <Link to={paths.subscriptions} className={classes.manage}>
            {premiumTexts.warning.manage}
          </Link>
        </Alert>
      )}
    </header>
  )
}

const { states } = premiumTexts

const labelOf = (state: string): string => (state in states ? states[state as keyof typeof states] : states.active)

function warningFor(state: string | undefined) {
  const { trial, ends, pastDue, renews } = premiumTexts.warning
  if (state === 'trial') return trial
  if (state === 'canceled') return ends
  return state === 'past_due' ? pastDue : renews
}
