import { Anchor, Button, Group } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { adminTexts } from '@ovation/contract/texts/admin'
import { supportTexts } from '@ovation/contract/texts/support'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { formatExact } from '../../lib/format/format-date.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import classes from './details-dialog.module.css'
import type { SupportRequest } from './support-queries.ts'
import { SupportStatus } from './support-status.tsx'
import { useSupportStatus } from './use-support-status.ts'

const texts = adminTexts.support
const settable = ['in_progress', 'resolved'] as const

/** ADM-05, ADM-22, ADM-23. It stays open after a change, because the admin usually replies by email next. */
export function SupportDialog({ request, onClose }: { request: SupportRequest; onClose: () => void }) {
  const { id, user_id, name, email, subject, category, priority, status, message, created_at, updated_at } = request
  const change = useSupportStatus(id)

  return (
    <Dialog title={texts.title} onClose={onClose} size="lg" fullScreenOnPhone closable={!change.isPending}>
      <dl className={classes.facts}>
        <Fact term={texts.subject}>
          <bdi>{subject}</bdi>
        </Fact>
        <Fact term={texts.from}>
          <bdi>{name}</bdi>{' '}
          <Anchor underline="always" href={`mailto:${email}?subject=${encodeURIComponent(`Re: ${subject}`)}`}>
            {email}
          </Anchor>
        </Fact>
        <Fact term={texts.account}>
          {user_id ? (
            <>
              <Anchor component={Link} to={paths.profile(user_id)}>
                {texts.profile}
              </Anchor>
              {/* By the account, because anyone can enter someone else's name and email. */}
              <Anchor component={Link} to={paths.adminPayments(user_id)}>
                {texts.payments(name)}
              </Anchor>
            </>
          ) : (
            texts.visitor
          )}
        </Fact>
        <Fact term={texts.category}>{category ?? texts.noCategory}</Fact>
        <Fact term={texts.priority}>{supportTexts.form.priorities[priority]}</Fact>
        <Fact term={texts.received}>{formatExact(created_at)}</Fact>
        <Fact term={texts.updated}>{formatExact(updated_at)}</Fact>
        <Fact term={texts.status}>
          <SupportStatus status={status} />
        </Fact>
      </dl>
      <h3 className={classes.heading}>{texts.message}</h3>
      <p className={classes.message} dir="auto">
        {message}
      </p>
      <FormFailure title={texts.changeFailed} message={change.error ? errorMessageOf(change.error) : undefined} />
      <Group justify="flex-end" gap="xs">
        {settable.map((next) => (
          <Button
            key={next}
            variant={next === 'resolved' ? 'filled' : 'default'}
            disabled={status === next || (change.isPending && change.variables !== next)}
            loading={change.isPending && change.variables === next}
            onClick={() => change.mutate(next)}
          >
            {texts.set[next]}
          </Button>
        ))}
      </Group>
    </Dialog>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
