import { Anchor, Button, Group } from '@mantine/core'
import { countryName } from '@ovation/contract/countries'
import { paths } from '@ovation/contract/paths'
import { adminTexts } from '@ovation/contract/texts/admin'
import { IconDownload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { addressOf } from '../../lib/auth/viewer.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { StatusBadge } from './application-list.tsx'
import type { Application } from './application-queries.ts'
import classes from './details-dialog.module.css'
import { downloadApplication } from './download-application.ts'
import { IdImage } from './id-image.tsx'
import { SsnReveal } from './ssn-reveal.tsx'

const texts = adminTexts.details

type Props = { application: Application; onDecide: (decision: 'approved' | 'rejected') => void; onClose: () => void }

/** A full application (ADM-05). */
export default function DetailsDialog({ application, onDecide, onClose }: Props) {
  const { applicant, status } = application
  return (
    <Dialog title={texts.title} onClose={onClose} size="lg" fullScreenOnPhone>
      <dl className={classes.facts}>
        <dt>{texts.fullName}</dt>
        <dd>
          <bdi>{application.full_name}</bdi>
        </dd>
        <dt>{texts.address}</dt>
        <dd className={classes.lines} dir="auto">
          {application.address}
        </dd>
        <dt>{texts.country}</dt>
        <dd>{countryName(application.country)}</dd>
        {applicant && (
          <>
            <dt>{texts.account}</dt>
            <dd>
              <Anchor component={Link} to={paths.profile(addressOf(applicant))} inherit>
                @{addressOf(applicant)}
              </Anchor>
            </dd>
          </>
        )}
        {application.ssn_last4 && (
          <>
            <dt>{texts.ssn}</dt>
            <dd>
              <SsnReveal applicationId={application.id} last4={application.ssn_last4} />
            </dd>
          </>
        )}
        <dt>{texts.submitted}</dt>
        <dd>{formatExact(application.submitted_at)}</dd>
        <dt>{texts.status}</dt>
        <dd>
          <StatusBadge status={status} />
        </dd>
        {application.reviewed_at && (
          <>
            <dt>{texts.reviewed}</dt>
            <dd>{formatExact(application.reviewed_at)}</dd>
          </>
        )}
        {application.rejection_reason && (
          <>
            <dt>{texts.reason}</dt>
            <dd className={classes.lines} dir="auto">
              {application.rejection_reason}
            </dd>
          </>
        )}
      </dl>
      <h3 className={classes.heading}>{texts.documents}</h3>
      <div className={classes.documents}>
        <IdImage side="front" path={application.id_front_url} />
        <IdImage side="back" path={application.id_back_url} />
      </div>
      <Group justify="space-between" mt="xl">
        <Button
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
          onClick={() => downloadApplication(application)}
        >
          {texts.download}
        </Button>
        {status === 'pending' && (
          <Group gap="xs">
            <Button variant="default" onClick={() => onDecide('rejected')}>
              {adminTexts.applications.reject}
            </Button>
            <Button onClick={() => onDecide('approved')}>{adminTexts.applications.approve}</Button>
          </Group>
        )}
      </Group>
    </Dialog>
  )
}
