import { Button, Text } from '@mantine/core'
import { adminTexts } from '@ovation/contract/texts/admin'
import { supportTexts } from '@ovation/contract/texts/support'
import { IconLifebuoy } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { Ago } from '../../ui/ago.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Address } from './address.tsx'
import { AdminList } from './admin-list.tsx'
import classes from './admin-screen.module.css'
import { SupportDialog } from './support-dialog.tsx'
import { type SupportRequest, supportRequestsQuery } from './support-queries.ts'
import { SupportStatus } from './support-status.tsx'

const texts = adminTexts.support
const states = ['open', 'in_progress', 'resolved'] as const

/** ADM-22..ADM-26 */
export default function SupportTab() {
  const [status, setStatus] = useState<SupportRequest['status']>()
  const query = useInfiniteQuery(supportRequestsQuery(status))
  const [opened, setOpened] = useState<SupportRequest | null>(null)
  const requests = query.data?.pages.flatMap((page) => page.requests)

  return (
    <>
      <Segments
        aria-label={texts.which}
        className={classes.states}
        value={status ?? 'all'}
        onChange={(value) => setStatus(value === 'all' ? undefined : value)}
        data={[
          { value: 'all', label: texts.all },
          ...states.map((state) => ({ value: state, label: texts.states[state] })),
        ]}
      />
      <AdminList
        query={query}
        rows={requests}
        label={texts.list}
        empty={status ? texts.noneIn : texts.none}
        icon={IconLifebuoy}
        failure={{ title: texts.loadFailed(errorMessageOf(query.error)), message: null }}
      >
        {(request) => <SupportRow key={request.id} request={request} onOpen={() => setOpened(request)} />}
      </AdminList>
      {opened && (
        <SupportDialog
          // The latest version of the opened request.
          request={requests?.find(({ id }) => id === opened.id) ?? opened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

function SupportRow({ request, onOpen }: { request: SupportRequest; onOpen: () => void }) {
  const { subject, name, email, category, priority, status, created_at } = request
  return (
    <li className={`surface ${classes.row}`}>
      <div className={classes.text}>
        <h2 className={classes.name}>
          <bdi>{subject}</bdi>
        </h2>
        <Text size="sm" c="dimmed" className="facts">
          <bdi>{name}</bdi>
          <span>
            <Address of={email} />
          </span>
          <Ago at={created_at} />
        </Text>
        <Text size="sm" className="facts">
          {category && <span>{category}</span>}
          <span>{`${texts.priority}: ${supportTexts.form.priorities[priority]}`}</span>
        </Text>
      </div>
      <SupportStatus status={status} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onOpen} aria-label={texts.detailsOf(subject)}>
          {texts.details}
        </Button>
      </div>
    </li>
  )
}
