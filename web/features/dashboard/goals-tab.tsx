import { Button } from '@mantine/core'
import { openGoalsMax } from '@ovation/contract/limits'
import { goalTexts } from '@ovation/contract/texts/goals'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { GoalBadge, GoalFacts } from '../../domain/goals/goal-facts.tsx'
import { GoalProgress } from '../../domain/goals/goal-progress.tsx'
import { type Goal, ownGoalsQuery } from '../../domain/goals/queries.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { DeleteGoal, EndGoal } from './goal-actions.tsx'
import classes from './goals-tab.module.css'

const GoalForm = lazy(() => import('./goal-form.tsx'))

const texts = goalTexts.tab

/** What the creator is working toward (OFFER-07): all goals, or the form of the one that is open. */
export default function GoalsTab({ profileId }: { profileId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('goal')
  const close = () => setParameters({ tab: 'goals' })
  const goals = useInfiniteQuery(ownGoalsQuery(profileId))
  useLiveChange('goals', `creator_id=eq.${profileId}`, () => void goals.refetch())
  if (requested === null) return <Goals goals={goals} />
  return (
    <Suspense fallback={<ListSkeleton rows={3} />}>
      {requested === 'new' ? (
        <GoalForm profileId={profileId} onClose={close} />
      ) : (
        <Editor profileId={profileId} goals={goals} id={requested} onClose={close} />
      )}
    </Suspense>
  )
}

type Query = ReturnType<typeof useInfiniteQuery<Goal[], Error, { pages: Goal[][] }>>

/** Only an open goal can be changed, and those are among the newest. */
function Editor({
  profileId,
  goals,
  id,
  onClose,
}: {
  profileId: string
  goals: Query
  id: string
  onClose: () => void
}) {
  if (goals.isError && !goals.data) return <LoadFailed title={texts.loadFailed} of={goals} />
  if (goals.isPending) return <ListSkeleton rows={3} />
  const goal = goals.data.pages.flat().find((one) => one.id === id && one.closed_at === null)
  if (!goal) return <EmptyState {...goalTexts.form.gone} />
  return <GoalForm key={id} profileId={profileId} goal={goal} onClose={onClose} />
}

function Goals({ goals }: { goals: Query }) {
  const rows = goals.data?.pages.flat()
  const isFull = (rows?.filter(({ closed_at }) => closed_at === null).length ?? 0) >= openGoalsMax
  const create = (
    <Button
      component={Link}
      to="?tab=goals&goal=new"
      leftSection={<IconPlus size={17} stroke={1.9} aria-hidden="true" />}
    >
      {texts.create}
    </Button>
  )
  return (
    <section aria-labelledby="goals-title">
      <div className={classes.head}>
        <div className={classes.about}>
          <h2 id="goals-title" className={classes.title}>
            {texts.title}
          </h2>
          <p className={classes.hint}>{isFull ? texts.full : texts.hint}</p>
        </div>
        {Boolean(rows?.length) && !isFull && create}
      </div>
      <PagedList
        query={goals}
        rows={rows}
        pending={<ListSkeleton rows={3} />}
        failed={{ title: texts.loadFailed }}
        moreFailed={texts.moreFailed}
        empty={<EmptyState icon={<IconTargetArrow size={26} stroke={1.5} />} {...texts.empty} action={create} />}
      >
        {(all, more) => (
          <>
            <ul className={classes.goals}>
              {all.map((goal) => (
                <Row key={goal.id} goal={goal} />
              ))}
            </ul>
            {more}
          </>
        )}
      </PagedList>
    </section>
  )
}

function Row({ goal }: { goal: Goal }) {
  const { id, title, kind, progress, status, closed_at, ends_at } = goal
  const isRunning = closed_at === null && Date.parse(ends_at) > Date.now()
  const isUnused = status !== 'removed' && (kind === 'subscribers' || (progress === 0 && status === 'open'))
  return (
    <li className={`surface ${classes.goal}`}>
      <div className={classes.words}>
        <div className={classes.heading}>
          <h3 className={classes.name} dir="auto">
            {closed_at === null ? <Link to={`?tab=goals&goal=${id}`}>{title}</Link> : title}
          </h3>
          <GoalBadge status={status} />
        </div>
        <GoalProgress goal={goal} />
        <p className={`${classes.facts} facts`}>
          <GoalFacts goal={goal} />
        </p>
      </div>
      <div className={classes.actions}>
        {isRunning && <EndGoal goal={goal} />}
        {isUnused && <DeleteGoal goal={goal} />}
      </div>
    </li>
  )
}
