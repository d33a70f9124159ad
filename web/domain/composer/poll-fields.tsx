import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { pollDurationsDays, pollTitleMaxLength } from '@ovation/contract/limits'
import { schedulingTexts as texts } from '@ovation/contract/texts/scheduling'
import type { AppForm } from '../../ui/use-app-form.ts'
import { PollOptionsField } from '../polls/poll-options-field.tsx'
import type { ComposerValues } from './composer-values.ts'

/** A post's poll: a question, two to ten answers, and a duration. */
export function PollFields({ form, disabled }: { form: AppForm<ComposerValues>; disabled: boolean }) {
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.question}
        maxLength={pollTitleMaxLength}
        disabled={disabled}
        {...form.getInputProps('question')}
      />
      <PollOptionsField
        options={form.values.options}
        error={form.errors.options}
        onChange={(options) => form.setFieldValue('options', options)}
        disabled={disabled}
      />
      <NativeSelect
        label={texts.duration}
        data={pollDurationsDays.map((days) => ({ value: String(days), label: texts.days(days) }))}
        disabled={disabled}
        {...form.getInputProps('days')}
      />
    </Stack>
  )
}
