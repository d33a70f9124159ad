import { TextInput, type TextInputProps } from '@mantine/core'
import { schedulingTexts as texts } from '@ovation/contract/texts/scheduling'
import { ownZone, toLocalInput } from '../lib/format/local-time.ts'

/** A date and time in the viewer's time zone, in the browser's own picker, which knows the viewer's calendar and keyboard. */
export function TimeField(props: TextInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={texts.publishAt}
      description={texts.zone(ownZone())}
      min={toLocalInput(new Date())}
      {...props}
    />
  )
}
