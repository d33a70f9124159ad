import { Progress } from '@mantine/core'
import { goalTexts as texts } from '@ovation/contract/texts/goals'
import { formatCents } from '../../lib/format/format-number.ts'
import classes from './goals.module.css'
import type { Goal } from './queries.ts'

/** How far a goal is, as a bar and in words. */
export function GoalProgress({ goal }: { goal: Goal }) {
  const { title, kind, target, status } = goal
  const progress = goal.closed_progress ?? goal.progress
  const words =
    kind === 'money' ? texts.money(formatCents(progress), formatCents(target)) : texts.subscribers(progress, target)
  // Rounded down: a goal that isn't reached never shows 100%.
  const percent = Math.floor((progress / target) * 100)
  return (
    <div className={classes.progress}>
      <Progress.Root
        size="md"
        // Mantine's own attributes are those of the filled part, which nothing shows at 0%, and say only the percentage.
        role="progressbar"
        aria-label={texts.progress(title)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, percent)}
        aria-valuetext={words}
      >
        <Progress.Section
          value={Math.min(100, percent)}
          color={status === 'reached' ? 'teal' : 'crimson'}
          withAria={false}
        />
      </Progress.Root>
      <p className={classes.figures}>
        <span>{words}</span>
        <span className={classes.percent}>{texts.percent(percent)}</span>
      </p>
    </div>
  )
}
