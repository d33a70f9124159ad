import { NativeSelect, Text, TextInput } from '@mantine/core'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { formatZoned, fromZonedInput, toZonedInput, zoneNames } from '../../../lib/format/zoned-time.ts'
import { Segments } from '../../../ui/segments.tsx'
import type { AppForm } from '../../../ui/use-app-form.ts'
import classes from './mass-form.module.css'
import type { MassValues } from './mass-values.ts'

const texts = massMessageTexts.compose

type Props = { form: AppForm<MassValues>; readOnly: boolean }

/** When the message is sent: now, or at a time in the creator's zone or another one (MASS-02). */
export function TimeFields({ form, readOnly }: Props) {
  const { later, sendAt, zone } = form.values
  const at = fromZonedInput(sendAt, zone)
  return (
    <fieldset className={classes.options}>
      <legend id="mass-message-when">{texts.when}</legend>
      <div>
        <Segments
          aria-labelledby="mass-message-when"
          value={later ? 'later' : 'now'}
          onChange={(value) => form.setFieldValue('later', value === 'later')}
          readOnly={readOnly}
          data={[
            { value: 'now', label: texts.now },
            { value: 'later', label: texts.later },
          ]}
        />
      </div>
      {later && (
        <div className={classes.pair}>
          <TextInput
            type="datetime-local"
            label={texts.sendAt}
            required
            min={toZonedInput(new Date(), zone)}
            readOnly={readOnly}
            {...form.getInputProps('sendAt')}
          />
          <NativeSelect
            label={texts.zone}
            data={zoneNames(zone).map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
            disabled={readOnly}
            {...form.getInputProps('zone')}
          />
        </div>
      )}
      {later && at && (
        <Text size="sm" c="dimmed" role="status">
          {texts.at(formatZoned(at.toISOString(), zone))}
        </Text>
      )}
    </fieldset>
  )
}
