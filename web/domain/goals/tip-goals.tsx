import { Radio, Stack, Text } from '@mantine/core'
import { goalTexts } from '@ovation/contract/texts/goals'
import { formatDate } from '../../lib/format/format-date.ts'
import { GoalProgress } from './goal-progress.tsx'
import classes from './goals.module.css'
import type { Goal } from './queries.ts'

const texts = goalTexts.choose

type Props = {
  goals: readonly Goal[]
  /** A goal's id, or an empty text for none. */
  chosen: string
  disabled: boolean
  onChoose: (id: string) => void
}

/** Below the tip form: the goals that a tip can be given toward (OFFER-07). */
export function TipGoals({ goals, chosen, disabled, onChoose }: Props) {
  const goal = goals.find(({ id }) => id === chosen)
  return (
    <Radio.Group label={texts.label} value={goal?.id ?? ''} onChange={onChoose}>
      <Stack gap="xs" mt={6}>
        <Radio value="" label={texts.none} disabled={disabled} />
        {goals.map((one) => (
          <div key={one.id} className={classes.choice}>
            <Radio value={one.id} label={<bdi>{one.title}</bdi>} disabled={disabled} />
            <GoalProgress goal={one} />
          </div>
        ))}
        {goal && (
          <Text size="sm" c="dimmed" role="status">
            {goal.refunds_if_missed && goal.status === 'open'
              ? texts.promise(formatDate(goal.ends_at))
              : goal.status === 'open' && texts.noPromise}
          </Text>
        )}
      </Stack>
    </Radio.Group>
  )
}
