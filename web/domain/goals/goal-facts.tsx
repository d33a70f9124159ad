import { Badge } from '@mantine/core'
import { goalTexts as texts } from '@ovation/contract/texts/goals'
import { formatDate } from '../../lib/format/format-date.ts'
import type { Goal } from './queries.ts'

const colors = { open: 'gray', reached: 'teal', missed: 'yellow', removed: 'red' } as const

/** A goal's state, its end, and what happens to tips if it is missed. */
export function GoalFacts({ goal, withOpen = false }: { goal: Goal; withOpen?: boolean }) {
  const { status, closed_at, ends_at, refunds_if_missed } = goal
  const isOver = Date.parse(ends_at) <= Date.now()
  const returns = status === 'removed' || (status === 'missed' && refunds_if_missed)
  return (
    <>
      {(withOpen || status !== 'open') && (
        <Badge variant="light" color={colors[status]}>
          {texts.status[status]}
        </Badge>
      )}
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
