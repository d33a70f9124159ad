import { Button } from '@mantine/core'
import { goalTexts as texts } from '@ovation/contract/texts/goals'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { postCover } from '../../lib/media/public-image.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { GiveTip } from '../payments/give-tip.tsx'
import { GoalBadge, GoalFacts } from './goal-facts.tsx'
import { GoalProgress } from './goal-progress.tsx'
import classes from './goals.module.css'
import { type Goal, goalsQuery, isTippable } from './queries.ts'

const TakeDownGoal = lazy(() => import('./take-down-goal.tsx'))

/** Visitors have no live connection. */
const visitorsRefreshMs = 30_000

const longestShown = 160

type Props = { creatorId: string; name: string; mayTip: boolean }

/** What a creator is working toward, on the profile (OFFER-07). Renders nothing if there is nothing. */
export default function ProfileGoals({ creatorId, name, mayTip }: Props) {
  const viewer = useViewer()
  const goals = useQuery({ ...goalsQuery(creatorId), refetchInterval: viewer === null && visitorsRefreshMs })
  useLiveChange('goals', viewer ? `creator_id=eq.${creatorId}` : null, () => void goals.refetch())
  if (!goals.data?.length) return null
  return (
    <section className={classes.section} aria-labelledby="goals-title">
      <h2 id="goals-title" className="visually-hidden">
        {texts.title}
      </h2>
      <ul className={classes.goals}>
        {goals.data.map((goal) => (
          <Card key={goal.id} goal={goal} creatorId={creatorId} name={name} mayTip={mayTip} />
        ))}
      </ul>
    </section>
  )
}

function Card({ goal, creatorId, name, mayTip }: Props & { goal: Goal }) {
  const viewer = useViewer()
  const { id, title, description, cover_path, status } = goal
  return (
    <li className={`surface ${classes.goal}`}>
      {cover_path && <img className={classes.picture} src={postCover(cover_path, 320)} alt="" loading="lazy" />}
      <div className={classes.words}>
        <div className={classes.heading}>
          <h3 className={classes.name} dir="auto">
            {title}
          </h3>
          {status !== 'open' && <GoalBadge status={status} />}
        </div>
        {description && <Description text={description} />}
        <GoalProgress goal={goal} />
        <div className={classes.foot}>
          <p className={`${classes.facts} facts`}>
            <GoalFacts goal={goal} />
          </p>
          {viewer?.isAdmin && viewer.profileId !== creatorId && <TakeDown goal={goal} creatorId={creatorId} />}
          {mayTip && isTippable(goal) && (
            <GiveTip target={{ creatorId, name, goalId: id }}>
              {(open) => (
                <Button variant="light" size="sm" aria-label={texts.tipNamed(title)} onClick={open}>
                  {texts.tip}
                </Button>
              )}
            </GiveTip>
          )}
        </div>
      </div>
    </li>
  )
}

/** A long text is closed at first, so that the posts stay near. It opens without scripts, too. */
function Description({ text }: { text: string }) {
  const paragraph = (
    <p className={classes.description} dir="auto">
      <LinkedText text={text} />
    </p>
  )
  if (text.length <= longestShown) return paragraph
  return (
    <details className={classes.about}>
      <summary>{texts.about}</summary>
      {paragraph}
    </details>
  )
}

function TakeDown({ goal, creatorId }: { goal: Goal; creatorId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        size="sm"
        aria-label={texts.takeDown.actionNamed(goal.title)}
        onClick={() => setOpen(true)}
      >
        {texts.takeDown.action}
      </Button>
      {open && (
        <Suspense>
          <TakeDownGoal goal={goal} creatorId={creatorId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
