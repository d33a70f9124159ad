import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { IconCheck } from '@tabler/icons-react'
import classes from './plan-benefits.module.css'
import type { Plan } from './plan-queries.ts'

/** What comes with a plan: the next cheaper one, and its own benefits (LOOP-15). */
export function PlanBenefits({ plan: { benefits, includes } }: { plan: Pick<Plan, 'benefits' | 'includes'> }) {
  const lines = [...(includes === null ? [] : [profileTabsTexts.includes(includes)]), ...benefits]
  if (lines.length === 0) return null
  return (
    <ul className={classes.benefits} aria-label={profileTabsTexts.benefits}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two benefits may be alike, and they don't move
        <li key={index}>
          <IconCheck size={17} stroke={2} aria-hidden="true" />
          <span dir="auto">{line}</span>
        </li>
      ))}
    </ul>
  )
}
