import { Button, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import {
  broadcastMessageMaxLength,
  broadcastTitleMaxLength,
  pollDefaultDays,
  pollDescriptionMaxLength,
  pollDurationsDays,
  pollTitleMaxLength,
} from '@ovation/contract/limits'
import { broadcastTexts as texts } from '@ovation/contract/texts/broadcast'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PollOptionsField } from '../../domain/polls/poll-options-field.tsx'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { BroadcastPreview } from './broadcast-preview.tsx'
import { type BroadcastValues, toBroadcast, validateBroadcast } from './broadcast-rules.ts'
import classes from './broadcast-tab.module.css'
import { type Broadcast, useBroadcast } from './use-broadcast.ts'
import { userCountQuery } from './user-queries.ts'

const blank: BroadcastValues = {
  kind: 'announcement',
  title: '',
  message: '',
  pollTitle: '',
  description: '',
  options: ['', ''],
  days: String(pollDefaultDays),
}

/** ADM-27..ADM-36. The draft survives reloads until it is sent. */
export default function BroadcastTab() {
  const { data: users } = useQuery(userCountQuery())
  const [confirming, setConfirming] = useState<Broadcast | null>(null)
  const form = useAppForm<BroadcastValues>({
    initialValues: blank,
    validate: validateBroadcast,
    draft: { key: 'broadcast' },
  })
  const broadcast = useBroadcast(() => {
    setConfirming(null)
    form.forgetDraft()
    form.reset()
  })
  const { values } = form
  const isPoll = values.kind === 'poll'
  const counted = (text: string, max: number) => texts.counter(text.length, max)

  return (
    <div className={classes.columns}>
      <form
        className={`surface ${classes.form}`}
        onSubmit={form.handleSubmit(async (sent) => setConfirming(toBroadcast(sent)))}
        noValidate
      >
        <h2 className={classes.heading}>{texts.heading}</h2>
        <Segments
          fullWidth
          aria-label={texts.kind}
          data={(['announcement', 'poll'] as const).map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
          value={values.kind}
          onChange={(kind) => {
            form.setFieldValue('kind', kind)
            form.clearErrors()
          }}
        />
        <TextInput
          label={texts.title}
          required
          maxLength={broadcastTitleMaxLength}
          description={counted(values.title, broadcastTitleMaxLength)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('title')}
        />
        <Textarea
          label={isPoll ? texts.messageOptional : texts.message}
          required={!isPoll}
          rows={isPoll ? 2 : 5}
          maxLength={broadcastMessageMaxLength}
          description={counted(values.message, broadcastMessageMaxLength)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('message')}
        />
        {isPoll && (
          <>
            <TextInput
              label={texts.pollTitle}
              required
              maxLength={pollTitleMaxLength}
              description={counted(values.pollTitle, pollTitleMaxLength)}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              {...form.getInputProps('pollTitle')}
            />
            <Textarea
              label={texts.description}
              rows={2}
              maxLength={pollDescriptionMaxLength}
              description={counted(values.description, pollDescriptionMaxLength)}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              {...form.getInputProps('description')}
            />
            <PollOptionsField
              options={values.options}
              error={form.errors.options}
              onChange={(options) => form.setFieldValue('options', options)}
            />
            <NativeSelect
              label={texts.duration}
              data={pollDurationsDays.map((days) => ({ value: String(days), label: texts.days(days) }))}
              {...form.getInputProps('days')}
            />
          </>
        )}
        <FormFailure title={texts.failed} message={broadcast.error ? errorMessageOf(broadcast.error) : undefined} />
        <Button type="submit" className={classes.send}>
          {texts.send[values.kind]}
        </Button>
      </form>
      <section className={classes.preview} aria-labelledby="broadcast-preview">
        <Text component="h2" id="broadcast-preview" size="sm" c="dimmed" mb="xs">
          {texts.preview}
        </Text>
        <BroadcastPreview values={values} />
      </section>
      {confirming && (
        <ConfirmDialog
          title={texts.confirm.title}
          message={texts.confirm.message(users)}
          confirmLabel={texts.confirm.action}
          primary
          pending={broadcast.isPending}
          onConfirm={() => broadcast.mutate(confirming, { onError: () => setConfirming(null) })}
          onClose={() => setConfirming(null)}
        />
      )}
    </div>
  )
}
