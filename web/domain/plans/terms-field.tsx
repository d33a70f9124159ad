import { Group, Input, NumberInput } from '@mantine/core'
import { termCents, termMaxPercentOff, termMonths } from '@ovation/contract/plan-terms'
import { planTermsTexts } from '@ovation/contract/texts/plan-terms'
import { formatCents } from '../../lib/format/format-number.ts'
import type { AppForm } from '../../ui/use-app-form.ts'
import { type TermValues, wrongWithTerm } from './plan-values.ts'

const texts = planTermsTexts.form

type Props = {
  form: Pick<AppForm<TermValues & Record<string, unknown>>, 'getInputProps' | 'values'>
  /** The plan's price, not a number while it is missing. */
  cents: number
  readOnly: boolean
}

/** For how many months at a time a monthly plan is sold, and what fans save (OFFER-01). */
export function TermsField({ form, cents, readOnly }: Props) {
  return (
    <Input.Wrapper label={texts.title} labelElement="div" id="terms" description={texts.hint}>
      <Group role="group" aria-labelledby="terms-label" align="flex-start" grow mt="xs">
        {termMonths.map((months) => (
          <NumberInput
            key={months}
            label={texts.label(months)}
            description={describe(form.values[`term${months}`], months, cents)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            suffix="%"
            allowDecimal={false}
            allowNegative={false}
            max={termMaxPercentOff}
            clampBehavior="none"
            hideControls
            inputMode="numeric"
            readOnly={readOnly}
            {...form.getInputProps(`term${months}`)}
          />
        ))}
      </Group>
    </Input.Wrapper>
  )
}

function describe(percentOff: number | string, months: number, cents: number): string | undefined {
  if (percentOff === '') return texts.notSold
  if (Number.isNaN(cents) || wrongWithTerm(percentOff) !== null) return undefined
  return texts.perMonth(formatCents(Math.round(termCents(cents, months, Number(percentOff)) / months)))
}
