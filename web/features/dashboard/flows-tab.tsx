import { Button } from '@mantine/core'
import { flowsMax } from '@ovation/contract/limits'
import { flowTexts as texts } from '@ovation/contract/texts/flows'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type FanList, fanListsQuery } from '../../domain/fans/list-queries.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { FlowActions, FlowStatus } from './flow-actions.tsx'
import { type TemplateName, templateNames } from './flow-draft.ts'
import { FlowFigures } from './flow-figures.tsx'
import { type Flow, flowsQuery, type Trigger, totalOf } from './flow-queries.ts'
import classes from './flows.module.css'

const FlowEditor = lazy(() => import('./flow-editor.tsx'))

/** A creator's automated messages (AUTO-01..05): all flows, or the one that is open. */
export default function FlowsTab({ profileId }: { profileId: string }) {
  const flows = useQuery(flowsQuery(profileId))
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('flow')
  const template = templateNames.find((name) => name === parameters.get('from')) ?? 'blank'
  const open = (flow: string | null) => setParameters({ tab: 'flows', ...(flow && { flow }) })
  if (!flows.data) return flows.isError ? <LoadFailed title={texts.loadFailed} of={flows} /> : <ListSkeleton rows={3} />
  const flow = flows.data.find(({ id }) => id === requested)
  if (flow || requested === 'new')
    return (
      <Suspense fallback={<ListSkeleton rows={3} />}>
        <FlowEditor
          key={flow?.id ?? template}
          viewerId={profileId}
          flow={flow}
          template={template}
          onCreated={open}
          onClose={() => open(null)}
        />
      </Suspense>
    )
  return <Flows viewerId={profileId} flows={flows.data} />
}

function Flows({ viewerId, flows }: { viewerId: string; flows: readonly Flow[] }) {
  const [choosing, setChoosing] = useState(false)
  const { data: lists = [] } = useQuery({
    ...fanListsQuery(viewerId),
    enabled: flows.some(({ trigger }) => trigger.trigger === 'list'),
  })
  const create = (
    <Button leftSection={<IconPlus size={17} stroke={1.9} aria-hidden="true" />} onClick={() => setChoosing(true)}>
      {texts.create}
    </Button>
  )
  return (
    <section aria-labelledby="flows-title">
      <div className={classes.head}>
        <div className={classes.about}>
          <h2 id="flows-title" className={classes.title}>
            {texts.title}
          </h2>
          <p className={classes.hint}>{flows.length < flowsMax ? texts.hint : texts.most}</p>
        </div>
        {flows.length > 0 && flows.length < flowsMax && create}
      </div>
      {flows.length === 0 ? (
        <EmptyState icon={<IconRoute size={26} stroke={1.5} />} {...texts.empty} action={create} />
      ) : (
        <ul className={classes.flows}>
          {flows.map((flow) => (
            <li key={flow.id} className="surface">
              <div className={classes.flowHead}>
                <h3 className={classes.name} dir="auto">
                  <Link to={`?tab=flows&flow=${flow.id}`}>{flow.name}</Link>
                </h3>
                <FlowStatus status={flow.status} />
                <FlowActions viewerId={viewerId} flow={flow} />
              </div>
              <p className={classes.hint}>{describeTrigger(flow.trigger, lists)}</p>
              <FlowFigures figures={totalOf(flow)} shows={['entered', 'waiting', 'sent', 'bought', 'earned_cents']} />
            </li>
          ))}
        </ul>
      )}
      {choosing && <TemplateDialog onClose={() => setChoosing(false)} />}
    </section>
  )
}

function describeTrigger(trigger: Trigger, lists: readonly FanList[]): string {
  if (trigger.trigger === 'payment') return texts.payment(formatCents(trigger.cents))
  const list = trigger.trigger === 'list' && lists.find(({ id }) => id === trigger.list)
  if (list) return texts.addedTo(list.name)
  return trigger.trigger === 'inactive' ? texts.inactive(trigger.days) : texts.triggers[trigger.trigger]
}

function TemplateDialog({ onClose }: { onClose: () => void }) {
  const { title, ...templates } = texts.templates
  return (
    <Dialog title={title} onClose={onClose} size="lg" fullScreenOnPhone>
      <ul className={classes.templates}>
        {templateNames.map((name: TemplateName) => (
          <li key={name}>
            <Link className={classes.template} to={`?tab=flows&flow=new&from=${name}`}>
              <strong>{templates[name].name}</strong>
              <span>{templates[name].about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
