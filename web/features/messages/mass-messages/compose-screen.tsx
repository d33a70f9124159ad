import { Anchor, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { IconArrowLeft, IconMailOff, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { massMessageQuery } from '../../../domain/mass-messages/queries.ts'
import type { Viewer } from '../../../lib/auth/viewer.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ForViewer } from '../../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../../ui/load-failed.tsx'
import { Page } from '../../../ui/page.tsx'
import classes from './mass-form.module.css'
import { noValues, valuesFrom, valuesOf } from './mass-values.ts'

// The heading and the way back don't wait for it.
const MassForm = lazy(() => import('./mass-form.tsx'))

const texts = massMessageTexts.compose

/** The composer of mass messages: a new one, one from an earlier one, or a draft or scheduled one. */
export function ComposeScreen() {
  const isNew = useParams().id === 'new'
  return (
    <Page title={isNew ? texts.title : texts.editTitle} width="wide">
      <Anchor component={Link} to={paths.massMessages()} className={classes.back}>
        <IconArrowLeft size={17} stroke={1.75} aria-hidden="true" />
        {texts.back}
      </Anchor>
      <ForViewer skeleton={<ListSkeleton rows={4} />}>
        {(viewer) => (
          <Suspense fallback={<ListSkeleton rows={4} />}>
            <Composer viewer={viewer} />
          </Suspense>
        )}
      </ForViewer>
    </Page>
  )
}

function Composer({ viewer }: { viewer: Viewer }) {
  const id = useParams().id ?? 'new'
  const [parameters] = useSearchParams()
  const from = parameters.get('from')
  const begin = id === 'new' ? from : id
  const message = useQuery({ ...massMessageQuery(viewer.profileId, begin ?? ''), enabled: begin !== null })
  const draftKey = `mass-message:${viewer.profileId}:${id} ${parameters}`
  const form = { viewer, draftKey }
  if (!viewer.mayPublish) return <Missing />
  if (begin === null)
    return <MassForm key={draftKey} {...form} initial={noValues(groupsOf(parameters.get('to')))} isScheduled={false} />
  if (message.isError) return <LoadFailed title={texts.loadFailed} of={message} />
  if (message.data === undefined) return <ListSkeleton rows={4} />
  if (message.data === null) return <Missing />
  const { status } = message.data
  if (from !== null) return <MassForm key={draftKey} {...form} initial={valuesFrom(message.data)} isScheduled={false} />
  if (status !== 'draft' && status !== 'scheduled') return <Begun id={id} />
  return <MassForm key={draftKey} {...form} initial={valuesOf(message.data)} isScheduled={status === 'scheduled'} />
}

/** The groups that a link from the table of subscribers names. */
const groupsOf = (group: string | null): string[] => {
  if (group === 'current') return ['subscribers']
  if (group === 'ending') return ['renewalOff']
  if (group === 'past') return ['expired']
  return group === 'all' ? ['subscribers', 'expired'] : []
}

const toMessages = (
  <Button component={Link} to={paths.massMessages()} variant="default">
    {texts.back}
  </Button>
)

const Missing = () => (
  <EmptyState icon={<IconMailOff size={26} stroke={1.5} />} {...texts.missing} action={toMessages} />
)

const Begun = ({ id }: { id: string }) => (
  <EmptyState
    icon={<IconSend size={26} stroke={1.5} />}
    {...texts.begun}
    action={
      <Button component={Link} to={paths.newMassMessage(`from=${id}`)} variant="default">
        {massMessageTexts.tab.again}
      </Button>
    }
  />
)
