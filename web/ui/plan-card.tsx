import { Badge, Text, Title } from '@mantine/core'
import type { Interval } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import type { ReactNode } from 'react'
import classes from './plan-card.module.css'
import { PriceTag } from './price-tag.tsx'

type Props = {
  name: string
  description?: string | null
  cents: number
  interval: Interval
  trialDays?: number
  /** Beside the name: "Active", "Current Plan". */
  mark?: ReactNode
  /** What can be done with the plan. */
  action?: ReactNode
  order?: 2 | 3 | 4
}

/** One plan of a creator as fans see it (PROF-15, PROD-11). */
export function PlanCard({ name, description, cents, interval, trialDays = 0, mark, action, order = 3 }: Props) {
  return (
    <article className={`surface ${classes.card}`}>
      <header className={classes.head}>
        <Title order={order} className={classes.name}>
          {name}
        </Title>
        {mark}
      </header>
      <PriceTag cents={cents} interval={interval} />
      {trialDays > 0 && (
        <Badge variant="light" color="teal" className={classes.trial}>
          {commonTexts.freeTrial(trialDays)}
        </Badge>
      )}
      {description && <Text className={classes.description}>{description}</Text>}
      {action && <div className={classes.action}>{action}</div>}
    </article>
  )
}
