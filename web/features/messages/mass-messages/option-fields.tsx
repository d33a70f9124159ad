import { NumberInput, Switch, TextInput } from '@mantine/core'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { toZonedInput } from '../../../lib/format/zoned-time.ts'
import type { AppForm } from '../../../ui/use-app-form.ts'
import classes from './mass-form.module.css'
import { type MassValues, priceOf } from './mass-values.ts'

const texts = massMessageTexts.compose

type Props = { form: AppForm<MassValues>; readOnly: boolean }

/** Whom the message skips, and when a paid one ends (MASS-02, MASS-04). */
export function OptionFields({ form, readOnly }: Props) {
  const { skipsRecent, ends, zone } = form.values
  const isPaid = priceOf(form.values) !== null
  return (
    <fieldset className={classes.options}>
      <legend>{texts.options}</legend>
      <Switch
        label={texts.skipOwners}
        disabled={readOnly}
        {...form.getInputProps('skipOwners', { type: 'checkbox' })}
      />
      <Switch
        label={texts.skipRecent}
        disabled={readOnly}
        {...form.getInputProps('skipsRecent', { type: 'checkbox' })}
      />
      {skipsRecent && (
        <NumberInput
          label={texts.hours}
          description={texts.hoursHint}
          className={classes.short}
          allowDecimal={false}
          allowNegative={false}
          inputMode="numeric"
          clampBehavior="none"
          readOnly={readOnly}
          {...form.getInputProps('recentHours')}
        />
      )}
      {isPaid && (
        <Switch
          label={texts.ends}
          description={texts.endsHint}
          disabled={readOnly}
          {...form.getInputProps('ends', { type: 'checkbox' })}
        />
      )}
      {isPaid && ends && (
        <TextInput
          type="datetime-local"
          label={texts.endsAt}
          description={zone.replaceAll('_', ' ')}
          className={classes.short}
          min={toZonedInput(new Date(), zone)}
          readOnly={readOnly}
          {...form.getInputProps('endsAt')}
        />
      )}
    </fieldset>
  )
}
