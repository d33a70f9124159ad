import { Radio } from '@mantine/core'
import { planTermsTexts as texts } from '@ovation/contract/texts/plan-terms'
import { formatCents } from '../../lib/format/format-number.ts'
import type { PlanTerm } from './plan-queries.ts'
import { perMonth } from './plan-terms.ts'
import classes from './term-choice.module.css'

type Props = {
  terms: readonly PlanTerm[]
  value: number
  onChange: (months: number) => void
  disabled: boolean
}

/** For how many months at a time a fan pays: the price of a month and the savings of each term (OFFER-01). */
export function TermChoice({ terms, value, onChange, disabled }: Props) {
  return (
    <Radio.Group
      label={texts.choice}
      value={String(value)}
      onChange={(months) => onChange(Number(months))}
      className={classes.choice ?? ''}
    >
      {terms.map((term) => (
        <Radio
          key={term.months}
          value={String(term.months)}
          disabled={disabled}
          classNames={{ labelWrapper: classes.label ?? '', body: classes.term ?? '' }}
          label={
            <span className={classes.words}>
              <span>{texts.months(term.months)}</span>
              <span className={classes.price}>{texts.form.perMonth(formatCents(perMonth(term)))}</span>
              {term.percent_off > 0 && <span className={classes.save}>{texts.save(term.percent_off)}</span>}
            </span>
          }
        />
      ))}
    </Radio.Group>
  )
}
