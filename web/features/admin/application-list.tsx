import { Badge, Button, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { adminTexts } from '@ovation/contract/texts/admin'
import { Link } from 'react-router'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './admin-screen.module.css'
import type { Application } from './application-queries.ts'

const texts = adminTexts.applications
const colors = { pending: 'yellow', approved: 'teal', rejected: 'crimson' }

export type Open = (dialog: 'details' | 'approved' | 'rejected', application: Application) => void

export function ApplicationRow({ application, onOpen }: { application: Application; onOpen: Open }) {
  const { full_name: name, applicant, status, submitted_at, rejection_reason } = application
  return (
    <li className={`surface ${classes.row}`}>
      <ProfileAvatar
        name={applicant ? nameOf(applicant) : name}
        src={applicant && publicImage(applicant.avatar_url, applicant.updated_at)}
      />
      <div className={classes.text}>
        <h2 className={classes.name}>
          {applicant ? (
            <Link to={paths.profile(addressOf(applicant))}>
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi>{name}</bdi>
          )}
        </h2>
        <Text size="sm" c="dimmed" className="facts">
          <span>{applicant ? `@${addressOf(applicant)}` : texts.formerMember}</span>
          <span>
            {texts.submitted} <Ago at={submitted_at} inSentence />
          </span>
        </Text>
        {rejection_reason && (
          <Text size="sm" lineClamp={1} dir="auto">
            {rejection_reason}
          </Text>
        )}
      </div>
      {status !== 'pending' && <StatusBadge status={status} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => onOpen('details', application)} aria-label={texts.detailsOf(name)}>
          {texts.details}
        </Button>
        {status === 'pending' && (
          <>
            <Button variant="default" onClick={() => onOpen('rejected', application)} aria-label={texts.rejectOf(name)}>
              {texts.reject}
            </Button>
            <Button
              variant="default"
              onClick={() => onOpen('approved', application)}
              aria-label={texts.approveOf(name)}
            >
              {texts.approve}
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

export function StatusBadge({ status }: { status: Application['status'] }) {
  return (
    <Badge variant="light" color={colors[status]} className={classes.badge} data-status={status}>
      {texts.status[status]}
    </Badge>
  )
}
