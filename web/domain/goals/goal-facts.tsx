import { Badge } from '@mantine/core'
import { goalTexts as texts } from '@ovation/contract/texts/goals'
import { formatDate } from '../../lib/format/format-date.ts'
import type { Goal } from './queries.ts'

const colors = { open: 'gray', reached: 'teal', missed: 'yellow', removed: 'red' } as const

export const GoalBadge = ({ status }: Pick<Goal, 'status'>) => (
  <Badge variant="light" color={colors[status]} component="span">
    {texts.status[status]}
  </Badge>
)

/** When a goal ends, and what happens to tips if it is missed. */
export function GoalFacts({ goal }: { goal: Goal }) {
  const { status, closed_at, ends_at, refunds_if_missed } = goal
  const isOver = Date.parse(ends_at) <= Date.now()
  const returns = status === 'removed' || (status === 'missed' && refunds_if_missed)
  return (
    <>
      <span>
        {closed_at !== null
          ? texts.ended(formatDate(closed_at))
          : isOver
            ? texts.ending
            : texts.ends(formatDate(ends_at))}
      </span>
      {returns ? <span>{texts.refunded}</span> : refunds_if_missed && status === 'open' && <span>{texts.refunds}</span>}
    </>
  )
}
